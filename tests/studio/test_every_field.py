"""Whatever the format can say is said on the page without a line of YAML."""

import re

import yaml

from branchwise.formats.problem_schema import problem_schema
from branchwise.formats.read import read
from studio.hands import (
    hide_plan,
    open_card,
    pick,
    press,
    serious,
    set_text,
    unfold,
    worth,
)

ENDS = ("low", "high")


def places(schema, root, path=()):
    """Return every key that a document may have: `*` is a name, `-` a list."""
    found = set()
    if path and (schema.get("$ref") == "#/$defs/condition"):
        return found  # It is text or a map; the page has groups for either.
    for each in alternatives(schema, root):
        if "properties" in each:
            for key, inside in each["properties"].items():
                found |= {(*path, key)} | places(inside, root, (*path, key))
        if isinstance(each.get("additionalProperties"), dict):
            found |= places(each["additionalProperties"], root, (*path, "*"))
        if "items" in each:
            found |= places(each["items"], root, (*path, "-"))
    return found


def alternatives(schema, root):
    yield schema
    if "$ref" in schema:
        yield from alternatives(root["$defs"][schema["$ref"].split("/")[-1]], root)
    for each in schema.get("anyOf", ()):
        yield from alternatives(each, root)


def said(data, schema, root, path=()):
    """Return the keys that a document has."""
    found = set()
    kinds = [*alternatives(schema, root)]
    named = {k: v for each in kinds for k, v in each.get("properties", {}).items()}
    if isinstance(data, dict) and schema.get("$ref") != "#/$defs/condition":
        others = [each["additionalProperties"] for each in kinds if isinstance(
            each.get("additionalProperties"), dict
        )]  # fmt: skip
        for key, value in data.items():
            step, inside = (key, named[key]) if key in named else ("*", others[0])
            found |= {(*path, step)} | said(value, inside, root, (*path, step))
    if isinstance(data, list):
        items = next(each["items"] for each in kinds if "items" in each)
        for value in data:
            found |= said(value, items, root, (*path, "-"))
    if isinstance(data, str) and re.search(r"\[.*,.*\]\s*$", data):
        # `0.6 [0.5, 0.7]` says number, low and high.
        number = "probability" if "probability" in named else "value"
        whole = path if number in named else path[:-1]
        found |= {(*whole, key) for key in (number, *ENDS)}
    return found


def together(paths):
    """A number for each resource and one for all are one thing; names are no keys."""
    parts = ("value", "probability", *ENDS)
    return {
        (*path[:-2], path[-1]) if path[-2:-1] == ("*",) and path[-1] in parts else path
        for path in paths
        if path[-1] != "*"
    }


def between(page, label, low, high):
    press(page, f"{label}: between what it lies")
    ends(page, label, low, high)


def ends(page, label, low, high):
    set_text(page, f"{label}: at least", low)
    set_text(page, f"{label}: at most", high)


def build_whole(page):
    set_text(page, "Name of the problem", "Every field")
    press(page, "Name one more resource")
    press(page, "Name one more resource")
    set_text(page, "Name of resource resource 1", "days")
    set_text(page, "Budget of money", "20")
    set_text(page, "Budget of days", "9")
    pick(page, "How rewards combine", "all are added up")
    press(page, "+ parameter")
    set_text(page, "Name of parameter p1", "rate")
    between(page, "Value of parameter rate", "0.4", "0.6")
    press(page, "+ counter")
    set_text(page, "Name of counter counter1", "doses")
    set_text(page, "Range of doses", "0..4")
    set_text(page, "Start of doses", "3")


def build_facts(page):
    press(page, "+ hidden fact")
    open_card(page, "fact1")
    set_text(page, "Name of hidden fact fact1", "rain")
    unfold(page, "More of rain=yes")
    ends(page, "Probability of rain=yes", "0.4", "0.6")
    press(page, "+ hidden fact")
    open_card(page, "fact1")
    set_text(page, "Name of hidden fact fact1", "flood")
    press(page, "let it depend on facts above")
    unfold(page, "More of flood=yes")
    ends(page, "Probability of flood=yes", "0.4", "0.6")
    press(page, "Add a clause of flood")
    unfold(page, "More of flood in clause 1=yes")
    ends(page, "Probability of flood in clause 1=yes", "0.4", "0.6")


