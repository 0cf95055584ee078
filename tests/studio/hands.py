"""What people do on the page of the studio, with its labels for names."""

import re

from axe_playwright_python.sync_playwright import Axe


def settle(page):
    """Wait until no change is on its way: people are slower than a program."""
    page.locator(".studio[aria-busy=false]").wait_for()


def hide_plan(page):
    """Show nothing in the middle that each change draws again: that takes time."""
    page.get_by_role("tab", name="Analysis", exact=True).click()


def activate(page, target):
    """Click on something, or press Enter where the mouse is left alone."""
    if page.has_mouse:
        target.click()
    else:
        target.focus()
        page.keyboard.press("Enter")


def set_text(page, label, text):
    settle(page)
    field = page.get_by_label(label, exact=True)
    if page.has_mouse:
        field.fill(text)
    else:
        field.focus()
        page.keyboard.press("Control+a")
        page.keyboard.type(text)
    page.keyboard.press("Enter")


def pick(page, label, option, place=0):
    settle(page)
    field = page.get_by_label(label, exact=True).nth(place)
    if page.has_mouse:
        field.select_option(label=option)
    else:
        field.focus()
        page.keyboard.type(option.split(",")[0])


def worth(page, shown):
    page.locator(".side:not(.stale) .worth", has_text=shown).wait_for()


def press(page, name, place=0):
    settle(page)
    activate(page, page.get_by_role("button", name=name, exact=True).nth(place))


def open_card(page, name):
    """Open the card of something, unless it is open."""
    card = page.locator("details.card").filter(
        has=page.locator("summary strong", has_text=re.compile(f"^{name}$"))
    )
    if card.first.get_attribute("open") is None:
        activate(page, card.locator("summary").first)


def unfold(page, summary, place=0):
    """Show what is folded away under a line."""
    found = page.locator("details.more").filter(
        has=page.locator("summary", has_text=re.compile(f"^{re.escape(summary)}$"))
    )
    if found.nth(place).get_attribute("open") is None:
        activate(page, found.nth(place).locator("summary").first)


def serious(page):
    """Return what keeps people from using the page who do not see or move well."""
    return [
        (each["id"], [node["html"][:200] for node in each["nodes"]])
        for each in Axe().run(page).response["violations"]
        if each["impact"] in {"serious", "critical"}
    ]
