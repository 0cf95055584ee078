"""The JSON Schema of a solution: what other programs may rely on."""

from __future__ import annotations

from branchwise.report.answers.robust_json import robust_schema
from branchwise.report.answers.solution_json import FORMAT, VERSION
from branchwise.report.page.json_layout import (
    Schema,
    document_schema,
    events_schema,
    object_schema,
)
from branchwise.tree.solution import Status

__all__ = ["solution_schema"]

_COUNT: Schema = {"type": "integer", "minimum": 0}
_SECONDS: Schema = {"type": "number", "minimum": 0}
_PROBABILITY: Schema = {"type": "number", "minimum": 0, "maximum": 1}
_FRACTION: Schema = {"type": "string", "pattern": "^-?[0-9]+(/[0-9]+)?$"}


def solution_schema() -> Schema:
    """
    Give the JSON Schema of what `solution_document` returns.

    Programs should ignore what they do not know: a later release may add to version
    1, but will neither remove nor change what is there.
    """
    schema = document_schema(
        FORMAT,
        VERSION,
        "The optimal plan for a problem, and what it took to find.",
        {
            "problem": _problem(),
            "after": _after(),
            "status": {
                "enum": [str(status) for status in Status],
                "description": "optimal: no plan has a higher expected reward, or "
                "meets the aim better where there is one; "
                "lower bound: found with only some of the rewarding sets; "
                "the others: why it ended before the gap was closed.",
            },
            "expected_reward": {
                "type": "number",
                "description": "Reward less weighted cost, on average.",
            },
            "exact": _exact("expected_reward", or_null=True),
            "upper_bound": {
                "type": "number",
                "description": "What no plan can exceed.",
            },
            "first_action": _action("What to do first; null: best do nothing."),
            "engine": _text("Which engine found it."),
            "reason": _text("Why this engine, and how it went about it."),
            "prefer": _text("Which objective chose among the optimal plans."),
            "ties_settled": {
                "type": "boolean",
                "description": "Whether that objective counted everywhere.",
            },
            "tree": _tree(),
            "statistics": _statistics(),
            "verification": _verification(),
            "policy": _policy(),
        },
        {"robust": robust_schema(), "aim": _aim()},
    )
    return {
        **schema,
        "$defs": {"amounts": _amounts(), "state": _state()},
    }


def _problem() -> Schema:
    properties = {"name": _text("Its title."), "budget": _amounts_of("the budget")}
    problem = object_schema(
        properties, {"budget_exact": _amounts_of("the budget, exactly")}
    )
    problem["type"] = ["object", "null"]
    problem["description"] = "What was solved; null for a state space of one's own."
    return problem


def _aim() -> Schema:
    number = {"type": "number"}
    aim = object_schema(
        {"title": _text("What it is called."), "worth": number},
        {
            "worth_exact": _exact("worth"),
            "certainty_equivalent": number,
            "certainty_equivalent_exact": _exact("certainty_equivalent"),
            "upper_bound": {**number, "description": "What no plan can exceed."},
            "upper_bound_exact": _exact("upper_bound"),
        },
    )
    most = "What the plan makes the most of; left out where the mean is all."
    return {**aim, "description": most}


def _tree() -> Schema:
    counted = _maybe("Null where a time limit was met before it was known.")
    tree = object_schema({"nodes": _COUNT, "leaves": counted, "depth": counted})
    size = "The size of the tree unrolled; nodes and leaves may exceed 2^53."
    return {**tree, "description": size}


def _statistics() -> Schema:
    stages = ("rewarding_sets", "full_graph", "reduced_graph", "tree", "total")
    sets = _maybe("Null where none were used.")
    return object_schema(
        {
            "rewarding_sets": sets,
            "full_graph_states": _COUNT,
            "reduced_graph_states": _maybe("Null where not all of it is known."),
            "tree_nodes": _COUNT,
            "expanded_states": _maybe("How many states were looked at closely."),
            "bytes": _maybe("How much memory the states took."),
            "seconds": object_schema(dict.fromkeys(stages, _SECONDS)),
        }
    )


