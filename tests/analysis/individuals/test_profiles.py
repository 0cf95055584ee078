"""Profiles: everybody's value and losses as by brute force, for any num_threads."""

import math
import random
from threading import Event

import pandas as pd
import pytest

import branchwise
from agreement.test_agreement import problem_of
from branchwise import (
    Action,
    LimitError,
    Problem,
    ProblemError,
    Reward,
    Status,
    profiles,
    read_text,
    solve,
)
from branchwise.analysis.individuals.individuals import (
    best_rule,
    plan_letter,
    sorted_numbers,
)
from branchwise.engine import number_scorer
from oracles.oracle import Oracle
from problems.paper import illustrative
from problems.profile_documents import carried_out, document_of, random_rows
from problems.strategies import seeded_documents
from problems.wide_documents import wide_oracles

ALL_KINDS = {"probability", "cost", "reward", "cost_weight", "budget"}

CHOICE = """
name: Choice
budget: 1
actions:
  risky: {outcomes: {ok: 0.4, no: rest}}
  safe: {outcomes: {ok: 1}}
rewards: [{when: risky=ok, value: 10}, {when: safe=ok, value: 3}]
"""


def named(rows):
    return [{column.name: cell for column, cell in row.items()} for row in rows]


@pytest.mark.parametrize(
    ("seed", "kinds"),
    [
        ("probabilities", {"probability"}),
        ("weights", {"probability", "cost_weight"}),
        ("rewards", {"reward", "probability"}),
        ("spending", {"cost", "budget"}),
        ("all", ALL_KINDS),
        ("more", ALL_KINDS),
    ],
)
def test_everybody_has_the_value_and_the_tree_of_brute_force(seed, kinds):
    chance = random.Random(seed)
    for document in seeded_documents(6, seed=seed, max_states=200):
        problem = problem_of(document)
        rows = random_rows(chance, problem, 4, kinds)
        if not any(rows):
            continue

        found = profiles(problem, named(rows), num_threads=2)

        assert found.status is Status.OPTIMAL
        for row, each in zip(rows, found.individuals, strict=True):
            oracle = Oracle(document_of(document, row))
            value = float(oracle.value(oracle.root))
            assert each.expected_reward == pytest.approx(value, rel=1e-9, abs=1e-9)
            fewest = oracle.worth("fewest-nodes", oracle.root)
            assert found.plan(each.plan).num_nodes == fewest


@pytest.mark.parametrize("seed", ["losses", "more losses"])
def test_losses_are_those_of_brute_force_that_carries_out_the_plan(seed):
    chance = random.Random(seed)
    for document in seeded_documents(6, seed=seed, max_states=200):
        problem = problem_of(document)
        rows = random_rows(chance, problem, 5, ALL_KINDS)
        if not any(rows):
            continue
        found = profiles(problem, named(rows))
        common, base = found.plans[0].solution().tree, solve(problem).tree

        for row, each in zip(rows, found.individuals, strict=True):
            oracle = Oracle(document_of(document, row))
            for tree, loss in ((common, each.loss_common), (base, each.loss_base)):
                worth = carried_out(oracle, tree.root, oracle.root)
                expected = float(oracle.value(oracle.root) - worth)
                assert loss == pytest.approx(expected, rel=1e-7, abs=1e-7)


