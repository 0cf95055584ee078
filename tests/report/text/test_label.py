"""Names in prose: without quotes where nobody needs them, and else as written."""

import pytest

from branchwise import Action, Problem, Reward, report, solve
from branchwise.report.text.label import as_read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('"log in"="too slow"', "log in = too slow"),
        ("P(a4=ok) or a1=ok", "P(a4=ok) or a1=ok"),
        ('a4=ok and x="not now or never"', 'a4 = ok and x="not now or never"'),
        ('not "a b"=c', "not a b = c"),
        ('"a b"', '"a b"'),
        (r'"a\"b"=c', r'"a\"b"=c'),
        ('"a=b"=c', '"a=b"=c'),
        (r'"\x y"=c', r'"\x y"=c'),
        ('cost of "log in" in days', 'cost of "log in" in days'),
        ('count("a b"=c) >= 2', "count(a b = c) >= 2"),
    ],
)
def test_outcomes_are_read_without_quotes_unless_they_would_be_misread(written, read):
    assert as_read(written) == read


def test_a_page_shows_conditions_without_quotes_and_text_with_them():
    """What is typed needs them: only the page is for reading."""
    knock = Action("knock twice", outcomes={"wide open": 0.5, "shut": "rest"})
    enter = Action("enter", requires=knock["wide open"], outcomes={"in": 1})
    found = solve(Problem([knock, enter], [Reward(enter["in"], 8)], budget=2))

    assert "<bdi>knock twice = wide open</bdi>" in report.html(found)
    assert '"knock twice"="wide open"' not in report.html(found)
    assert str(enter.requires) == '"knock twice"="wide open"'
