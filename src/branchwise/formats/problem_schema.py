"""The JSON Schema of problem files, for editors that check while one types."""

from __future__ import annotations

from typing import Any

__all__ = ["problem_schema"]

Schema = dict[str, Any]

_DECIMAL = r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?"
_NUMBER = rf"^\s*{_DECIMAL}\s*(/\s*{_DECIMAL}|%)?\s*$"
# Costs, budgets and probabilities have no minus sign.
_AMOUNT = _NUMBER.replace("[+-]?(", "[+]?(")
_UNLIMITED = r"^\s*[Uu][Nn][Ll][Ii][Mm][Ii][Tt][Ee][Dd]\s*$"
_SHARE = _AMOUNT.removeprefix("^").removesuffix("$")
_INTERVAL = rf"\[{_SHARE},{_SHARE}\]"
_REST = r"^\s*[Rr][Ee][Ss][Tt]\s*$"


def problem_schema() -> Schema:
    """
    Give the JSON Schema (draft 2020-12) of a problem file.

    It tells a document's shape; what names refer to, and whether probabilities sum
    to one, is for `branchwise check` to say.

    Examples
    --------
    >>> problem_schema()["required"]
    ['actions']
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:branchwise:problem",
        "title": "A branchwise problem",
        "description": "Actions, what may come of them, and what is worth reaching.",
        "required": ["actions"],
        **_map(
            name=_text("A title for people."),
            budget=_or_nothing(_limits()),
            actions=_actions(),
            rewards=_list("What is worth reaching.", "reward"),
            combine={
                "description": "`max`: the best reward that holds counts. "
                "`sum`: all of them do.",
                "enum": ["max", "sum", None],
                "default": "max",
            },
            cost_weight=_amounts(
                "What one unit spent takes away from the reward; or one weight per "
                "resource.",
                default=0,
            ),
            defense_budget=_or_nothing(_limit_schema()),
            defenses=_or_nothing(_defenses()),
        ),
        "$defs": _definitions(),
    }


def _definitions() -> Schema:
    return {
        "action": _action(),
        "clause": _clause(),
        "condition": _condition(),
        "defense": _defense(),
        "outcomes": _outcomes(),
        "reward": _reward(),
        "amount": _number("A number of at least 0.", _AMOUNT, minimum=0),
    }


def _map(**properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


def _or_nothing(schema: Schema) -> Schema:
    """Allow a key without a value, which counts as left out."""
    notes = {"description", "default"}
    described = {key: value for key, value in schema.items() if key in notes}
    bare = {key: value for key, value in schema.items() if key not in notes}
    return {**described, "anyOf": [bare, {"type": "null"}]}


def _text(description: str) -> Schema:
    # An editor reads `name: 2024` as a number and `name: yes` as a truth value.
    kinds = ["string", "number", "boolean", "null"]
    return {"description": description, "type": kinds}


def _number(description: str, pattern: str, **limits: float) -> Schema:
    kinds = [{"type": "number", **limits}, {"type": "string", "pattern": pattern}]
    return {"description": description, "anyOf": kinds}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _list(description: str, item: str) -> Schema:
    kinds = ["array", "null"]
    return {"description": description, "type": kinds, "items": _ref(item)}


def _actions() -> Schema:
    return {
        "description": "What we may do, by name.",
        "type": "object",
        "minProperties": 1,
        "additionalProperties": _ref("action"),
    }


def _defenses() -> Schema:
    return {
        "description": "What an opponent may do beforehand, by name; `branchwise "
        "defend` chooses among them.",
        "type": "object",
        "additionalProperties": _ref("defense"),
    }


def _limit_schema() -> Schema:
    return {
        "description": "How much may be spent on defenses: a number, or `unlimited`.",
        "default": "unlimited",
        "anyOf": _limit_kinds(),
    }


def _limit_kinds() -> list[Schema]:
    return [_ref("amount"), {"type": "string", "pattern": _UNLIMITED}]


def _limits() -> Schema:
    limit = {"anyOf": _limit_kinds()}
    per_resource = {
        "type": "object",
        "minProperties": 1,
        "additionalProperties": limit,
    }
    return {
        "description": "How much may be spent: a number, `unlimited`, or one of these "
        "per resource, as in `{money: 10, days: 4}`.",
        "default": "unlimited",
        "anyOf": [*limit["anyOf"], per_resource],
    }


def _amounts(description: str, default: int) -> Schema:
    per_resource = {"type": "object", "additionalProperties": _ref("amount")}
    kinds = [_ref("amount"), per_resource, {"type": "null"}]
    return {"description": description, "default": default, "anyOf": kinds}


def _outcomes() -> Schema:
    probability = _number(
        "A number from 0 to 1 such as `0.3`, `1/3` or `30%`.",
        _AMOUNT,
        minimum=0,
        maximum=1,
    )
    rest = {
        "description": "What the others leave.",
        "type": "string",
        "pattern": _REST,
    }
    interval = {
        "description": "A probability and between what it lies, for robust plans: "
        "`0.6 [0.5, 0.7]`.",
        "type": "string",
        "pattern": rf"^({_SHARE}|{_REST[1:-1]}){_INTERVAL}\s*$",
    }
    parts = {
        "description": "The same, part by part.",
        "required": ["probability"],
        **_map(
            probability={"anyOf": [probability, rest]},
            low=probability,
            high=probability,
        ),
    }
    return {
        "description": "What may happen and how likely it is. Probabilities sum to 1; "
        "one may be `rest`, and any may have an interval.",
        "type": "object",
        "minProperties": 1,
        "additionalProperties": {"anyOf": [probability, rest, interval, parts]},
    }


def _distance() -> Schema:
    return _number(
        "How far the odds may lie from these, in total variation, for robust plans.",
        _AMOUNT,
        minimum=0,
        maximum=1,
    )


def _action() -> Schema:
    cost = "What each attempt takes from the budget: a number, or one per resource."
    attempts = [
        {"type": "integer", "minimum": 1},
        {"type": "string", "pattern": r"^\s*[+]?0*[1-9]\d*\s*$"},
        {"type": "string", "pattern": _UNLIMITED},
        {"type": "null"},
    ]
    return {
        "description": "Something we may do, whose outcome we cannot choose.",
        "required": ["outcomes"],
        **_map(
            cost=_amounts(cost, default=1),
            requires=_condition_about("What must hold before it can be taken."),
            precluded_by=_condition_about("What rules it out."),
            attempts={
                "description": "How often it can be taken, or `unlimited`.",
                "default": 1,
                "anyOf": attempts,
            },
            outcomes=_ref("outcomes"),
            distance=_or_nothing(_distance()),
            given=_list(
                "How what has happened changes its odds and its cost; the first "
                "clause that holds counts.",
                "clause",
            ),
        ),
    }


def _clause() -> Schema:
    return {
        "description": "While `when` holds, the action has other odds or another cost.",
        "required": ["when"],
        **_map(
            when=_ref("condition"),
            outcomes=_or_nothing(
                {
                    "description": "The probabilities that replace the action's own; "
                    "a label left out cannot happen.",
                    **_ref("outcomes"),
                }
            ),
            distance=_or_nothing(_distance()),
            cost=_amounts("The cost that replaces the action's own.", default=1),
        ),
    }


def _defense() -> Schema:
    share = {"type": "object", "additionalProperties": _ref("amount")}
    return {
        "description": "Something an opponent may do beforehand.",
        **_map(
            cost=_or_nothing(
                {"description": "What it costs.", "default": 1, **_ref("amount")}
            ),
            excludes=_names("The defenses that cannot be chosen with it."),
            forbids=_names("The actions that can no longer be taken."),
            raises=_by_action(
                "What is added to the cost of actions.",
                _amounts("A number, or one per resource.", default=0),
            ),
            changes=_by_action(
                "The odds that replace those of actions.", _ref("outcomes")
            ),
            scales=_by_action(
                "The share that is left of the probability of outcomes; the others "
                "take what is lost.",
                share,
            ),
        ),
    }


def _names(description: str) -> Schema:
    name = _text("A name.")
    kinds = [{"type": "array", "items": name}, name]
    return {"description": description, "anyOf": kinds}


def _by_action(description: str, schema: Schema) -> Schema:
    kinds = [{"type": "object", "additionalProperties": schema}, {"type": "null"}]
    return {"description": description, "anyOf": kinds}


def _reward() -> Schema:
    value = _number("What it is worth.", _NUMBER)
    return {
        "description": "Something worth reaching.",
        "required": ["when", "value"],
        **_map(when=_condition_about("What must hold at the end."), value=value),
    }


def _condition_about(description: str) -> Schema:
    return {"description": description, **_ref("condition")}


def _condition() -> Schema:
    several = {"type": "array", "items": _ref("condition")}
    return {
        "description": "Text such as `a1=ok and not (a2 or a3=fail)`, or "
        "`{all: [...]}`, `{any: [...]}`, `{not: ...}`.",
        "anyOf": [
            # An action may be called `1` or `yes`; nothing at all is left out.
            _text("`action=outcome`, or `action` for any outcome of it."),
            {"required": ["all"], **_map(all=several)},
            {"required": ["any"], **_map(any=several)},
            {"required": ["not"], **_map(**{"not": _ref("condition")})},
        ],
    }