def test_individuals_differ_in_priors_counters_and_endings_as_by_brute_force():
    """Wide problems: everybody's value, and what two plans for all would lose."""
    chance, num_priors, num_losses = random.Random("wide"), 0, 0
    hidden = wide_oracles(9, "priors", max_states=50, only=("hidden", "endings"))
    for drawn in (*wide_oracles(14, "wide profiles", max_states=50), *hidden):
        problem = problem_of(drawn.doc)
        rows = random_rows(chance, problem, 4, ALL_KINDS)
        try:
            found = profiles(problem, named(rows), num_threads=1)
            base = solve(problem).tree
        except ProblemError:  # It gets stuck, or a cost tells a hidden fact.
            continue
        common = found.plans[0].solution().tree
        facts = {fact.name for fact in problem.hidden}
        for row, each in zip(rows, found.individuals, strict=True):
            num_priors += any(c.parameter and c.parameter.action in facts for c in row)
            oracle = Oracle(document_of(drawn.doc, row))
            value = oracle.value(oracle.root)
            assert each.expected_reward == pytest.approx(float(value), abs=1e-9)
            for tree, loss in ((common, each.loss_common), (base, each.loss_base)):
                worth = carried_out(oracle, tree.root, oracle.root)
                if worth == -math.inf:
                    assert loss is None
                else:
                    num_losses += loss > 0
                    assert loss == pytest.approx(float(value - worth), abs=1e-7)
    assert num_priors > 5
    assert num_losses > 5


def test_individuals_get_the_plans_that_solve_gives_them():
    problem = illustrative()
    chance = random.Random(3)
    rows = [
        {"P(a1=2)": chance.randint(0, 10) / 10, "P(a3=2)": chance.randint(1, 9) / 10}
        for _ in range(30)
    ]

    found = profiles(problem, rows)

    members = [name for plan in found.plans for name in plan.members]
    assert sorted(members, key=int) == [each.name for each in found.individuals]
    counts = [len(plan.members) for plan in found.plans]
    assert counts == sorted(counts, reverse=True)
    for plan in found.plans:
        solution = plan.solution()
        assert solution.tree.num_nodes == plan.num_nodes
        assert solution.tree.depth == plan.depth
        assert solution.first_action == plan.first_action


def test_the_answer_does_not_depend_on_the_number_of_threads():
    document = next(iter(seeded_documents(1, seed="threads", max_states=300)))
    problem = problem_of(document)
    rows = named(random_rows(random.Random(5), problem, 150, ALL_KINDS))

    alone, shared = (profiles(problem, rows, num_threads=n) for n in (1, 3))

    assert alone == shared


def test_the_loss_with_one_plan_for_all():
    """
    `risky` is worth 10 p and `safe` 3; the most common plan is `risky`. With p = 0.1
    it loses 3 - 1 = 2, and a third of that on average.
    """
    rows = [{"P(risky=ok)": 0.4}, {"P(risky=ok)": "50%"}, {"P(risky=ok)": "1/10"}]

    found = profiles(read_text(CHOICE), rows)

    assert [each.expected_reward for each in found.individuals] == [4, 5, 3]
    assert [each.loss_common for each in found.individuals] == [0, 0, 2]
    assert found.mean_loss_common == pytest.approx(2 / 3)
    assert found.plans[0].mean_for_all == pytest.approx(10 / 3)
    assert found.plans[1].mean_for_all == pytest.approx(3)
    assert found.best_for_all is found.plans[0]
    assert found.base_plan == "A"
    assert found.base_expected_reward == 4
    rule = found.plans[1].rule
    assert (rule.parameter, rule.side, rule.is_exact) == ("P(risky=ok)", "below", True)
    assert 0.1 < rule.threshold < 0.4


def test_a_plan_stops_where_an_individual_cannot_pay_for_it():
    """Two tosses at 1 each: with a budget of 1 the second is out of reach."""
    toss = Action("toss", outcomes={"heads": "1/2", "tails": "1/2"}, attempts=2)
    problem = Problem([toss], [Reward(toss["heads"], 8)], budget=2)

    found = profiles(problem, [{"budget": 2}, {"budget": 2}, {"budget": 1}])

    assert [each.expected_reward for each in found.individuals] == [6, 6, 4]
    assert [each.plan for each in found.individuals] == ["A", "A", "B"]
    assert found.individuals[2].loss_common == 0


def test_a_data_frame_gives_and_takes():
    frame = pd.DataFrame(
        {"P(risky=ok)": [0.2, float("nan")], "age": [61, 47]}, index=["Ann", "Bob"]
    )

    found = profiles(read_text(CHOICE), frame, keep=["age"]).frame()

    assert list(found["profile"]) == ["Ann", "Bob"]
    assert list(found["expected_reward"]) == [3.0, 4.0]
    assert list(found["plan"]) == ["A", "B"]
    assert list(found["age"]) == ["61", "47"]