def build_actions(page):
    press(page, "+ action")
    press(page, "+ action")
    open_card(page, "a2")
    open_card(page, "a1")
    set_text(page, "Cost of a1: money", "rate")
    between(page, "Cost of a1: money", "0", "2")
    set_text(page, "Attempts of a1", "2")
    press(page, "Unlimited attempts of a2")
    set_text(page, "Attempts of a2", "3")
    for what in ("needs of a2", "is ruled out by of a2"):
        press(page, f"Add {what}")
    pick(page, "is ruled out by of a2: outcome", "fail")
    pick(page, "needs of a2: outcome", "ok")
    press(page, "Add an effect of a1")
    set_text(page, "By how much a1 changes doses", "-1")
    unfold(page, "More of a1=ok")
    ends(page, "Probability of a1=ok", "0.4", "0.7")
    set_text(page, "Cost of outcome a1=ok: days", "1 [0, 2]")
    press(page, "Add an effect of a1=ok")
    unfold(page, "More of a2=fail")
    pick(page, "What ends with outcome a2=fail", "everything; rewards are lost")
    press(page, "Add a clause of a2")
    pick(page, "Clause 1 of a2: what", "a1")
    unfold(page, "More of a2 in clause 1=ok")
    ends(page, "Probability of a2 in clause 1=ok", "0.4", "0.7")
    set_text(page, "Cost of a2 in clause 1: money", "2 [1, 3]")
    unfold(page, "How sure these probabilities are")
    set_text(page, "Distance of a2 in clause 1", "0.1")
    set_text(page, "Sample size of a2 in clause 1", "20")
    unfold(page, "How sure the probabilities are", 0)
    set_text(page, "Distance of a1", "0.1")
    set_text(page, "Sample size of a1", "30")


def build_rewards(page):
    press(page, "+ reward")
    set_text(page, "Value of reward 1", "10")
    between(page, "Value of reward 1", "8", "12")
    pick(page, "Reward 1: when: what", "a2")
    press(page, "+ reward")
    pick(page, "What reward 2 is paid for", "for each of doses")
    set_text(page, "Value of reward 2", "-1")
    unfold(page, "What counts")
    set_text(page, "Cost weight: money", "0.5 [0, 1]")


def build_defenses(page):
    press(page, "+ defense")
    press(page, "+ defense")
    set_text(page, "Budget of the defender", "2")
    open_card(page, "defense1")
    open_card(page, "defense2")
    set_text(page, "Cost of defense defense1", "2")
    press(page, "defense1: not with: one more")
    pick(page, "defense2: raises another action", "a1")
    set_text(page, "What defense2 adds to the cost of a1: money", "2")
    pick(page, "defense2: changes another action", "a1")
    ends_of = "Probability of a1 under defense2=ok"
    unfold(page, "More of a1 under defense2=ok")
    ends(page, ends_of, "0.3", "0.6")
    pick(page, "defense2: scales another action", "a2")
    set_text(page, "What defense2 leaves of a2=fail", "0.4")


def test_every_field_of_the_format_can_be_reached_without_yaml(opened):
    page = opened()
    hide_plan(page)
    page.get_by_role("button", name="Blank", exact=True).first.click()
    page.get_by_text("There is no plan yet").wait_for()
    for build in (
        build_whole,
        build_facts,
        build_actions,
        build_rewards,
        build_defenses,
    ):
        build(page)
    page.locator("h1").click()
    page.get_by_role("button", name="Undo a share (Ctrl-Z)").wait_for()
    schema = problem_schema()
    found = said(yaml.safe_load(page.asked.document()["text"]), schema, schema)
    worth(page, "")
    assert serious(page) == []
    page.keyboard.press("Control+s")
    page.get_by_text("saved in problem.yaml").wait_for()
    assert read(page.path).name == "Every field"

    # Least cost goes without rewards: what it needs is reached, too.
    pick(page, "What the plan is to make the most of", "the least cost of finishing")
    press(page, "Add Must finish")
    set_text(page, "What being unfinished counts", "50")
    page.get_by_role(
        "button", name="Undo what being unfinished counts (Ctrl-Z)"
    ).wait_for()
    found |= said(yaml.safe_load(page.asked.document()["text"]), schema, schema)

    assert together(places(schema, schema)) - together(found) == set()
    assert page.complaints == []
