"""Explanations as a JSON document that other programs can rely on."""

from __future__ import annotations

from typing import Final

from branchwise.analysis.explanations.explanation import Continuation, Explanation
from branchwise.analysis.explanations.same_luck import LuckyCase
from branchwise.report.page.json_layout import (
    Object,
    Schema,
    document_schema,
    event_schema,
    events_schema,
    json_events,
    json_number,
    json_text,
    object_schema,
)
from branchwise.tree.solution import Status

__all__ = ["explanation_document", "explanation_json", "explanation_schema"]

VERSION: Final = 1
"""The version of the layout; it changes only when a reader would have to."""

_FORMAT: Final = "branchwise-explanation"


def explanation_document(explanation: Explanation) -> Object:
    """Give an explanation as plain data, laid out as `explanation_schema` says."""
    bounds, other = explanation.loss_bounds, explanation.other
    return {
        "format": _FORMAT,
        "version": VERSION,
        "problem": explanation.problem.name,
        "after": json_events(explanation.history),
        "action": explanation.action,
        "status": str(explanation.status),
        "objection": explanation.objection or None,
        "best": _continuation(explanation.best),
        "other": None if other is None else _continuation(other),
        "loss": None if explanation.loss is None else json_number(explanation.loss),
        "loss_bounds": None
        if bounds is None
        else [json_number(each) for each in bounds],
        "case": None if explanation.case is None else _case(explanation.case),
        "case_settled": explanation.is_case_settled,
    }


def explanation_json(explanation: Explanation) -> str:
    """Give the document as text."""
    document = explanation_document(explanation)
    return f"{json_text(document)}\n"


def explanation_schema() -> Object:
    """
    Give the JSON Schema of what `explanation_document` returns.

    Programs should ignore what they do not know: a later release may add to version
    1, but will neither remove nor change what is there.
    """
    number, text = {"type": "number"}, {"type": "string"}
    pair = {"type": "array", "items": number, "minItems": 2, "maxItems": 2}
    return document_schema(
        _FORMAT,
        VERSION,
        "Why an action is not what the best plan does.",
        {
            "problem": {**text, "description": "Its name."},
            "after": {**events_schema(), "description": "What has happened."},
            "action": {**text, "description": "The action asked about."},
            "status": {"enum": [str(status) for status in Status]},
            "objection": _maybe(text, "Why it cannot be taken."),
            "best": _continuation_schema(),
            "other": _maybe(_continuation_schema(), "It, and the best after it."),
            "loss": _maybe(number, "What is lost by taking it."),
            "loss_bounds": _maybe(pair, "What is lost at least and at most."),
            "case": _maybe(_case_schema(), "Where it shows, with the same luck."),
            "case_settled": {"type": "boolean"},
        },
    )


def _continuation(plan: Continuation) -> Object:
    return {
        "action": plan.action,
        "value": json_number(plan.value),
        "upper_bound": json_number(plan.upper_bound),
        "following": [
            {
                "outcome": each.outcome,
                "probability": json_number(each.probability),
                "value": json_number(each.value),
                "action": each.action,
            }
            for each in plan.following
        ],
        "tree": {
            "nodes": plan.tree.num_nodes,
            "leaves": plan.tree.num_leaves,
            "depth": plan.tree.depth,
        },
    }


def _case(case: LuckyCase) -> Object:
    sides = zip(("best", "other"), case.paths, case.rewards, strict=True)
    return {
        "probability": json_number(case.probability),
        "parting": json_events([case.parting])[0],
        **{
            side: {"path": json_events(path), "reward": json_number(reward)}
            for side, path, reward in sides
        },
    }


def _maybe(schema: Schema, description: str) -> Schema:
    return {"description": description, "anyOf": [schema, {"type": "null"}]}


def _continuation_schema() -> Schema:
    number, whole = {"type": "number"}, {"type": "integer", "minimum": 0}
    action = {"type": ["string", "null"], "description": "Null to stop."}
    following = object_schema(
        {
            "outcome": {"type": "string"},
            "probability": number,
            "value": number,
            "action": action,
        }
    )
    return object_schema(
        {
            "action": action,
            "value": {**number, "description": "What it is worth from there on."},
            "upper_bound": {**number, "description": "What it can be worth at most."},
            "following": {"type": "array", "items": following},
            "tree": object_schema({"nodes": whole, "leaves": whole, "depth": whole}),
        }
    )


def _case_schema() -> Schema:
    side = object_schema({"path": events_schema(), "reward": {"type": "number"}})
    return object_schema(
        {
            "probability": {"type": "number"},
            "parting": {
                **event_schema(),
                "description": "Where the plans part.",
            },
            "best": side,
            "other": side,
        }
    )
