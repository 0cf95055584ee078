"""The style sheet and the script of the page, and the policy that allows only these."""

import base64
import hashlib
from functools import cache
from importlib import resources
from typing import Final

_STYLES: Final = ("report.css", "tables.css", "charts.css")
_LIVE_STYLES: Final = ("explorer/explorer.css", "walk.css", "views/views.css")
_SCRIPTS: Final = (
    "numbers.js",
    "elements.js",
    "plan.js",
    "spending.js",
    "explorer/unrolled.js",
    "explorer/layout.js",
    "explorer/shapes.js",
    "explorer/far_view.js",
    "explorer/minimap.js",
    "explorer/drawing.js",
    "explorer/viewport.js",
    "details.js",
    "walk.js",
    "position.js",
    "search.js",
    "views/saving.js",
    "views/policy_table.js",
    "views/merged_layout.js",
    "views/merged_graph.js",
    "views/views.js",
    "views/overview.js",
    "explorer/explorer.js",
    "page.js",
)


@cache
def page_style(*, is_live: bool = True) -> str:
    """Return the style sheet of a page, with or without what only a live plan needs."""
    live = _LIVE_STYLES if is_live else ()
    return "\n".join(map(_asset, (*_STYLES, *live, "print.css")))


@cache
def page_script() -> str:
    """Return the script of the page: its parts in one scope of their own."""
    parts = "\n".join(map(_asset, _SCRIPTS))
    return f'(() => {{\n"use strict";\n{parts}}})();\n'


@cache
def filter_script() -> str:
    """Return the script that finds rows of a table, for pages without a live plan."""
    return f'(() => {{\n"use strict";\n{_asset("filter.js")}}})();\n'


def content_policy(style: str, script: str = "") -> str:
    """Return the policy that allows only this style sheet and this script, if any."""
    scripts = f"script-src {_digest(script)}; " if script else ""
    return (
        f"default-src 'none'; style-src {_digest(style)}; "
        f"{scripts}base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def _asset(name: str) -> str:
    folder = resources.files("branchwise.report").joinpath("assets")
    return folder.joinpath(name).read_text("utf-8")
