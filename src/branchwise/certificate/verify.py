"""Verifying: let the checker judge a certificate, of one's own problem if wanted."""

import json
import os
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from branchwise.certificate import checker
from branchwise.certificate.certificate import Certificate
from branchwise.certificate.problem_document import problem_document
from branchwise.certificate.space_document import space_document
from branchwise.errors import FormatError
from branchwise.formats.file_limits import (
    LARGEST_CERTIFICATE,
    MOST_PROOF_MARKS,
    check_marks,
)
from branchwise.formats.source_file import file_bytes
from branchwise.formats.source_text import decode
from branchwise.model.checks.validate import checked
from branchwise.model.problem import Problem
from branchwise.space.own_space import OwnSpace


@dataclass(frozen=True, slots=True)
class Verdict:
    """
    What the checker says of a certificate.

    Parameters
    ----------
    is_accepted
        Whether the certificate proves its claim.
    text
        The same in words: what is proven, or where the proof fails and why.
    lower_bound, upper_bound
        What the best plan is worth at least and at most; None where that is unproven.
    """

    is_accepted: bool
    text: str
    lower_bound: Fraction | None = None
    upper_bound: Fraction | None = None


def verify(
    certificate: Certificate | str | os.PathLike[str],
    problem: Problem | OwnSpace | None = None,
) -> Verdict:
    """
    Check a certificate in exact arithmetic.

    Parameters
    ----------
    certificate
        A certificate, or the path of its file.
    problem
        What it should be about; a certificate of any other problem is rejected. A state
        space of your own is explored once more for that.

    Raises
    ------
    FormatError
        The file cannot be read, or is no JSON.
    """
    if isinstance(certificate, Certificate):
        text = certificate.text()
    else:
        text = _read(certificate)
    try:
        lower, upper = checker.check(text)
    except json.JSONDecodeError as error:
        where = f"{certificate}:{error.lineno}:{error.colno}"
        what = f"this is no JSON: {error.msg}"
        raise FormatError.of(where, what, _FIX) from None
    except checker.RejectedError as error:
        return Verdict(False, f"REJECTED: {error}")  # noqa: FBT003
    if problem is not None:
        given = _document(problem)
        if json.loads(text)["problem"] != given:
            return Verdict(False, "REJECTED: it is about another problem")  # noqa: FBT003
    return Verdict(True, checker.accepted(lower, upper), lower, upper)  # noqa: FBT003


def _document(problem: Problem | OwnSpace) -> dict[str, Any]:
    if isinstance(problem, Problem):
        return problem_document(checked(problem))
    return space_document(problem)


_FIX = "name a file that `branchwise certify` has written"


def _read(path: str | os.PathLike[str]) -> str:
    data = file_bytes(path, LARGEST_CERTIFICATE)
    check_marks(os.fspath(path), data, MOST_PROOF_MARKS)
    try:
        return decode(data, os.fspath(path))
    except FormatError as error:
        issues = [replace(issue, fix=_FIX) for issue in error.issues]
        raise FormatError(issues) from None
