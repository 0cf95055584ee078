"""The JSON Schema of problem files, for editors that check while one types."""

from typing import Any, Final

Schema = dict[str, Any]

_DECIMAL: Final = r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?"
NUMBER: Final = rf"^\s*{_DECIMAL}\s*(/\s*{_DECIMAL}|%)?\s*$"
# Costs, budgets and probabilities have no minus sign.
AMOUNT: Final = NUMBER.replace("[+-]?(", "[+]?(")
UNLIMITED: Final = r"^\s*[Uu][Nn][Ll][Ii][Mm][Ii][Tt][Ee][Dd]\s*$"
# What may be computed has a name in it, or parentheses, or joins two numbers. Quotes
# have no backslash before them: editors read patterns as JavaScript, which refuses it.
_COMPUTED: Final = r"""(?=.*([A-Za-z_"'(]|[^\x00-\x7F]|[\d%)]\s*[-+*/]\s*[\d(]))"""
EXPRESSION: Final = rf"""^{_COMPUTED}\s*([-+("'\w]|\.\d|[^\x00-\x7F])[^\[\]{{}}=;]*$"""
_RANGED: Final = rf"^{_COMPUTED}[^\[\]{{}}=;]+\[[^\[\]{{}}=;]+,[^\[\]{{}}=;]+\]\s*$"
_REST: Final = r"^\s*[Rr][Ee][Ss][Tt]\s*$"


def map_schema(**properties: Schema) -> Schema:
    """Describe a map with these keys and no others."""
    return {"type": "object", "properties": properties, "additionalProperties": False}


def ref(name: str) -> Schema:
    """Refer to a definition of the schema."""
    return {"$ref": f"#/$defs/{name}"}


