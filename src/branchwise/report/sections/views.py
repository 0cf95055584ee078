"""The sections of an analysis: how each is shown, as text and in a page."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Final

from branchwise.analysis.analyze import SECTIONS, Analysis
from branchwise.report.page.templates import page_from
from branchwise.tree.solution import Status

VIEWS: Final[Mapping[str, ModuleType]] = {
    name: import_module(f"branchwise.report.sections.{name.replace('-', '_')}")
    for name in SECTIONS
}
"""
What shows each section: the file of its name in this folder.

``TITLE`` is its heading, and ``NOTE`` says in a line what its text shows; ``lines``
returns it as text, and ``fragment`` for a page, as HTML without a heading.
"""


def analysis_page(analysis: Analysis) -> str:
    """Return an analysis as one self-contained page, with a chart in every section."""
    values = {
        "problem": analysis.problem,
        "solution": analysis.solution,
        "is_optimal": analysis.solution.status is Status.OPTIMAL,
        "titles": {key: view.TITLE for key, view in VIEWS.items()},
        "sections": {
            key: VIEWS[key].fragment(found) for key, found in analysis.sections.items()
        },
        "unreached": analysis.unreached,
    }
    return page_from("analysis", analysis.problem.name, values)
