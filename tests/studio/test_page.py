"""The page of the studio in a browser: a problem is built, seen, saved and undone."""

import re
from pathlib import Path

import pytest

from branchwise.formats.read import read
from studio.hands import (
    hide_plan,
    open_card,
    pick,
    press,
    serious,
    set_text,
    settle,
    worth,
)

EXAMPLE = Path("examples/illustrative.yaml")
HOSTILE = "<img src=x onerror=alert(1)>"


def add_action(page, number, requires=(), join="and", precluded=(), shares="0.4 0.6"):
    """Build an action as somebody would who sees the cards for the first time."""
    name = f"a{number}"
    fail, ok = shares.split()
    press(page, "+ action")
    settle(page)
    open_card(page, name)
    set_text(page, f"Probability of {name}=fail as written", fail)
    set_text(page, f"Probability of {name}=ok as written", ok)
    for what, events in (("needs", requires), ("is ruled out by", precluded)):
        for place, (action, outcome) in enumerate(events):
            label = f"{what} of {name}"
            press(page, f"Add {label}" if place == 0 else f"{label}: {join} another")
            pick(page, f"{label}: what", action, place)
            pick(page, f"{label}: outcome", outcome, place)


def test_somebody_builds_the_illustrative_example_with_keys_alone(opened):
    page = opened()
    worth(page, "32.3")
    hide_plan(page)
    page.has_mouse = False
    press(page, "Blank")
    page.get_by_text("There is no plan yet").wait_for()
    set_text(page, "Name of the problem", "Illustrative example")
    add_action(page, 1)
    set_text(page, "Name of outcome a1=ok", "okay")
    set_text(page, "Name of outcome a1=okay", "ok")
    add_action(page, 2)
    add_action(page, 3, shares="0.7 0.3")
    add_action(page, 4, [("a1", "ok"), ("a3", "ok")], "or", shares="0.7 0.3")
    tried = "tried, however it ends"
    add_action(page, 5, [("a4", "ok")], precluded=[("a3", tried)])
    add_action(page, 6, [("a4", "ok"), ("a2", "ok")], shares="0.6 0.4")
    add_action(page, 7, [("a3", "ok")], shares="0.9 0.1")
    for number, (action, value) in enumerate((("a5", 50), ("a6", 10), ("a7", 100)), 1):
        press(page, "+ reward")
        pick(page, f"Reward {number}: when: what", action)
        pick(page, f"Reward {number}: when: outcome", "ok")
        set_text(page, f"Value of reward {number}", str(value))
    worth(page, "8.437")
    assert page.asked.answer()["worth"] == pytest.approx(8.43672)
    page.keyboard.press("Control+s")
    page.get_by_text("saved in problem.yaml").wait_for()
    by_hand = re.sub(r"\s*#.*", "", EXAMPLE.read_text(encoding="utf-8")).strip()
    assert page.path.read_text(encoding="utf-8") == f"{by_hand}\n"
    assert read(page.path) == read(EXAMPLE)
    page.get_by_role("tab", name="Plan", exact=True).focus()
    page.keyboard.press("Enter")
    frame = page.frame_locator(".frame iframe:not(.coming)")
    frame.get_by_role("tab", name="Table").wait_for()
    assert page.complaints == []


ANY = "button, input:not([type=file]), select, summary, a"
CONTROLS = """(any) => [...document.querySelectorAll(any)].filter(
  (each) => !each.disabled && each.tabIndex >= 0 && each.checkVisibility()
).length"""
SEEN = """(any) => {
  document.activeElement.dataset.seen = "yes";
  return [...document.querySelectorAll(any)].filter((each) => each.dataset.seen).length;
}"""


def test_every_control_is_reached_by_the_tab_key(opened):
    page = opened(EXAMPLE.read_text(encoding="utf-8"))
    worth(page, "8.437")
    open_card(page, "a5")
    page.locator("h1").click()
    wanted, seen = page.evaluate(CONTROLS, ANY), 0
    for _ in range(3 * wanted):
        page.keyboard.press("Tab")
        seen = page.evaluate(SEEN, ANY)
        if seen >= wanted:
            break
    assert seen >= wanted > 40


