"""The generator of random documents, and their rewordings."""

import re
from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings

from oracles.oracle import (
    Oracle,
    fewest_nodes,
    least_depth,
    literal,
    num_reachable_states,
    number,
    value,
)
from problems.rewording import AWKWARD, quoted, text_of
from problems.strategies import (
    FEATURES,
    awkward_names,
    conditions_as_text,
    documents,
    random_document,
    seeded_documents,
)


@pytest.mark.parametrize("name", AWKWARD)
def test_a_quoted_literal_is_read_back(name):
    assert literal(quoted(name)) == [name]
    assert literal(f"{quoted(name)}={quoted(name)}") == [name, name]


class _Fixed(Random):
    """Random numbers that never add needless parentheses nor the paper's form."""

    def random(self):
        return 0.99


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        ({"any": ["a=1", {"all": ["b", "c=2"]}]}, "a=1 or b and c=2"),
        ({"all": ["a=1", {"any": ["b", "c=2"]}]}, "a=1 and (b or c=2)"),
        ({"not": {"any": ["a", "b"]}}, "not (a or b)"),
        ({"all": [{"not": "a"}, {"not": {"not": "b"}}]}, "not a and not not b"),
        ({"at_least": {"2": ["a", {"any": ["b", "c"]}]}}, "at least 2 of (a, b or c)"),
        ({"not": {"at_least": {"1": ["a"]}}}, "not at least 1 of (a)"),
        ({"not": {"all": ['"my a"="b\\"c"']}}, 'not "my a"="b\\"c"'),
    ],
)
def test_text_has_parentheses_where_precedence_needs_them(condition, text):
    assert text_of(condition, _Fixed()) == text


def _python_truth(text, happened):
    """Let Python read the text: its `not`, `and` and `or` bind as ours do."""
    text = text.replace("AND", "and").replace("OR", "or").replace("NOT", "not")
    text = re.sub("at least ([0-9]) of ", r"enough(\1)", text, flags=re.IGNORECASE)
    for action, outcome in ((a, o) for a in "abc" for o in "12"):
        truth = str((action, outcome) in happened)
        text = text.replace(f"({action},{outcome})", truth)
        text = text.replace(f"{action}={outcome}", truth)
    enough = {"enough": lambda count: lambda *parts: sum(parts) >= count}
    return eval(text, {"__builtins__": {}} | enough)


@pytest.mark.parametrize("seed", range(200))
def test_text_means_what_the_structure_means(seed):
    random = Random(seed)

    def draw(depth):
        kind = random.choice(["all", "any", "not", "at_least"]) if depth else None
        if kind is None:
            return f"{random.choice('abc')}={random.choice('12')}"
        if kind == "not":
            return {"not": draw(depth - 1)}
        if kind == "at_least":
            size = random.choice([2, 3])
            parts = [draw(depth - 1) for _ in range(size)]
            return {"at_least": {str(random.randint(1, size)): parts}}
        return {kind: [draw(depth - 1) for _ in range(random.choice([1, 2, 3]))]}

    condition = draw(3)
    actions = {name: {"outcomes": {"1": "1/2", "2": "1/2"}} for name in "abc"}
    oracle = Oracle({"budget": "unlimited", "actions": actions, "rewards": []})
    text = text_of(condition, random)
    for state in oracle.reachable():
        assert _python_truth(text, state.happened) == oracle.holds(condition, state)


def test_random_documents_are_the_same_for_the_same_seed():
    assert [*seeded_documents(3, 1, max_states=100)] == [
        *seeded_documents(3, 1, max_states=100)
    ]
    assert [*seeded_documents(3, 1, max_states=100)] != [
        *seeded_documents(3, 2, max_states=100)
    ]


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(documents(max_states=100))
def test_new_names_change_no_answer(document):
    renamed = awkward_names(document, Random(0))

    assert num_reachable_states(renamed) == num_reachable_states(document) <= 100
    assert value(renamed) == value(document)
    assert fewest_nodes(renamed) == fewest_nodes(document)
    assert conditions_as_text(renamed, Random(0))["budget"] == document["budget"]


