"""Interdictions as a JSON document that other programs can rely on."""

from __future__ import annotations

from typing import Final

from branchwise.adversary.interdiction import (
    DefensePoint,
    DefenseWorth,
    Interdiction,
    InterdictionStatistics,
)
from branchwise.model.budget import Limit
from branchwise.report.answers.solution_json import solution_document
from branchwise.report.answers.solution_schema import solution_schema
from branchwise.report.page.json_layout import (
    Object,
    Schema,
    document_schema,
    json_number,
    json_text,
    object_schema,
)
from branchwise.tree.solution import Status

__all__ = ["interdiction_document", "interdiction_json", "interdiction_schema"]

VERSION: Final = 1
"""The version of the layout; it changes only when a reader would have to."""

_FORMAT: Final = "branchwise-interdiction"


def interdiction_document(interdiction: Interdiction) -> Object:
    """Give an interdiction as plain data, laid out as `interdiction_schema` says."""
    return {
        "format": _FORMAT,
        "version": VERSION,
        "problem": interdiction.problem.name,
        "budget": _limit(interdiction.budget),
        "chosen": list(interdiction.chosen),
        "cost": json_number(interdiction.cost),
        "value_before": json_number(interdiction.value_before),
        "value": json_number(interdiction.value),
        "lower_bound": json_number(interdiction.lower_bound),
        "status": str(interdiction.status),
        "method": interdiction.method,
        "frontier": [_point(point) for point in interdiction.frontier],
        "defenses": [_worth(worth) for worth in interdiction.worths],
        "statistics": _statistics(interdiction.statistics),
        "reply": solution_document(interdiction.reply),
    }


def interdiction_json(interdiction: Interdiction) -> str:
    """Give the document as text."""
    document = interdiction_document(interdiction)
    return f"{json_text(document)}\n"


def interdiction_schema() -> Object:
    """
    Give the JSON Schema of what `interdiction_document` returns.

    Programs should ignore what they do not know: a later release may add to version
    1, but will neither remove nor change what is there.
    """
    number, names = {"type": "number"}, {"type": "array", "items": {"type": "string"}}
    reply = {k: v for k, v in solution_schema().items() if not k.startswith("$")}
    schema = document_schema(
        _FORMAT,
        VERSION,
        "The defenses that leave an attacker least.",
        {
            "problem": {"type": "string", "description": "Its name."},
            "budget": _limit_schema(),
            "chosen": {**names, "description": "The best defenses."},
            "cost": {**number, "minimum": 0},
            "value_before": {**number, "description": "Without defenses."},
            "value": {**number, "description": "Against the chosen ones."},
            "lower_bound": {**number, "description": "What none can go below."},
            "status": {"enum": [str(status) for status in Status]},
            "method": {"type": "string"},
            "frontier": {"type": "array", "items": _point_schema()},
            "defenses": {"type": "array", "items": _worth_schema()},
            "statistics": _statistics_schema(),
            "reply": reply,
        },
    )
    return {
        **schema,
        "$defs": solution_schema()["$defs"],
    }


def _limit(limit: Limit) -> int | float | str:
    return "unlimited" if isinstance(limit, float) else json_number(limit)


def _point(point: DefensePoint) -> Object:
    return {
        "cost": json_number(point.cost),
        "value": json_number(point.value),
        "chosen": list(point.chosen),
    }


def _worth(worth: DefenseWorth) -> Object:
    return {
        "name": worth.name,
        "is_chosen": worth.is_chosen,
        "alone": json_number(worth.alone),
        "otherwise": None if worth.otherwise is None else json_number(worth.otherwise),
        "margin": None if worth.margin is None else json_number(worth.margin),
    }


def _statistics(statistics: InterdictionStatistics) -> Object:
    return {
        "nodes": statistics.num_nodes,
        "solved": statistics.num_solved,
        "solved_in_all": statistics.num_solved_in_all,
        "sets": statistics.num_sets,
        "seconds": statistics.seconds,
        "seconds_in_all": statistics.seconds_in_all,
    }


def _limit_schema() -> Schema:
    kinds = [{"type": "number", "minimum": 0}, {"const": "unlimited"}]
    return {"description": "What may be spent on defenses.", "anyOf": kinds}


def _point_schema() -> Schema:
    return object_schema(
        {
            "cost": {"type": "number", "minimum": 0},
            "value": {"type": "number", "description": "The attacker's optimum."},
            "chosen": {"type": "array", "items": {"type": "string"}},
        }
    )


def _worth_schema() -> Schema:
    number, maybe = {"type": "number"}, {"type": ["number", "null"]}
    return object_schema(
        {
            "name": {"type": "string"},
            "is_chosen": {"type": "boolean"},
            "alone": {**number, "description": "The attacker's optimum against it."},
            "otherwise": {
                **maybe,
                "description": "Against the best defenses without it, if it is chosen; "
                "else with it. Null where there are none such.",
            },
            "margin": {**maybe, "description": "How much more that is than the value."},
        }
    )


def _statistics_schema() -> Schema:
    whole = {"type": "integer", "minimum": 0}
    return object_schema(
        {
            "nodes": whole,
            "solved": whole,
            "solved_in_all": whole,
            "sets": {"type": ["integer", "null"]},
            "seconds": {"type": "number", "minimum": 0},
            "seconds_in_all": {"type": "number", "minimum": 0},
        }
    )