def problem_schema() -> Schema:
    """
    Return the JSON Schema (draft 2020-12) of a problem file.

    It tells a document's shape; what names refer to, and whether probabilities sum
    to one, is for `branchwise check` to say.

    >>> problem_schema()["required"]
    ['actions']
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:branchwise:problem",
        "title": "A branchwise problem",
        "description": "Actions, what may come of them, and what is worth reaching.",
        "required": ["actions"],
        **map_schema(
            name=_text("A title for people."),
            parameters=_or_nothing(
                _by_name(
                    "Named numbers, which any other number may be computed from: "
                    "`visit: 120`, then `cost: visit / 60`.",
                    ref("measured_number"),
                )
            ),
            budget=_or_nothing(_limits()),
            hidden=_or_nothing(
                _by_name(
                    "Facts that are settled from the start and never seen directly; "
                    "each may depend on those above it.",
                    ref("hidden"),
                )
            ),
            counters=_or_nothing(
                _by_name("Whole numbers that outcomes change.", ref("counter"))
            ),
            actions=_by_name("What we may do, by name.", ref("action"), least=1),
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
            **_purpose(),
            defense_budget=_or_nothing(
                _limit("How much may be spent on defenses: a number, or `unlimited`.")
            ),
            defenses=_or_nothing(
                _by_name(
                    "What an opponent may do beforehand, by name; `branchwise "
                    "defend` chooses among them.",
                    ref("defense"),
                )
            ),
        ),
        "$defs": _definitions(),
    }


def _purpose() -> dict[str, Schema]:
    where = "Where a plan may stop; elsewhere only where nothing can be done."
    unfinished = "With `least-cost`: what ending unfinished counts, besides what "
    unfinished += "was spent."
    return {
        "finish": _about(where, "condition"),
        "objective": {
            "description": "`most-reward`, or `least-cost`: make the expected cost "
            "least, which needs `finish`.",
            "enum": ["most-reward", "least-cost", None],
            "default": "most-reward",
        },
        "unfinished": _or_nothing(_number(unfinished, AMOUNT, minimum=0)),
    }


def _definitions() -> Schema:
    number = _number("A number.", NUMBER)
    return {
        "action": _action(),
        "clause": _clause(),
        "condition": _condition(),
        "defense": _defense(),
        "counter": _counter(),
        "hidden": _hidden(),
        "effects": _by_name("By how much counters change.", _whole("A change.")),
        "outcomes": _by_name(
            "What may happen and how likely it is. Probabilities sum to 1; "
            "one may be `rest`, and any may have an interval.",
            _outcome(),
            least=1,
        ),
        "probabilities": _by_name(
            "How likely what may happen is. Probabilities sum to 1; one may be "
            "`rest`, and any may have an interval.",
            _probability(),
            least=1,
        ),
        "reward": _reward(),
        "amount": _number("A number of at least 0.", AMOUNT, minimum=0),
        "measured_amount": _measured(ref("amount"), AMOUNT),
        "measured_number": _measured(number, NUMBER),
    }


def _reward() -> Schema:
    return {
        "description": "Something worth reaching.",
        "anyOf": [{"required": ["when", "value"]}, {"required": ["per", "value"]}],
        **map_schema(
            when=_about("What must hold at the end.", "condition"),
            per=_text("A counter: the value is paid for each of it."),
            value=_about("What it is worth.", "measured_number"),
        ),
    }


def _hidden() -> Schema:
    clause = {
        "description": "While `when` holds of facts above, other probabilities count.",
        "required": ["when", "outcomes"],
        **map_schema(when=ref("condition"), outcomes=ref("probabilities")),
    }
    given = {
        "description": "How facts above it change that; the first that holds counts.",
        "type": ["array", "null"],
        "items": clause,
    }
    long = {
        "required": ["outcomes"],
        **map_schema(outcomes=ref("probabilities"), given=given),
    }
    return {
        "description": "What a hidden fact may be, and how likely.",
        "anyOf": [ref("probabilities"), long],
    }


def _counter() -> Schema:
    ends = "The least and the most it can be: `0..3`. What would leave the range stays "
    ends += "at its end."
    start = "Where it begins: at 0, or at the nearest end of the range."
    return {
        "description": "A whole number that changes: `{start: 3, range: 0..3}`.",
        "required": ["range"],
        **map_schema(
            start=_or_nothing(_whole(start)),
            range={
                "description": ends,
                "type": "string",
                "pattern": r"^\s*\S.*?\.\..*\S\s*$",
            },
        ),
    }


def _whole(description: str) -> Schema:
    kinds = [
        {"type": "integer"},
        {"type": "string", "pattern": r"^\s*[+-]?\d+\s*$"},
        {"type": "string", "pattern": EXPRESSION},
    ]
    return {"description": description, "anyOf": kinds}


def _outcome() -> Schema:
    """Describe an outcome: its probability, or that and what follows from it."""
    probability = _probability()
    *kinds, parts = probability["anyOf"]
    cost = "What has to be paid when it happens, besides what the action costs."
    ends = "Nothing can be done afterwards: rewards are paid as they stand (`keep`), "
    ends += "or none is (`lose`)."
    more = {
        "effects": _about("By how much it changes counters.", "effects"),
        "cost": _amounts(cost, default=0),
        "ends": {"description": ends, "enum": ["keep", "lose", None]},
    }
    either = {"anyOf": kinds}
    properties = {**parts["properties"], "probability": either, **more}
    long = {**parts, "description": "The same, and what follows from it."}
    return {"anyOf": [*kinds, {**long, "properties": properties}]}


def _action() -> Schema:
    cost = "What each attempt takes from the budget: a number, or one per resource."
    attempts = [
        {"type": "integer", "minimum": 1},
        {"type": "string", "pattern": r"^\s*[+]?0*[1-9]\d*\s*$"},
        {"type": "string", "pattern": EXPRESSION},
        {"type": "string", "pattern": UNLIMITED},
        {"type": "null"},
    ]
    return {
        "description": "Something we may do, whose outcome we cannot choose.",
        "required": ["outcomes"],
        **map_schema(
            cost=_amounts(cost, default=1),
            requires=_about("What must hold before it can be taken.", "condition"),
            precluded_by=_about("What rules it out.", "condition"),
            attempts={
                "description": "How often it can be taken, or `unlimited`.",
                "default": 1,
                "anyOf": attempts,
            },
            effects=_or_nothing(
                _about("By how much an attempt changes counters.", "effects")
            ),
            outcomes=ref("outcomes"),
            **_knowledge(),
            given=_list(
                "How what has happened changes probabilities and cost; the first "
                "clause that holds counts.",
                "clause",
            ),
        ),
    }


def _clause() -> Schema:
    outcomes = "The probabilities that replace the action's own; "
    outcomes += "a label left out cannot happen."
    return {
        "description": "While `when` holds, other probabilities or another cost count.",
        "required": ["when"],
        **map_schema(
            when=ref("condition"),
            outcomes=_or_nothing(_about(outcomes, "probabilities")),
            **_knowledge(),
            cost=_amounts("The cost that replaces the action's own.", default=1),
        ),
    }


def _defense() -> Schema:
    cost = {"description": "What it costs.", "default": 1, **ref("amount")}
    more = _amounts("A number, or one per resource.", 0, item="amount")
    share = {"type": "object", "additionalProperties": ref("amount")}
    scales = "The share that is left of the probability of outcomes; the others "
    scales += "take what is lost."
    return {
        "description": "Something an opponent may do beforehand.",
        **map_schema(
            cost=_or_nothing(cost),
            excludes=_names("The defenses that cannot be chosen with it."),
            forbids=_names("The actions that can no longer be taken."),
            raises=_by_action("What is added to the cost of actions.", more),
            changes=_by_action(
                "The probabilities that replace those of actions.", ref("probabilities")
            ),
            scales=_by_action(scales, share),
        ),
    }


def _condition() -> Schema:
    several = {"type": "array", "items": ref("condition")}
    some = {
        "description": "How many of which conditions have to hold.",
        "type": "object",
        "minProperties": 1,
        "maxProperties": 1,
        "patternProperties": {"^[0-9]{1,9}$": several},
        "additionalProperties": False,
    }
    return {
        "description": "Text such as `a1=ok and not (a2 or a3=fail)`, or "
        "`{all: [...]}`, `{any: [...]}`, `{at_least: {2: [...]}}`, `{not: ...}`.",
        "anyOf": [
            # An action may be called `1` or `yes`; nothing at all is left out.
            _text(
                "`action=outcome`, or `action` for any outcome of it; `doses >= 1`, "
                "`count(action=outcome) < 3` and `left(days) >= 2` compare."
            ),
            {"required": ["all"], **map_schema(all=several)},
            {"required": ["any"], **map_schema(any=several)},
            {"required": ["at_least"], **map_schema(at_least=some)},
            {"required": ["not"], **map_schema(**{"not": ref("condition")})},
        ],
    }


def _limits() -> Schema:
    text = "How much may be spent: a number, `unlimited`, or one of these "
    schema = _limit(f"{text}per resource, as in `{{money: 10, days: 4}}`.")
    limit = {"anyOf": schema["anyOf"]}
    per_resource = {"type": "object", "minProperties": 1, "additionalProperties": limit}
    return {**schema, "anyOf": [*schema["anyOf"], per_resource]}


def _limit(description: str) -> Schema:
    kinds = [ref("amount"), {"type": "string", "pattern": UNLIMITED}]
    return {"description": description, "default": "unlimited", "anyOf": kinds}


def _amounts(description: str, default: int, item: str = "measured_amount") -> Schema:
    # `{value: 70, low: 60}` is a number with its interval, not two resources.
    per_resource = {"type": "object", "additionalProperties": ref(item)}
    kinds = [ref(item), per_resource, {"type": "null"}]
    return {"description": description, "default": default, "anyOf": kinds}


def _knowledge() -> dict[str, Schema]:
    distance = "How far the probabilities may be off, in total variation, "
    distance += "for robust plans."
    size = "How many trials the probabilities rest on, for drawing them by chance."
    within = _number(distance, AMOUNT, minimum=0, maximum=1)
    trials = _number(size, AMOUNT, exclusiveMinimum=0)
    return {"distance": _or_nothing(within), "sample_size": _or_nothing(trials)}


def _probability() -> Schema:
    text = "A number from 0 to 1 such as `0.3`, `1/3` or `30%`."
    probability = _number(text, AMOUNT, minimum=0, maximum=1)
    rest = {"description": "What the others leave.", "type": "string", "pattern": _REST}
    either = {"anyOf": [probability, rest]}
    interval = _interval(AMOUNT, f"({_bare(AMOUNT)}|{_bare(_REST)})")
    parts = _parts("probability", either, probability)
    return {"anyOf": [probability, rest, interval, parts]}


def _measured(number: Schema, pattern: str) -> Schema:
    interval = _interval(pattern, _bare(pattern))
    parts = _parts("value", number, number)
    return {
        "description": "A number, and maybe between what it lies: `70 [60, 90]`.",
        "anyOf": [number, interval, parts],
    }


def _interval(pattern: str, number: str) -> Schema:
    end = _bare(pattern)
    return {
        "description": "A number and between what it lies: `0.6 [0.5, 0.7]`.",
        "type": "string",
        "anyOf": [
            {"pattern": rf"^{number}\[{end},{end}\]\s*$"},
            {"pattern": _RANGED},
        ],
    }


def _parts(key: str, number: Schema, end: Schema) -> Schema:
    properties = map_schema(**{key: number}, low=end, high=end)
    return {"description": "The same, part by part.", "required": [key], **properties}


def _bare(pattern: str) -> str:
    return pattern.removeprefix("^").removesuffix("$")


def _number(description: str, pattern: str, **limits: float) -> Schema:
    """Describe a number, which may be a text such as `1/3`."""
    kinds = [
        {"type": "number", **limits},
        {"type": "string", "pattern": pattern},
        {"type": "string", "pattern": EXPRESSION},
    ]
    return {"description": description, "anyOf": kinds}


def _about(description: str, name: str) -> Schema:
    return {"description": description, **ref(name)}


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


def _list(description: str, item: str) -> Schema:
    return {"description": description, "type": ["array", "null"], "items": ref(item)}


def _names(description: str) -> Schema:
    name = _text("A name.")
    kinds = [{"type": "array", "items": name}, name]
    return {"description": description, "anyOf": kinds}


def _by_name(description: str, schema: Schema, least: int = 0) -> Schema:
    limits = {"minProperties": least} if least else {}
    kind = {"description": description, "type": "object", **limits}
    return {**kind, "additionalProperties": schema}


def _by_action(description: str, schema: Schema) -> Schema:
    kinds = [{"type": "object", "additionalProperties": schema}, {"type": "null"}]
    return {"description": description, "anyOf": kinds}
