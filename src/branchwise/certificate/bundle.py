"""The bundle of a disagreement: all that it takes to look into a wrong answer."""

import hashlib
import io
import json
import platform
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from branchwise.certificate.certificate import Certificate, short_number
from branchwise.errors import FormatError, VerificationError
from branchwise.formats.atomic import write_atomically
from branchwise.formats.write import write_text
from branchwise.model.problem import Problem
from branchwise.tree.solution import Solution

_MOST_STATES: Final = 10_000
_LIBRARIES: Final = ("branchwise", "PyYAML", "click", "highspy")
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)  # a bundle says nothing about when

_README: Final = """\
branchwise has found a plan, checked it before giving it, and found it wrong.

  the engine: {said}
  the checker: {what}

problem.yaml      the problem
options.json      how it was to be solved
answer.json       what the engine came to
certificate.json  what the checker knows for sure (python checker.py certificate.json)
versions.json     which branchwise, on what
"""


def disagreement(
    what: str,
    problem: Problem,
    solution: Solution,
    certificate: Certificate | None,
    options: Mapping[str, object],
) -> VerificationError:
    """Return the error of an answer that is wrong, once its bundle is written."""
    said = _said(solution)
    files = {
        "README.txt": _README.format(said=said, what=what),
        "problem.yaml": write_text(problem),
        "options.json": _json(dict(options)),
        "answer.json": _json(_answer(solution)),
        "versions.json": _json(_versions()),
    }
    if certificate is not None:
        files["certificate.json"] = certificate.text()
    return VerificationError(f"the engine says: {said}; but {what}", _written(files))


def _said(solution: Solution) -> str:
    value = short_number(solution.expected_reward)
    bound = short_number(solution.upper_bound)
    worth = f"worth {value}, and no plan is worth more than {bound}"
    return f"{solution.engine}, {solution.status}: {worth}"


def _answer(solution: Solution) -> dict[str, Any]:
    """The answer with its plan, as far as it is not endless."""
    places = {solution.tree.root.key: 0}
    states: list[dict[str, Any]] = []
    for key in (pending := [solution.tree.root.key]):
        decision = solution.tree.policy[key]
        for branch in decision.branches:
            if branch.state not in places and len(pending) < _MOST_STATES:
                places[branch.state] = len(pending)
                pending.append(branch.state)
        states.append(
            {
                "action": decision.action,
                "value": str(decision.value),
                "reward": str(decision.reward),
                "outcomes": {b.outcome: places.get(b.state) for b in decision.branches},
            }
        )
    return {
        "expected_reward": str(solution.expected_reward),
        "upper_bound": str(solution.upper_bound),
        "status": str(solution.status),
        "engine": solution.engine,
        "reason": solution.reason,
        "prefer": solution.prefer,
        "policy": states,
    }


def _versions() -> dict[str, str]:
    found = {"python": sys.version, "machine": platform.platform()}
    for library in _LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            found[library] = "not installed"
    return found


def _json(document: dict[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2, default=str) + "\n"


def _written(files: Mapping[str, str]) -> Path | None:
    """Write a bundle here, or else where temporary files go; None if neither works."""
    packed, digest = io.BytesIO(), hashlib.sha256()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, text in files.items():
            digest.update(text.encode())
            bundle.writestr(zipfile.ZipInfo(name, _EPOCH), text)
    # The same disagreement, however often it comes up, has one bundle.
    name = f"branchwise-disagreement-{digest.hexdigest()[:12]}.zip"
    for folder in (Path.cwd, lambda: Path(tempfile.gettempdir())):
        try:
            path = folder() / name
            write_atomically(path, packed.getvalue())
        except (FormatError, OSError):
            continue
        return path
    return None
