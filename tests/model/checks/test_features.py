"""Warnings where states hold more than outcomes: checked against every state."""

from collections import Counter as Tally

import pytest

from branchwise import read_text, validate
from branchwise.model.checks.features.running_out import runs_out
from branchwise.model.checks.reachability import Reachability
from branchwise.model.checks.uses import used_actions
from branchwise.model.conditions.facts import Facts
from oracles.oracle import value
from problems.straight_problem import straight_problem
from problems.wide_documents import wide_oracles


def facts_of(problem, state):
    """All that conditions may ask about at a state of the brute force."""
    counts = {}
    for (action, outcome), times in Tally(state.happened).items():
        counts.setdefault(action, {})[outcome] = times
    counters = [counter.name for counter in problem.counters]
    return Facts(
        counts,
        counters=dict(zip(counters, state.counters, strict=True)),
        left=dict(zip(problem.budget, state.left, strict=True)),
    )


@pytest.mark.parametrize("seed", range(3))
def test_what_is_called_impossible_never_happens_where_states_hold_more(seed):
    for oracle in wide_oracles(100, f"impossible {seed}"):
        problem = straight_problem(oracle.doc)
        issues = validate(problem)
        assert all(issue.severity == "warning" for issue in issues), oracle.doc
        states = oracle.reachable()
        happened = {pair for state in states for pair in state.happened}
        reachability = Reachability(problem)
        for action in problem.actions:
            for label in action.labels:
                if label not in reachability.outcomes[action.name]:
                    assert (action.name, label) not in happened, oracle.doc
        taken = {action for action, _ in happened}
        for issue in issues:
            if "can never be taken" in issue.what and issue.path[0] == "actions":
                assert issue.path[1] not in taken, (issue, oracle.doc)


@pytest.mark.parametrize("seed", range(3))
def test_comparisons_that_never_or_always_hold_do_so_in_every_state(seed):
    found = 0
    for oracle in wide_oracles(100, f"compared {seed}"):
        problem = straight_problem(oracle.doc)
        facts = [facts_of(problem, state) for state in oracle.reachable()]
        compared = {
            str(each): each
            for condition in problem.conditions()
            for each in condition.comparisons()
        }
        for issue in validate(problem):
            for truth, word in (
                (False, "` can never hold: "),
                (True, "` always holds: "),
            ):
                text = issue.what.partition(word)[0].removeprefix("`")
                if word in issue.what and text in compared:
                    found += 1
                    assert all(compared[text].holds(f) == truth for f in facts), issue
    assert found


def test_an_action_that_is_called_unused_changes_no_value():
    """The best plan is worth the same without it, by brute force."""
    found = 0
    for oracle in wide_oracles(150, "unused", cost=False):
        problem = straight_problem(oracle.doc)
        if problem.finish is not None:
            continue  # There, an action may also be in the way of stopping.
        for name in {a.name for a in problem.actions} - used_actions(problem):
            without = {k: v for k, v in oracle.doc["actions"].items() if k != name}
            doc = {**oracle.doc, "actions": without}
            if without:
                found += 1
                assert value(doc) == value(oracle.doc), (name, oracle.doc)
    assert found


BOUNDED = """\
counters: {{fuel: {{start: 3, range: 0..3}}, heat: {{range: 0..5}}}}
actions:
  go:
    attempts: unlimited
    {requires}
    effects: {effects}
    outcomes: {{ok: 0.5, bad: {{probability: 0.5, effects: {{heat: 1}}}}}}
  other: {{effects: {other}, outcomes: {{done: 1}}}}
rewards: [{{when: go=ok and other and fuel < 3 and heat < 5, value: 1}}]
"""


@pytest.mark.parametrize(
    ("requires", "effects", "other", "ends"),
    [
        ("requires: fuel >= 1", "{fuel: -1}", "{heat: 1}", True),
        ("requires: fuel > 0 and heat < 5", "{fuel: -2}", "{fuel: -1}", True),
        ("precluded_by: fuel < 1", "{fuel: -1}", "{heat: 1}", True),
        ("requires: fuel == 3", "{fuel: -1}", "{heat: 1}", True),
        ("requires: heat < 5", "{heat: 1}", "{heat: 1}", True),
        ("requires: fuel >= 1", "{fuel: -1}", "{fuel: 1}", False),  # refilled
        ("requires: fuel >= 0", "{fuel: -1}", "{heat: 1}", False),  # stays at 0
        ("requires: fuel >= 1 or heat < 2", "{fuel: -1}", "{heat: 1}", False),
        ("requires: heat < 5", "{fuel: -1}", "{heat: 1}", False),  # only if it is bad
        ("requires: heat < 5", "{heat: -1}", "{heat: 1}", False),
    ],
)
def test_attempts_without_end_are_ended_by_a_counter_that_goes_one_way(
    requires, effects, other, ends
):
    text = BOUNDED.format(requires=requires, effects=effects, other=other)
    if not ends:
        with pytest.raises(Exception, match="it could be taken for ever"):
            read_text(text)
    else:
        problem = read_text(text)
        assert runs_out(problem.action("go"), problem)