def test_large_state_spaces_are_searched(monkeypatch):
    monkeypatch.setattr(number_scorer, "MOST_EXPLORED", 0)
    rows = [{"P(a1=2)": number / 10} for number in range(4)]

    searched = profiles(illustrative(), rows)
    monkeypatch.undo()

    explored = profiles(illustrative(), rows)
    assert [each.plan for each in searched.individuals] == [
        each.plan for each in explored.individuals
    ]
    for one, other in zip(searched.individuals, explored.individuals, strict=True):
        assert one.expected_reward == pytest.approx(other.expected_reward)
        assert one.status is Status.OPTIMAL


def test_canceled_it_has_what_is_done_by_then():
    cancel = Event()

    def listen(progress):
        if progress.num_states > 100:
            cancel.set()

    rows = [{"P(a1=2)": number / 50000} for number in range(1, 8000)]
    found = profiles(illustrative(), rows, cancel=cancel, progress=listen)

    assert found.status is Status.INTERRUPTED
    assert 0 < len(found.individuals) < found.num_all == 7999
    assert found.mean_loss_common is not None


def test_canceled_at_once_it_has_no_plan():
    cancel = Event()
    cancel.set()

    with pytest.raises(KeyboardInterrupt):
        profiles(illustrative(), [{"P(a1=2)": 0.1}], cancel=cancel)


def test_time_may_run_out_before_there_is_a_plan():
    with pytest.raises(LimitError, match="before there was a plan for any individual"):
        profiles(illustrative(), [{"P(a1=2)": 0.1}], time_limit_seconds=1e-9)


def test_plans_are_named_like_columns():
    names = [plan_letter(number) for number in (0, 25, 26, 701, 702)]

    assert names == ["A", "Z", "AA", "ZZ", "AAA"]


def test_the_best_rule_lies_between_members_and_others():
    numbers = sorted_numbers(["P(a=ok)"], [[0.2], [0.4], [0.6]])
    rule = best_rule(numbers, [False, False, True])

    assert (rule.side, rule.threshold, rule.is_exact) == ("above", 0.5, True)


def test_a_column_called_like_a_parameter_sets_it(tmp_path):
    problem = branchwise.read_text(
        """
        parameters: {rate: 0.3, visit: 2}
        budget: 2 * visit
        actions:
          test: {cost: visit, outcomes: {yes: rate, no: rest}}
          treat: {requires: test=yes, cost: 2, outcomes: {cured: 1 - rate, not: rest}}
        rewards: [{when: treat=cured, value: 50 * visit}]
        cost_weight: rate
        """
    )
    people = [
        {"profile": "ann", "rate": "0.2", "visit": "3"},
        {"profile": "bob", "rate": "0.7", "visit": ""},
        {"profile": "cy", "rate": "", "visit": "1.5"},
    ]
    found = branchwise.profiles(problem, people)

    for person in people:
        said = {k: v for k, v in person.items() if v and k != "profile"}
        alone = branchwise.solve(problem.with_parameters(said), exact=True)
        individual = found.individual(person["profile"])
        assert individual.expected_reward == pytest.approx(float(alone.expected_reward))


def test_a_parameter_that_fits_no_individual_is_refused():
    problem = branchwise.read_text(
        """
        parameters: {rate: 0.3, often: 2}
        budget: 9
        actions: {test: {attempts: often, outcomes: {yes: 2 * rate, no: rest}}}
        rewards: [{when: test=yes, value: 50}]
        """
    )
    with pytest.raises(branchwise.FormatError, match="with `2 \\* rate`"):
        branchwise.profiles(problem, [{"profile": "ann", "rate": "0.8"}])
    with pytest.raises(
        branchwise.FormatError, match="how often `test` can be attempted"
    ):
        branchwise.profiles(problem, [{"profile": "ann", "often": "3"}])