def test_sliders_sum_to_one_and_everything_can_be_undone(opened):
    first = EXAMPLE.read_text(encoding="utf-8")
    page = opened(first)
    worth(page, "8.437")
    page.locator("details.card summary", has_text="a1").first.click()
    slider = page.get_by_label("Probability of a1=ok", exact=True)
    slider.focus()
    slider.press("ArrowRight")
    page.get_by_label("Probability of a1=fail as written", exact=True).and_(
        page.locator("[value='0.39']")
    ).or_(page.locator(".share", has_text="39 %")).first.wait_for()
    assert "outcomes: {fail: 0.39, ok: 0.61}" in page.asked.document()["text"]
    page.get_by_label("Budget", exact=True).first.fill("5")
    page.get_by_label("Budget", exact=True).first.press("Enter")
    page.locator("h1").click()
    page.get_by_role("button", name="Undo the budget (Ctrl-Z)").click()
    page.get_by_role("button", name=re.compile("Undo the probability")).click()
    page.get_by_role("button", name="Nothing to undo").wait_for()
    worth(page, "8.437")
    assert page.asked.document()["text"] == first
    assert page.complaints == []


def test_what_is_typed_is_kept_and_what_is_wrong_has_a_button(opened):
    page = opened(EXAMPLE.read_text(encoding="utf-8"))
    page.get_by_role("tab", name="YAML").click()
    line = page.locator(".cm-line", has_text="budget: 6")
    line.click()
    page.keyboard.press("End")
    page.keyboard.type("x")
    page.get_by_text("There is no plan yet").wait_for()
    page.locator(".cm-lintRange-error").wait_for()
    page.keyboard.press("Backspace")
    worth(page, "8.437")
    line = page.locator(".cm-line", has_text="requires: a4=ok and a2=ok")
    line.click()
    page.keyboard.press("End")
    page.keyboard.type("k")
    page.locator(".wrong-list").get_by_role("button", name="Fix").click()
    worth(page, "8.437")
    assert page.asked.document()["text"] == EXAMPLE.read_text(encoding="utf-8")
    assert page.complaints == []


def test_a_drag_from_an_outcome_makes_a_prerequisite(opened):
    page = opened(EXAMPLE.read_text(encoding="utf-8"))
    page.get_by_role("tab", name="Dependencies").click()
    box = page.locator(".graph .box")
    box.first.wait_for()
    start, end = box.nth(0).bounding_box(), box.nth(1).bounding_box()
    page.mouse.move(start["x"] + 40, start["y"] + 28 + 19 * 1.5)
    page.mouse.down()
    page.mouse.move(end["x"] + 30, end["y"] + 14, steps=3)
    page.mouse.up()
    page.get_by_role("button", name="Undo a prerequisite (Ctrl-Z)").wait_for()
    text = page.asked.document()["text"]
    assert "  a2:\n    requires: a1=ok\n    outcomes: {fail: 0.4, ok: 0.6}" in text


def test_hostile_names_stay_text(opened):
    name = HOSTILE.replace("'", "")
    text = (
        f"name: '{name}'\nbudget: 3\nactions:\n  '{name}':\n"
        f"    outcomes: {{'{name}': 0.5, b: rest}}\nrewards:\n"
        f'  - {{when: \'"{name}"="{name}"\', value: 10}}\n'
    )
    page = opened(text)
    worth(page, "5")
    for tab in ("Table", "YAML", "Dependencies", "Follow", "Report"):
        page.get_by_role("tab", name=tab, exact=True).click()
    page.frame_locator(".frame iframe:not(.coming)").locator("h1").wait_for()
    assert page.locator("img").count() == 0
    assert page.complaints == []


@pytest.mark.parametrize(
    "media",
    [{}, {"color_scheme": "dark"}, {"width": 820, "height": 1180}],
    ids=["light", "dark", "tablet"],
)
def test_axe_finds_nothing_serious(opened, media, tmp_path_factory):
    page = opened(EXAMPLE.read_text(encoding="utf-8"), **media)
    worth(page, "8.437")
    page.locator("details.card summary", has_text="a5").first.click()
    page.locator(".frame iframe:not(.coming)").wait_for()
    assert serious(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    folder = tmp_path_factory.getbasetemp()
    page.screenshot(
        path=folder / f"studio-{len(media)}-{page.viewport_size['width']}.png"
    )
