"""What people do on the page of the studio, with its labels for names."""

import re


def settle(page):
    """Wait until no change is on its way: people are slower than a program."""
    page.locator(".studio[aria-busy=false]").wait_for()


def set_text(page, label, text):
    settle(page)
    field = page.get_by_label(label, exact=True)
    field.fill(text)
    field.press("Enter")


def pick(page, label, option, place=0):
    settle(page)
    field = page.get_by_label(label, exact=True).nth(place)
    field.select_option(label=option)


def worth(page, shown):
    page.locator(".side:not(.stale) .worth", has_text=shown).wait_for()


def press(page, name, place=0):
    settle(page)
    page.get_by_role("button", name=name, exact=True).nth(place).click()


def open_card(page, name):
    """Open the card of something, unless it is open."""
    card = page.locator("details.card").filter(
        has=page.locator("summary strong", has_text=re.compile(f"^{name}$"))
    )
    if card.first.get_attribute("open") is None:
        card.locator("summary").first.click()


def unfold(page, summary, place=0):
    """Show what is folded away under a line."""
    found = page.locator("details.more").filter(
        has=page.locator("summary", has_text=re.compile(f"^{re.escape(summary)}$"))
    )
    if found.nth(place).get_attribute("open") is None:
        found.nth(place).locator("summary").first.click()
