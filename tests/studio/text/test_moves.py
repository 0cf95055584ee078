"""What is moved keeps every byte, and its comments."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from branchwise.errors import FormatError
from branchwise.studio.text.moves import move
from branchwise.studio.text.spans import spans_of

TEXT = (
    "actions:            # in order\n"
    "  # the first\n"
    "  a:\n"
    "    outcomes: {ok: 0.50, no: rest} # of a\n"
    "\n"
    "  # apart\n"
    "\n"
    "  b: {outcomes: {ok: 1}}\n"
    "rewards:\n"
    "  - {when: a=ok, value: 1} # one\n"
    "  - when: b=ok\n"
    "    value: 2"
)
EXAMPLES = [p for p in sorted(Path("examples").glob("*.yaml")) if p.stem != "tireworld"]


def test_an_action_goes_with_its_comments():
    assert (
        move(TEXT, ("actions", "b"), 0)
        .apply(TEXT)
        .startswith(
            "actions:            # in order\n"
            "  b: {outcomes: {ok: 1}}\n"
            "\n"
            "  # apart\n"
            "\n"
            "  # the first\n"
            "  a:\n"
            "    outcomes: {ok: 0.50, no: rest} # of a\n"
            "rewards:\n"
        )
    )


def test_outcomes_and_rewards_change_places():
    path = ("actions", "a", "outcomes", "no")
    assert "{no: rest, ok: 0.50} # of a" in move(TEXT, path, 0).apply(TEXT)
    assert (
        move(TEXT, ("rewards", 1), 0)
        .apply(TEXT)
        .endswith("  - when: b=ok\n    value: 2\n  - {when: a=ok, value: 1} # one")
    )


def test_what_cannot_be_moved_is_refused():
    for path, number in ((("actions", "b"), 2), (("rewards", 5), 0), (("x",), 0)):
        with pytest.raises(FormatError, match="there is no"):
            move(TEXT, path, number)
    text = "a: &x 1\nb: *x\n"
    with pytest.raises(FormatError, match="only the text itself"):
        move(text, ("b",), 0)
    with pytest.raises(FormatError, match="only the text itself"):
        move(TEXT, ("rewards", 1, "value"), 0)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(data=st.data())
def test_moving_there_and_back_changes_nothing(data):
    text = data.draw(st.sampled_from(EXAMPLES)).read_text(encoding="utf-8")
    root = spans_of(text)
    top = data.draw(st.sampled_from([key.text for key, _ in root.entries]))
    parent = root.at((top,))
    steps = [key.text for key, _ in parent.entries] or [*range(len(parent.items))]
    if not steps:
        return
    old = data.draw(st.integers(0, len(steps) - 1))
    new = data.draw(st.integers(0, len(steps) - 1))
    after = move(text, (top, steps[old]), new).apply(text)
    assert sorted(after) == sorted(text)
    back = steps[old] if parent.kind == "map" else new
    assert move(after, (top, back), old).apply(after) == text
