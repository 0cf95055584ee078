"""Lettering: what is left of names that are too long for a picture."""

from hypothesis import given
from hypothesis import strategies as st

from branchwise.report.tree_drawing.lettering import ELLIPSIS, legible, shortened


@given(st.text().map(legible), st.integers(5, 40))
def test_a_shortened_text_has_room_and_keeps_both_ends(text, length):
    short = shortened(text, length)

    assert len(short) <= length
    if short != text:
        start, _, end = short.rpartition(ELLIPSIS)
        assert text.startswith(start)
        assert text.endswith(end)


def test_an_accent_stays_with_its_letter():
    accented = "e\N{COMBINING ACUTE ACCENT}"

    assert shortened(accented * 10, 8) == accented + ELLIPSIS + accented * 2
