"""The certificate: bounds on what the best plan is worth, and their proof."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from branchwise.certificate.checker import FORMAT
from branchwise.formats.atomic import write_atomically
from branchwise.model.numbers.number import ratio_text
from branchwise.records import dataclass
from branchwise.space.state_space import Real

_Rows = Sequence[Sequence[str | None]]


@dataclass(frozen=True, slots=True)
class Certificate:
    """
    An answer with a proof that can be checked independently.

    Parameters
    ----------
    problem
        The problem, in the normal form that the checker reads.
    lower_bound, upper_bound
        What the best plan is worth at least, and at most.
    policy
        The rows that prove the lower bound: a plan.
    bounds
        The rows that prove the upper bound.
    """

    problem: Mapping[str, Any]
    lower_bound: Fraction
    upper_bound: Fraction
    policy: _Rows
    bounds: _Rows

    @property
    def gap(self) -> Fraction:
        """How much better than the plan another one could be, at most."""
        return self.upper_bound - self.lower_bound

    @property
    def relative_gap(self) -> float:
        """The gap as a share of the upper bound."""
        return float(self.gap / abs(self.upper_bound)) if self.gap else 0.0

    @property
    def is_optimal(self) -> bool:
        """Whether it proves that no plan is better than its own."""
        return not self.gap

    def text(self) -> str:
        """Return the certificate as JSON, one row on each line."""
        at_least, at_most = map(ratio_text, (self.lower_bound, self.upper_bound))
        claim = {"at_least": at_least, "at_most": at_most}
        parts = {
            "format": _compact(FORMAT),
            "claim": _compact(claim),
            "problem": _lines("{}", _entries(self.problem)),
            "policy": _lines("[]", map(_compact, self.policy)),
            "bounds": _lines("[]", map(_compact, self.bounds)),
        }
        body = ",\n".join(f'"{key}": {part}' for key, part in parts.items())
        return f"{{\n{body}\n}}\n"

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the certificate to a file, whole or not at all."""
        write_atomically(path, self.text())


def _entries(problem: Mapping[str, Any]) -> Iterator[str]:
    for key, value in problem.items():
        is_list = isinstance(value, list)
        part = _lines("[]", map(_compact, value), " ") if is_list else _compact(value)
        yield f'"{key}": {part}'


def _lines(brackets: str, parts: Iterator[str], indent: str = "") -> str:
    inside = ",".join(f"\n{indent} {part}" for part in parts)
    return f"{brackets[0]}{inside}\n{indent}{brackets[1]}"


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def short_number(number: Real) -> str:
    """
    Write a number with ten digits that matter, also where no float is as large.

    Examples
    --------
    >>> short_number(Fraction(349, 5)), short_number(8.43672), short_number(10**400)
    ('69.8', '8.43672', '1e+400')
    >>> short_number(float("nan"))
    'nan'
    """
    if isinstance(number, float):
        return f"{number:.10g}"
    exact = Fraction(number)
    with localcontext() as context:
        context.prec = 10
        rounded = Decimal(exact.numerator) / exact.denominator
        return f"{rounded.normalize():g}"