def _conditions(document):
    """Every condition of the document and every part of it."""
    waiting = [reward["when"] for reward in document["rewards"]]
    for body in document["actions"].values():
        waiting += [body[key] for key in ("requires", "precluded_by") if key in body]
        waiting += [clause["when"] for clause in body.get("given", [])]
    while waiting:
        condition = waiting.pop()
        yield condition
        for inner in [] if isinstance(condition, str) else condition.values():
            is_counted = "at_least" in condition
            some = next(iter(inner.values())) if is_counted else inner
            waiting += some if isinstance(some, list) else [some]


def features(document):
    """Which parts of the format this document uses."""
    budget = document["budget"]
    actions = document["actions"].items()
    bodies = [body for _, body in actions]
    clauses = [clause for body in bodies for clause in body.get("given", [])]
    tables = [part["outcomes"] for part in bodies + clauses if "outcomes" in part]
    written = [part["cost"] for part in bodies + clauses if "cost" in part]
    costs = [
        number(c) for w in written for c in (w.values() if isinstance(w, dict) else [w])
    ]
    parts = [*_conditions(document)]
    compound = [part for part in parts if not isinstance(part, str)]
    negated = [part["not"] for part in compound if "not" in part]
    requires = {a: str(body.get("requires", "")) for a, body in actions}
    known = [[p for p in table.values() if p != "rest"] for table in tables]
    used = {
        "certain": any(number(p) == 1 for row in known for p in row),
        "impossible": any(number(p) == 0 for row in known for p in row)
        or any(
            len(c.get("outcomes", b["outcomes"])) < len(b["outcomes"])
            for b in bodies
            for c in b.get("given", [])
        ),
        "many_outcomes": any(len(table) > 2 for table in tables),
        "rest": any("rest" in table.values() for table in tables),
        "repeats": any("attempts" in body for body in bodies),
        "unlimited attempts": any(b.get("attempts") == "unlimited" for b in bodies),
        "given": bool(clauses),
        "given two clauses": any(len(b.get("given", [])) > 1 for b in bodies),
        "given cost": any("cost" in clause for clause in clauses),
        "given outcomes": any("outcomes" in clause for clause in clauses),
        "at_least": any("at_least" in part for part in compound),
        "negation": bool(negated),
        "nested negation": any(not isinstance(part, str) for part in negated),
        "bare": any(isinstance(part, str) and "=" not in part for part in parts),
        "empty condition": any(part in ({"all": []}, {"any": []}) for part in compound),
        "self_mention": any(
            f"{a}=" in str([b.get("precluded_by"), b.get("given")]) for a, b in actions
        ),
        "resources": isinstance(budget, dict),
        "several resources": isinstance(budget, dict) and len(budget) > 1,
        "unlimited budget": budget == "unlimited",
        "one unlimited resource": isinstance(budget, dict)
        and "unlimited" in budget.values(),
        "fractional_costs": any(cost.denominator > 1 for cost in costs),
        "zero_costs": 0 in costs,
        "sum": document.get("combine") == "sum",
        "negative reward": any(number(r["value"]) < 0 for r in document["rewards"]),
        "cost_weight": "cost_weight" in document,
        "preclusion": any("precluded_by" in body for body in bodies),
        "cycles": any(
            b in requires[a] and a in requires[b]
            for a in requires
            for b in requires
            if a != b
        ),
    }
    return {name for name, is_used in used.items() if is_used}


def test_random_documents_use_the_whole_format_and_are_worth_solving():
    sample = [*seeded_documents(150, "shares", max_states=200)]
    counts = Counter(name for document in sample for name in features(document))
    needs_plan = [value(d) > 0 and least_depth(d) > 1 for d in sample]

    assert set(counts) >= FEATURES
    assert sum(needs_plan) > len(sample) / 2


@pytest.mark.parametrize("feature", sorted(FEATURES))
def test_random_documents_can_leave_a_feature_out(feature):
    for seed in range(20):
        document = random_document(Random(seed), max_states=100, without={feature})
        assert feature not in features(document)