def _verification() -> Schema:
    verification = object_schema(
        {
            "checked": {"type": "boolean"},
            "rows": {**_COUNT, "description": "How long the certificate is."},
            "seconds": {**_SECONDS, "description": "What checking it took."},
            "reason": _text("Why it was not checked; nothing where it was."),
        }
    )
    who = "Whether the independent checker has confirmed the answer."
    return {**verification, "description": who}


def _maybe(description: str) -> Schema:
    return {"type": ["integer", "null"], "minimum": 0, "description": description}


def _policy() -> Schema:
    return {
        "type": "array",
        "minItems": 1,
        "items": {"$ref": "#/$defs/state"},
        "description": "Every state that the plan can come to, once. A state's id is "
        "its position, and the root comes first.",
    }


def _state() -> Schema:
    left = _amounts_of("what is left of the budget")
    to = _maybe(
        "The id of the state it leads to; null where a time limit was met before that "
        "could be written."
    )
    outcome = object_schema(
        {"outcome": {"type": "string"}, "probability": _PROBABILITY, "to": to},
        {
            "probability_exact": _exact("probability"),
            "nominal": {
                **_PROBABILITY,
                "description": "The nominal probability, where an adversary struck.",
            },
            "nominal_exact": _exact("nominal"),
        },
    )
    return object_schema(
        {
            "id": _COUNT,
            "action": _action("What to do here; null: stop."),
            "value": {"type": "number", "description": "Expected from here on."},
            "reward": {"type": "number", "description": "Paid for stopping here."},
            "happened": _happened(),
            "left": {**left, "description": f"{left['description']}; or null."},
            "outcomes": {"type": "array", "items": outcome},
        },
        {
            "value_exact": _exact("value"),
            "reward_exact": _exact("reward"),
            "left_exact": _amounts_of("what is left, exactly"),
            "state": _text("A state of a state space of one's own, as text."),
            "alternatives": _alternatives(),
        },
    )


def _alternatives() -> Schema:
    bound = "Whether `value` is only what the action cannot exceed."
    alternative = object_schema(
        {
            "action": {"type": "string"},
            "value": {"type": "number", "description": "If it is taken instead."},
            "is_bound": {"type": "boolean", "description": bound},
        },
        {"value_exact": _exact("value")},
    )
    return {
        "type": "array",
        "items": alternative,
        "description": "The best other actions here, best first. Left out far from "
        "the root, and where the engine cannot tell.",
    }


def _after() -> Schema:
    return {
        **events_schema(),
        "description": "What had happened where the plan begins; nothing at the start.",
    }


def _happened() -> Schema:
    return {
        "type": ["array", "null"],
        "items": object_schema(
            {
                "action": {"type": "string"},
                "outcome": {"type": "string"},
                "count": {"type": "integer", "minimum": 1},
            }
        ),
        "description": "How often each outcome has come up; others have not.",
    }


def _amounts() -> Schema:
    amount: list[Schema] = [{"type": "number"}, _FRACTION, {"const": "unlimited"}]
    each = {"type": "object", "additionalProperties": {"anyOf": amount}}
    return {"anyOf": [*amount, each, {"type": "null"}]}


def _amounts_of(what: str) -> Schema:
    words = f"A number or `unlimited`, or one for each resource: {what}"
    return {"$ref": "#/$defs/amounts", "description": words}


def _action(description: str) -> Schema:
    return {"type": ["string", "null"], "description": description}


def _text(description: str) -> Schema:
    return {"type": "string", "description": description}


def _exact(name: str, *, or_null: bool = False) -> Schema:
    words = f"The same as `{name}`, as an exact fraction"
    if not or_null:
        return {**_FRACTION, "description": f"{words}."}
    either = ["string", "null"]
    return {**_FRACTION, "type": either, "description": f"{words}; null if not known."}
