"""What people with other senses or hands would stumble over, as axe-core finds it."""

from axe_playwright_python.sync_playwright import Axe

_SERIOUS = {"serious", "critical"}


def stumbling_blocks(page, **options):
    """Return the serious findings of a page: what is wrong, and where first."""
    # Of what is as it should be, it need not say where it all is.
    found = Axe().run(page.page, options={"resultTypes": ["violations"], **options})
    return [
        (each["id"], [node["target"] for node in each["nodes"]][:3])
        for each in found.response["violations"]
        if each["impact"] in _SERIOUS
    ]
