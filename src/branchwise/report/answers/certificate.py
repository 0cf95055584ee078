"""Certificates, shown: what is proven, and how long the proof is."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, ClassVar, Final

from branchwise.analysis.table import Table
from branchwise.certificate.certificate import Certificate
from branchwise.certificate.checker import FORMAT
from branchwise.model.numbers.number import ratio_text
from branchwise.report.answer import Answer, Detail
from branchwise.report.fields import (
    TEXT,
    Field,
    Kind,
    Record,
    array,
    constant,
    nullable,
    record,
)
from branchwise.report.text.ink import Look
from branchwise.report.text.wording import chance, exact_text, plural, value

_EXACT: Final = Kind(
    {"type": "string", "description": "An exact fraction."}, ratio_text
)
_CLAIM: Final = record(
    Field("at_least", _EXACT, "lower_bound"), Field("at_most", _EXACT, "upper_bound")
)
_ROWS: Final = array(array(nullable(TEXT)))


class CertificateAnswer(Answer[Certificate]):
    """What a certificate proves; its document is the certificate itself."""

    page = "page.certificate.certificate_page"
    layout: ClassVar = Record(
        (
            Field("format", constant(FORMAT), lambda certificate: certificate),
            Field("claim", _CLAIM, lambda certificate: certificate),
            Field("problem", Kind({"type": "object"}, dict), note="In normal form."),
            Field("policy", _ROWS, note="A plan: it proves `at_least`."),
            Field("bounds", _ROWS, note="They prove `at_most`."),
        ),
        **{"$schema": "https://json-schema.org/draft/2020-12/schema"},
        title=FORMAT,
        description="Bounds on what the best plan is worth, and their proof.",
    )

    def lines(self, look: Look, detail: Detail = "likely") -> Iterator[str]:
        """Return what it proves, and by how many rows."""
        yield look.uncut.line(_proven(self.result))
        if detail != "answer":
            plan = plural(len(self.result.policy), "row")
            bound = plural(len(self.result.bounds), "row")
            yield look.uncut.line(f"{plan} of the plan, {bound} of bounds")

    def json(self) -> Iterator[str]:
        """Return the certificate as it is written for checkers."""
        yield self.result.text()

    def tables(self) -> tuple[Table, ...]:
        """Return the bounds that are proven."""
        bounds = self.result.lower_bound, self.result.upper_bound
        return (Table.of("claim", ("at_least", "at_most"), [bounds]),)


def claimed(certificate: Certificate) -> tuple[Fraction, Fraction]:
    """Return what the best plan is worth, or costs, at least and at most."""
    lower, upper = certificate.lower_bound, certificate.upper_bound
    return (-upper, -lower) if is_about_cost(certificate.problem) else (lower, upper)


def _proven(certificate: Certificate) -> str:
    (lower, upper), is_cost = claimed(certificate), is_about_cost(certificate.problem)
    if certificate.is_optimal:
        what = "expected cost" if is_cost else "expected reward"
        proven = f"proven optimal: {what} {value(lower)}"
        is_rounded = exact_text(lower) != value(lower)
        return f"{proven}, exactly {exact_text(lower)}" if is_rounded else proven
    bounds = f"at least {value(lower)} and at most {value(upper)}"
    gap = chance(certificate.relative_gap)
    verb = "costs" if is_cost else "is worth"
    return f"proven: the best plan {verb} {bounds}, a gap of {gap}"


def is_about_cost(problem: Mapping[str, Any]) -> bool:
    """Whether a problem in normal form has nothing but the cost of finishing."""
    return not problem.get("rewards") and problem.get("finish") is not None
