"""A card changes what it shows and nothing else, however that is written."""

import re

from branchwise.formats.read import read_text
from studio.hands import (
    hide_plan,
    open_card,
    pick,
    press,
    set_text,
    settle,
    worth,
)

TEXT = """\
budget: 4
actions:
  # tried first
  a: &base
    outcomes: {ok: 0.5, bad: rest}   # of a
  b: *base
  c:
    requires:
      all:                           # both of them
        - a=ok
        - any: [b=ok, b=bad]         # whatever comes of b
    outcomes:
      ok: 0.2 [0.1, 0.3]
      bad: rest
rewards:
  - {when: c=ok, value: 10}
  - {when: b=ok, value: 1}
"""


def text_after(page, undone):
    page.get_by_role("button", name=re.compile(f"^Undo {undone}")).wait_for()
    settle(page)
    return page.asked.document()["text"]


def test_maps_aliases_and_intervals_stay_as_they_are_written(opened):
    page = opened(TEXT)
    worth(page, "1.")
    open_card(page, "c")
    pick(page, "needs of c: outcome", "bad", 0)
    wanted = TEXT.replace("- a=ok", "- a=bad")
    assert text_after(page, "what c needs") == wanted
    pick(page, "needs of c: how many must hold", "any of", 0)
    settle(page)
    wanted = wanted.replace("      all:  ", "      any:  ")
    assert page.asked.document()["text"] == wanted
    set_text(page, "Probability of c=ok as written", "0.25")
    wanted = wanted.replace("0.2 [0.1, 0.3]", "'0.25 [0.1, 0.3]'")
    assert text_after(page, "the probability of ok") == wanted

    # What is shared is changed where it is meant, and a card says so.
    open_card(page, "b")
    page.get_by_text("stands here as *base").wait_for()
    set_text(page, "Probability of b=ok as written", "0.6")
    wanted = wanted.replace("b: *base", "b:\n    outcomes: {ok: 0.6, bad: rest}")
    settle(page)
    assert page.asked.document()["text"] == wanted

    # Actions, outcomes and rewards change places, with what is said of them.
    press(page, "Move action b up")
    settle(page)
    press(page, "Move outcome c=bad up")
    press(page, "Move reward 2 up")
    text = text_after(page, "the order")
    problem = read_text(text)
    assert [action.name for action in problem.actions] == ["b", "a", "c"]
    assert problem.actions[2].labels == ("bad", "ok")
    assert "  # tried first\n  a: &base\n" in text
    assert text.endswith("{when: b=ok, value: 1}\n  - {when: c=ok, value: 10}\n")
    assert page.complaints == []


def test_a_threshold_is_a_slider_that_keeps_proportions(opened):
    """
    `a` is worth 10 times its chance and `b` 4.8: 0.48 is where they meet.

    With a budget for both, the plan is worth 0.48 * 10 + 0.52 * 4.8.
    """
    text = (
        "budget: 1\nactions:\n"
        "  a: {outcomes: {ok: 0.5, bad: 30%, ugly: 0.2}}\n"
        "  b: {outcomes: {ok: 1}}\n"
        "rewards:\n  - {when: a=ok, value: 10}\n  - {when: b=ok, value: 4.8}\n"
    )
    page = opened(text)
    slider = page.locator(".slider", has_text="P(a=ok)").locator("input")
    slider.focus()
    for _ in range(4):
        slider.press("ArrowLeft")
    page.get_by_role("button", name="Undo P(a=ok) (Ctrl-Z)").wait_for()
    settle(page)
    assert "{ok: 0.48, bad: 0.312, ugly: 0.208}" in page.asked.document()["text"]
    page.locator(".curve title", has_text="From 0 at 0 to 7.296 at 4").wait_for(
        state="attached"
    )

    # Another program changes another line meanwhile.
    page.path.write_text(text.replace("value: 4.8", "value: 4.7"), encoding="utf-8")
    page.get_by_role("button", name="Merge both").click()
    page.get_by_role("button", name="Undo the merge (Ctrl-Z)").wait_for()
    merged = page.asked.document()["text"]
    assert "ok: 0.48" in merged
    assert "value: 4.7" in merged
    assert page.complaints == []


def test_a_test_of_a_hidden_fact_has_its_sensitivity_and_specificity(opened):
    page = opened(
        "hidden:\n  ill: {yes: 0.3, no: rest}\nbudget: 3\nactions:\n"
        "  test:\n    outcomes: {positive: 0.2, negative: rest}\n"
        "  treat:\n    outcomes: {done: 1}\n"
        "rewards:\n  - {when: treat=done and ill=yes, value: 10}\n"
    )
    hide_plan(page)
    open_card(page, "ill")
    pick(page, "An action that tests ill", "test")
    set_text(page, "Sensitivity of test for ill", "80%")
    set_text(page, "Specificity of test for ill", "0.7")
    assert text_after(page, "the specificity of test").count(
        "  test:\n    outcomes: {positive: rest, negative: 0.7}\n    given:\n"
        "      - {when: ill=yes, outcomes: {positive: 80%, negative: rest}}\n"
    )
    assert page.complaints == []
