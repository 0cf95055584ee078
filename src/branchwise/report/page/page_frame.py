"""The frame of every page: one file that needs no network."""

from __future__ import annotations

from branchwise.report.page.markup import words
from branchwise.report.page.page_assets import content_policy, page_style

__all__ = ["page_frame"]


def page_frame(
    title: str, header: str, body: str, *, script: str = "", data: str = ""
) -> str:
    """
    Put a self-contained page together.

    Parameters
    ----------
    title
        What the page is called.
    header
        What stands above all else.
    body
        Its sections.
    script
        What moves in it; a still page has none.
    data
        JSON for the script.
    """
    style = page_style()
    held = f'<script type="application/json" id="plan-data">{data}</script>\n'
    run = f"<script>{script}</script>\n"
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{content_policy(style, script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{words(title)} \N{MIDDLE DOT} branchwise</title>
<style>{style}</style>
</head>
<body>
{header}
<main>
{body}
</main>
<footer>
<p>Made with branchwise. This file needs no network and sends nothing.</p>
</footer>
{held if data else ""}{run if script else ""}</body>
</html>
"""
