"""The JSON Schema of problem files, for editors that check while one types."""

from __future__ import annotations

from branchwise.formats.schema_pieces import (
    AMOUNT,
    INTERVAL,
    NUMBER,
    REST,
    SHARE,
    UNLIMITED,
    Schema,
    amounts,
    by_action,
    limit_kinds,
    list_of,
    map_of,
    names,
    number,
    or_nothing,
    ref,
    text,
)

__all__ = ["problem_schema"]


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
        **map_of(
            name=text("A title for people."),
            budget=or_nothing(_limits()),
            actions=_actions(),
            rewards=list_of("What is worth reaching.", "reward"),
            combine={
                "description": "`max`: the best reward that holds counts. "
                "`sum`: all of them do.",
                "enum": ["max", "sum", None],
                "default": "max",
            },
            cost_weight=amounts(
                "What one unit spent takes away from the reward; or one weight per "
                "resource.",
                default=0,
            ),
            defense_budget=or_nothing(_limit_schema()),
            defenses=or_nothing(_defenses()),
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
        "amount": number("A number of at least 0.", AMOUNT, minimum=0),
    }


def _actions() -> Schema:
    return {
        "description": "What we may do, by name.",
        "type": "object",
        "minProperties": 1,
        "additionalProperties": ref("action"),
    }


def _defenses() -> Schema:
    return {
        "description": "What an opponent may do beforehand, by name; `branchwise "
        "defend` chooses among them.",
        "type": "object",
        "additionalProperties": ref("defense"),
    }


def _limit_schema() -> Schema:
    return {
        "description": "How much may be spent on defenses: a number, or `unlimited`.",
        "default": "unlimited",
        "anyOf": limit_kinds(),
    }


def _limits() -> Schema:
    limit = {"anyOf": limit_kinds()}
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


def _outcomes() -> Schema:
    probability = number(
        "A number from 0 to 1 such as `0.3`, `1/3` or `30%`.",
        AMOUNT,
        minimum=0,
        maximum=1,
    )
    rest = {
        "description": "What the others leave.",
        "type": "string",
        "pattern": REST,
    }
    interval = {
        "description": "A probability and between what it lies, for robust plans: "
        "`0.6 [0.5, 0.7]`.",
        "type": "string",
        "pattern": rf"^({SHARE}|{REST[1:-1]}){INTERVAL}\s*$",
    }
    parts = {
        "description": "The same, part by part.",
        "required": ["probability"],
        **map_of(
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
    return number(
        "How far the odds may lie from these, in total variation, for robust plans.",
        AMOUNT,
        minimum=0,
        maximum=1,
    )


def _action() -> Schema:
    cost = "What each attempt takes from the budget: a number, or one per resource."
    attempts = [
        {"type": "integer", "minimum": 1},
        {"type": "string", "pattern": r"^\s*[+]?0*[1-9]\d*\s*$"},
        {"type": "string", "pattern": UNLIMITED},
        {"type": "null"},
    ]
    return {
        "description": "Something we may do, whose outcome we cannot choose.",
        "required": ["outcomes"],
        **map_of(
            cost=amounts(cost, default=1),
            requires=_condition_about("What must hold before it can be taken."),
            precluded_by=_condition_about("What rules it out."),
            attempts={
                "description": "How often it can be taken, or `unlimited`.",
                "default": 1,
                "anyOf": attempts,
            },
            outcomes=ref("outcomes"),
            distance=or_nothing(_distance()),
            given=list_of(
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
        **map_of(
            when=ref("condition"),
            outcomes=or_nothing(
                {
                    "description": "The probabilities that replace the action's own; "
                    "a label left out cannot happen.",
                    **ref("outcomes"),
                }
            ),
            distance=or_nothing(_distance()),
            cost=amounts("The cost that replaces the action's own.", default=1),
        ),
    }


def _defense() -> Schema:
    share = {"type": "object", "additionalProperties": ref("amount")}
    return {
        "description": "Something an opponent may do beforehand.",
        **map_of(
            cost=or_nothing(
                {"description": "What it costs.", "default": 1, **ref("amount")}
            ),
            excludes=names("The defenses that cannot be chosen with it."),
            forbids=names("The actions that can no longer be taken."),
            raises=by_action(
                "What is added to the cost of actions.",
                amounts("A number, or one per resource.", default=0),
            ),
            changes=by_action(
                "The odds that replace those of actions.", ref("outcomes")
            ),
            scales=by_action(
                "The share that is left of the probability of outcomes; the others "
                "take what is lost.",
                share,
            ),
        ),
    }


def _reward() -> Schema:
    value = number("What it is worth.", NUMBER)
    return {
        "description": "Something worth reaching.",
        "required": ["when", "value"],
        **map_of(when=_condition_about("What must hold at the end."), value=value),
    }


def _condition_about(description: str) -> Schema:
    return {"description": description, **ref("condition")}


def _condition() -> Schema:
    several = {"type": "array", "items": ref("condition")}
    return {
        "description": "Text such as `a1=ok and not (a2 or a3=fail)`, or "
        "`{all: [...]}`, `{any: [...]}`, `{not: ...}`.",
        "anyOf": [
            # An action may be called `1` or `yes`; nothing at all is left out.
            text("`action=outcome`, or `action` for any outcome of it."),
            {"required": ["all"], **map_of(all=several)},
            {"required": ["any"], **map_of(any=several)},
            {"required": ["not"], **map_of(**{"not": ref("condition")})},
        ],
    }
