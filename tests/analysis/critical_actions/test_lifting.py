"""
Lifting one fact of a condition, against the oracle.

What the oracle is given is not an edited condition but what lifting means: a fact, each
time it is named, may count as true or as false, whichever lets the action be taken. So
all ways are tried in which its mentions may count.
"""

import itertools
import json

import pytest

from branchwise import Action, Problem, Reward, read_text, solve
from branchwise.analysis import AnalysisOptions, WhatIfs, criticality
from branchwise.analysis.critical_actions.criticality import criticality_section
from branchwise.analysis.critical_actions.lifting import lift_gains, lifts
from oracles.oracle import Oracle, literal
from problems.strategies import seeded_documents


class Lifted(Oracle):
    """The oracle for a document in which one fact of one condition is lifted."""

    def __init__(self, document, action, kind, fact):
        self.target = document["actions"][action][kind]
        self.wanted = kind == "requires"
        self.fact = literal(fact)
        super().__init__(document)

    def test(self, condition):
        if condition is not self.target:
            return super().test(condition)
        number = sum(literal(each) == self.fact for each in literals(condition))
        ways = list(itertools.product([False, True], repeat=number))

        def holds(state, _):
            found = [self.counting(condition, state, iter(way)) for way in ways]
            return self.wanted if self.wanted in found else not self.wanted

        return holds

    def counting(self, condition, state, way):
        """Whether a condition holds if mentions of the fact count as this says."""
        if isinstance(condition, str):
            is_fact = literal(condition) == self.fact
            return next(way) if is_fact else self.holds(condition, state)
        [(kind, inner)] = condition.items()
        if kind == "not":
            return not self.counting(inner, state, way)
        count, inner = counted_parts(kind, inner)
        # All parts are asked, so that every mention takes its own turn.
        parts = [self.counting(part, state, way) for part in inner]
        if count is not None:
            return sum(parts) >= count
        return all(parts) if kind == "all" else any(parts)


def counted_parts(kind, inner):
    """How many of them have to hold, if that is said, and the parts."""
    if kind != "at_least":
        return None, inner
    [(count, parts)] = inner.items()
    return int(count), parts


def literals(condition):
    if isinstance(condition, str):
        return [condition]
    [(kind, inner)] = condition.items()
    parts = [inner] if kind == "not" else counted_parts(kind, inner)[1]
    return [each for part in parts for each in literals(part)]


def has_negation(condition):
    return "not" in json.dumps(condition)


@pytest.mark.parametrize("portion", range(3))
def test_lifting_a_fact_gains_what_brute_force_says(portion):
    tried = negated = gained = 0
    for document in seeded_documents(25, f"one fact {portion}", max_states=120):
        oracle = Oracle(document)
        now = oracle.value(oracle.root)
        problem = read_text(json.dumps(document), format="json")
        found = criticality(problem, num_threads=1)
        for each in found.conditions:
            if each.is_whole:
                continue
            # A fact that must not hold is named as such; either way it is lifted.
            fact = each.condition.removeprefix("not ")
            lifted = Lifted(document, each.action, each.kind, fact)
            gain = float(lifted.value(lifted.root) - now)
            assert each.gain == pytest.approx(gain, rel=1e-9, abs=1e-9), (
                document["name"],
                each,
            )
            tried += 1
            negated += has_negation(lifted.target)
            gained += gain > 0
    assert tried >= 10
    assert negated
    assert gained


@pytest.mark.parametrize(
    ("requires", "fact", "gain"),
    [
        # What must not hold counts as not holding: then one may drill at once.
        ("a=ok and not (b=ok or not c=ok)", "c", 0),
        ("a=ok and not (b=ok or not c=ok)", "c=ok", 8),
        ("not (a=ok and (b or not b=ok)) and c=ok", "b=ok", 0),
        ("not not a=ok and c=ok", "a=ok", 8),
    ],
)
def test_nested_negations_are_lifted_by_what_they_come_to(requires, fact, gain):
    """
    With a budget of two there is room for one certain action before drilling for 8.

    Of `a=ok and c=ok` one must be lifted. What cannot be found among the facts is not
    lifted at all, and gains nothing; nor does what never was in the way.
    """
    a, b, c = (Action(name, outcomes={"ok": 1}) for name in "abc")
    drill = Action("drill", outcomes={"oil": 1}, requires=requires)
    problem = Problem([a, b, c, drill], [Reward(drill["oil"], 8)], budget=2)

    found = [e for e in criticality(problem).conditions if e.condition == fact]

    assert sum(each.gain for each in found) == gain


def problems(number, seed):
    for document in seeded_documents(number, seed, max_states=300):
        yield read_text(json.dumps(document), format="json")


def fresh_gains(problem, found):
    base = float(solve(problem).expected_reward)
    return [float(solve(each.problem).expected_reward) - base for each in found]


def test_without_a_limit_gains_are_those_of_fresh_solves():
    for problem in problems(25, "lifted"):
        found = list(lifts(problem))

        gains = lift_gains(WhatIfs(problem), found, {}, None)

        assert [each.lower for each in gains] == pytest.approx(
            fresh_gains(problem, found), abs=1e-9
        )
        assert all(each.lower == each.upper for each in gains)


@pytest.mark.parametrize("most_states", [1, 8, 40])
def test_with_few_states_gains_lie_between_the_bounds(most_states):
    for problem in problems(15, "lifted a little"):
        found = list(lifts(problem))

        gains = lift_gains(WhatIfs(problem), found, {}, most_states)

        for gain, exact in zip(gains, fresh_gains(problem, found), strict=True):
            assert gain.lower - 1e-9 <= exact <= gain.upper + 1e-9


def test_bounds_do_not_depend_on_the_number_of_threads():
    options = AnalysisOptions(most_states=60)
    for problem in problems(10, "lifted by two"):
        one, two = (
            criticality_section(WhatIfs(problem, num_threads=n), options)
            for n in (1, 2)
        )

        assert one == two
