"""Answers that show themselves: only where somebody has said how."""

from branchwise.tree.views import offer_view, viewed


def test_an_answer_is_shown_as_was_said():
    offer_view("test", lambda answer: f"<b>{answer}</b>")

    assert viewed("test", 7) == "<b>7</b>"


def test_nothing_is_shown_where_nobody_has_said_how():
    assert viewed("smoke signals", 7) is None
