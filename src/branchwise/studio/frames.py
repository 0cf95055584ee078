"""Frames: pages of the report that stand inside the page, and files to take away."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Event
from typing import Any, Final

from branchwise import report
from branchwise.adversary.interdict import defend
from branchwise.analysis.analyze import SECTIONS, analyze
from branchwise.analysis.comparison.compare import compare
from branchwise.certificate.certificate import Certificate
from branchwise.certificate.certify import certify
from branchwise.errors import BranchwiseError, FormatError
from branchwise.formats.read import check_file, read_text
from branchwise.formats.write import write, write_text
from branchwise.model.problem import Problem
from branchwise.report.dependency_graph.picture import dependency_svg
from branchwise.report.page.templates import plain_page
from branchwise.report.text.ink import Look
from branchwise.rewarding.listing import SetsListing
from branchwise.rewarding.sets import RewardingSets
from branchwise.tree.solution import Solution

_SECONDS: Final = 60.0
_MOST_SETS: Final = 200

TABLES: Final = (".csv", ".xlsx")
"""What can be taken in, and written, as a table."""


class NothingToShowError(BranchwiseError):
    """What was asked for needs a plan, and there is none yet."""


def sections() -> tuple[str, ...]:
    """Return the sections of an analysis."""
    return SECTIONS


def frame_of(
    name: str, problem: Problem, solution: Solution | None, asked: Mapping[str, str]
) -> str:
    """Return a page of the report about a problem."""
    match name:
        case "sets":
            sets = RewardingSets(problem, time_limit_seconds=_SECONDS)
            return report.html(SetsListing(sets, limit=_MOST_SETS))
        case "analysis":
            only = [asked["only"]] if asked.get("only") else None
            found = analyze(problem, only=only, time_limit_seconds=_SECONDS)
            return report.html(found)
        case "compare":
            other = read_text(asked["text"], asked["form"])
            return report.html(compare(other, problem, time_limit_seconds=_SECONDS))
        case "defend":
            budget = asked.get("budget") or None
            chosen = defend(problem, budget=budget, time_limit_seconds=_SECONDS)
            return report.html(chosen)
        case "certify":
            return _certificate_page(_certificate(problem))
    return report.html(_needed(solution))


def _certificate(problem: Problem) -> Certificate:
    return certify(problem, time_limit_seconds=_SECONDS, cancel=Event())


def _certificate_page(certificate: Certificate) -> str:
    """Return what a certificate proves, and how long the proof is."""
    verdict, *rows = report.answer.answer_to(certificate).lines(Look())
    kept = "Save it below, and check it on any machine against the problem file."
    title = f"{verdict[:1].upper()}{verdict[1:]}"
    return plain_page(title, "certificate", [*(f"{row}." for row in rows), kept], [])


def _needed(solution: Solution | None) -> Solution:
    if solution is None:
        raise NothingToShowError("there is no plan yet; wait until it is solved")
    return solution


Export = tuple[bytes, str]
"""What a file holds, and of which kind it is."""


def export_of(name: str, problem: Problem, solution: Solution | None) -> Export:
    """Return a file to take away, by the end of its name."""
    if name == "certificate.json":
        return _certificate(problem).text().encode(), "application/json"
    if name == "xlsx":
        return _workbook(problem), _KINDS["xlsx"]
    writers: dict[str, Callable[[], str]] = {
        "yaml": lambda: write_text(problem, "yaml"),
        "json": lambda: write_text(problem, "json"),
        "csv": lambda: write_text(problem, "csv"),
        "prism": lambda: write_text(problem, "prism"),
        "graph.svg": lambda: dependency_svg(problem),
        "html": lambda: report.html(_needed(solution)),
        "svg": lambda: _written(solution, "svg"),
        "mmd": lambda: _written(solution, "mmd"),
        "solution.json": lambda: _written(solution, "json"),
        "txt": lambda: _written(solution, "txt"),
    }
    if name not in writers:
        raise NothingToShowError(f"there is nothing to write as `{name}`")
    return writers[name]().encode(), _KINDS[name.rpartition(".")[2]]


_KINDS: Final = {
    "yaml": "application/yaml",
    "json": "application/json",
    "csv": "text/csv",
    "prism": "text/plain",
    "svg": "image/svg+xml",
    "html": "text/html",
    "mmd": "text/plain",
    "txt": "text/plain",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


def _written(solution: Solution | None, form: str) -> str:
    return report.answer.answer_to(_needed(solution)).written(form)


def _workbook(problem: Problem) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "problem.xlsx")
        write(problem, path)
        return path.read_bytes()


def imported(data: bytes, name: str, *, is_json: bool) -> str:
    """Return the text of a problem that was brought as a file of some format."""
    suffix = Path(name).suffix.lower()
    own = {".json"} if is_json else {".yaml", ".yml"}
    if suffix in own:
        return data.decode("utf-8-sig")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"problem{suffix}")
        path.write_bytes(data)
        problem, issues = check_file(path)
    errors = [issue for issue in issues if issue.severity == "error"]
    if problem is None or errors:
        raise FormatError(errors)
    return write_text(problem, "json" if is_json else "yaml")


def graph_of(problem: Problem) -> dict[str, Any]:
    """Return the dependency graph as a picture, with whose its boxes are, in order."""
    return {
        "svg": dependency_svg(problem),
        "actions": [
            {"name": action.name, "outcomes": list(action.labels)}
            for action in problem.actions
        ],
        "rewards": len(problem.rewards),
    }
