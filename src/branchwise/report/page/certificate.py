"""A certificate as a page: what is proven, by what, and how to check it."""

from branchwise.certificate.certificate import Certificate
from branchwise.report.answers.certificate import claimed, is_about_cost
from branchwise.report.page.templates import page_from


def certificate_page(certificate: Certificate) -> str:
    """Return what a certificate proves as one page; the proof is in its document."""
    lower, upper = claimed(certificate)
    problem = certificate.problem
    values = {
        "certificate": certificate,
        "lower": lower,
        "upper": upper,
        "is_cost": is_about_cost(problem),
        "num_actions": len(problem.get("actions", ())),
        "num_rewards": len(problem.get("rewards", ())),
    }
    return page_from("certificate", "", values)
