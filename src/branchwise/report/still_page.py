"""A page that needs no script: its frame, and what stands in it."""

from __future__ import annotations

from branchwise.report.markup import words
from branchwise.report.page_assets import content_policy, page_style

__all__ = ["still_page"]


def still_page(title: str, header: str, body: str) -> str:
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
    """
    style = page_style()
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{content_policy(style)}">
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
</body>
</html>
"""
