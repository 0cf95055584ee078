"""The robust part of a solution as JSON, and its schema."""

from __future__ import annotations

from typing import Final

from branchwise.report.page.json_layout import Object, json_number, object_schema
from branchwise.tree.robustness import Robustness
from branchwise.tree.solution import Solution

__all__ = ["robust_document", "robust_schema"]

_NUMBERS: Final = {
    "worst_case": "What the plan is worth in the worst case, if strikes are seen.",
    "unseen": "What the tree here is worth in the worst case, if they go unseen.",
    "nominal": "What the tree here is worth at nominal odds.",
    "nominal_optimum": "What the best nominal plan is worth at nominal odds.",
    "nominal_worst_case": "What the best nominal plan is worth in the worst case.",
    "price": "The price of robustness: nominal optimum less nominal.",
}


def robust_document(solution: Solution) -> Object:
    """Say against whom the plan is robust; nothing where it is not."""
    adversary = solution.adversary
    if adversary is None:
        return {}
    document: Object = {"gamma": adversary.gamma}
    if solution.robustness is not None:
        document |= _robustness(solution.robustness)
    return {"robust": document}


def _robustness(robustness: Robustness) -> Object:
    numbers = {name: json_number(getattr(robustness, name)) for name in _NUMBERS}
    return {
        **numbers,
        "by_gamma": [
            {"gamma": gamma, "worst_case": json_number(worst)}
            for gamma, worst in robustness.by_gamma
        ],
        "perturbations": [
            {
                "action": each.action,
                "gain": json_number(each.gain),
                "deviations": json_number(each.deviations),
            }
            for each in robustness.perturbations
        ],
    }


def robust_schema() -> Object:
    """Describe the robust part of a solution."""
    gamma = {
        "type": ["integer", "null"],
        "minimum": 0,
        "description": "How many strikes there may be on any path; null: no limit.",
    }
    number: Object = {"type": "number"}
    told: Object = {
        n: {**number, "description": words} for n, words in _NUMBERS.items()
    }
    by_gamma = object_schema({"gamma": gamma, "worst_case": number})
    perturbation = object_schema(
        {"action": {"type": "string"}, "gain": number, "deviations": number}
    )
    told["by_gamma"] = {"type": "array", "items": by_gamma}
    told["perturbations"] = {"type": "array", "items": perturbation}
    schema = object_schema({"gamma": gamma}, told)
    words = "Against whom the plan is robust; left out where all odds are nominal."
    return {**schema, "description": words}
