"""A certificate in words: what it proves, and how long its proof is."""

from __future__ import annotations

from branchwise.certificate.certificate import Certificate
from branchwise.report.text.wording import chance, exact_text, plural, value

__all__ = ["certificate_lines"]


def certificate_lines(certificate: Certificate) -> list[str]:
    """Say what a certificate proves, and by how many rows."""
    lower, upper = certificate.lower_bound, certificate.upper_bound
    if certificate.is_optimal:
        proven = f"proven optimal: expected reward {value(lower)}"
        if exact_text(lower) != value(lower):
            proven = f"{proven}, exactly {exact_text(lower)}"
    else:
        bounds = f"at least {value(lower)} and at most {value(upper)}"
        gap = chance(certificate.relative_gap)
        proven = f"proven: the best plan is worth {bounds}, a gap of {gap}"
    plan = plural(len(certificate.policy), "row")
    bound = plural(len(certificate.bounds), "row")
    return [proven, f"{plan} of the plan, {bound} of bounds"]
