import pytest

from branchwise.assistant.arguments import (
    Argument,
    ArgumentsError,
    checked_arguments,
    schema_of,
)

SECTION = {"type": "string", "enum": ["risk", "tornado"]}
KNOWN = [
    Argument("action", {"type": "string"}, is_required=True),
    Argument("gap", {"type": "number", "minimum": 0, "maximum": 1}, usual=0),
    Argument("runs", {"type": "integer", "minimum": 2}, usual=100),
    Argument("exact", {"type": "boolean"}, usual=False),
    Argument(
        "only",
        {"type": "array", "items": {"type": "string", "enum": ["risk", "tornado"]}},
    ),
    Argument(
        "budget",
        {
            "type": ["string", "number", "object"],
            "additionalProperties": {"type": ["string", "number"]},
        },
    ),
]


@pytest.mark.parametrize(
    ("given", "what", "fix"),
    [
        ({"action": 3}, "`action`: `3` is not a text", "give a text"),
        ({"gap": "much"}, "`gap`: `much` is not a number", "give a number"),
        ({"gap": 1.5}, "`gap`: `1.5` is too much", "give 1 or less"),
        (
            {"gap": "y" * 100},
            f"`gap`: `{'y' * 57}...` is not a number",
            "give a number",
        ),
        ({"runs": 1}, "`runs`: `1` is too little", "give 2 or more"),
        ({"runs": True}, "`runs`: `true` is not a whole number", "give a whole number"),
        ({"exact": 1}, "`exact`: `1` is not true or false", "give true or false"),
        (
            {"only": ["rsik"]},
            "`only`: there is no `rsik`; did you mean `risk`?",
            "give one of risk, tornado",
        ),
        (
            {"budget": {"money": []}},
            "`budget.money`: `[]` is not a text or a number",
            "give a text or a number",
        ),
        (
            {"gpa": 0},
            "`gpa`: this tool has no such argument; did you mean `gap`?",
            "give only action, gap, runs, exact, only, budget",
        ),
        (
            {"action": None},
            "`action`: it is missing, and this tool cannot do without",
            "give a text",
        ),
    ],
)
def test_what_is_wrong_names_the_argument_and_what_to_give(given, what, fix):
    with pytest.raises(ArgumentsError) as caught:
        checked_arguments(KNOWN, {"action": "drill", **given})

    assert str(caught.value) == f"argument {what}\n    fix: {fix}"


def test_what_is_not_given_is_as_usual_and_null_is_not_given():
    found = checked_arguments(KNOWN, {"action": "drill", "gap": None, "budget": 3})

    assert found == {
        "action": "drill", "gap": 0, "runs": 100, "exact": False, "only": None,
        "budget": 3,
    }  # fmt: skip


def test_everything_wrong_is_reported_at_once():
    with pytest.raises(ArgumentsError) as caught:
        checked_arguments(KNOWN, {"gap": -1, "runs": 0, "on": []})

    assert len(caught.value.issues) == 4


def test_the_schema_says_what_is_required_and_usual():
    schema = schema_of(KNOWN)

    assert schema["required"] == ["action"]
    assert schema["properties"]["runs"] == {
        "type": "integer", "minimum": 2, "default": 100,
    }  # fmt: skip
