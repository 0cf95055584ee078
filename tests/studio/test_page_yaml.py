"""The text of a problem is completed and explained where one types."""

from studio.hands import settle, worth

TEXT = """\
budget: 6
actions:
  scan:
    outcomes: {open: 0.6, closed: rest}
  log in:
    requires: scan=open
    outcomes:
      ok: 0.5
      bad: rest
rewards:
  - {when: '"log in"=ok', value: 10}
"""
CLAUSE = "actions:\n  scan:\n    given:\n"
KEYS = {
    # What stands before the cursor: what is offered there, and what is not.
    "obj": ("objective", "attempts"),
    "combine: s": ("sum", "objective"),
    "actions:\n  scan:\n    att": ("attempts", "combine"),
    "actions:\n  scan:\n    outcomes:\n      open:\n        en": ("ends", "attempts"),
    f"{CLAUSE}      - wh": ("when", "attempts"),
    f"{CLAUSE}      - when: x\n        sam": ("sample_size", "attempts"),
    f"{CLAUSE}      - {{when: x, dis": ("distance", "attempts"),
    "actions:\n  scan: {cost: 1, req": ("requires", "range"),
    "rewards:\n  - {when: a=b, va": ("value", "cost"),
    "rewards:\n- wh": ("when", "requires"),
    "counters:\n  doses: {ra": ("range", "value"),
    "hidden:\n  rain:\n    gi": ("given", "cost"),
    "defenses:\n  wall: {for": ("forbids", "requires"),
}


def offered(page):
    page.keyboard.press("Control+Space")
    page.locator(".cm-tooltip-autocomplete").wait_for(timeout=5000)
    found = page.locator(".cm-completionLabel").all_inner_texts()
    page.keyboard.press("Escape")
    return found


def test_keys_and_names_are_completed_and_keys_are_explained(opened):
    page = opened(TEXT)
    worth(page, "3")
    page.get_by_role("tab", name="YAML").click()

    page.get_by_text("requires", exact=True).hover()
    page.get_by_text("What must hold before it can be taken.").wait_for()
    page.mouse.move(0, 0)

    page.locator(".cm-line", has_text="requires: scan=open").click()
    page.keyboard.press("End")
    page.keyboard.insert_text(' or not "lo')
    page.keyboard.press("Control+Space")
    page.locator(".cm-completionLabel", has_text='"log in"=bad').click()
    line = 'requires: scan=open or not "log in"=bad'
    page.locator(".cm-line", has_text=line).wait_for()
    page.wait_for_function("!document.querySelector('.cm-lint-marker-error')")
    settle(page)

    for before, (wanted, other) in KEYS.items():
        page.keyboard.press("Control+a")
        page.keyboard.press("Delete")
        page.keyboard.insert_text(before)
        found = offered(page)
        assert wanted in found, (before, found)
        assert other not in found, (before, found)
    assert page.complaints == []
