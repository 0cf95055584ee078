"""Exact answers of the canonical engine: those of `reference`, value and tree."""

import json
import pickle
from fractions import Fraction
from itertools import chain
from random import Random

import pytest

import branchwise._core as core
from agreement.test_same_tree import unrolled
from branchwise import Adversary, Solver, Status, evaluate, read_text, solve
from branchwise.engine.lower import Lowered
from branchwise.errors import LimitError
from branchwise.model.action import Action
from branchwise.model.problem import Problem, Reward
from branchwise.reference.full_graph import naive_full_graph
from branchwise.reference.reduced_graph import scores
from branchwise.space.problem_space import PackedState, ProblemSpace
from branchwise.tree import OBJECTIVE_NAMES
from problems.gadgets import RARE, gadget_documents
from problems.near_ties import near_tie_documents
from problems.strategies import seeded_documents

SEARCHES = ("exhaustive", "best-first")


def read(document):
    return read_text(json.dumps(document), "json")


def publicity(_state, action, children):
    """How many letters of names of actions are to be written down, on average."""
    asked = 0 if action is None else len(action.name) + ord(action.name[-1]) % 3
    return asked + sum(probability * value for probability, value in children)


def looking(state, action, children):
    """A function that looks at states, and at those that an action leads to."""
    assert isinstance(state, PackedState)
    asked = 0 if action is None else 5 + state.happened % 5
    if action is not None:
        asked += min(step.state.happened for step in action.transitions) % 3
    return asked + sum(probability * value for probability, value in children)


def wishes(document):
    """What may be preferred: all that has a name, and choices of one's own."""
    random, names = Random(document["name"]), list(document["actions"])
    some = random.sample(names, random.randint(1, len(names)))
    return *OBJECTIVE_NAMES, f"random={document['name']}", some, publicity, looking


def assert_same(document, prefer, **ways):
    problem, asked = read(document), {"prefer": prefer, "exact": True, "verify": False}
    right = solve(problem, engine="reference", **asked)
    found = solve(problem, engine="canonical", num_threads=1, **asked, **ways)
    assert found.status is Status.OPTIMAL
    assert found.is_exact
    assert found.prefer == right.prefer
    assert found.expected_reward == right.expected_reward, (document, prefer, ways)
    assert unrolled(found.tree) == unrolled(right.tree), (document, prefer, ways)


def documents(portion):
    seed = f"exact {portion}"
    return chain(
        seeded_documents(25, seed, max_states=150),
        gadget_documents(25, seed, max_states=150),
        near_tie_documents(40, seed, max_states=120),
    )


@pytest.mark.parametrize("portion", range(3))
def test_exact_answers_are_those_of_reference_on_270_random_problems(portion):
    """Whatever decides among optimal trees, and however they are searched for."""
    for number, document in enumerate(documents(portion)):
        every = wishes(document)
        for search in SEARCHES:
            assert_same(document, "fewest-nodes", search=search)
        assert_same(document, every[number % len(every)], search=SEARCHES[number % 2])


@pytest.mark.parametrize("part", RARE)
def test_exact_answers_are_those_of_reference_where_ties_are_rare(part):
    for document in near_tie_documents(6, "exact", part=part, max_states=120):
        for search in SEARCHES:
            assert_same(document, "fewest-nodes", search=search)


@pytest.mark.parametrize("prefer", ["random=7", ["a3", "a1"], publicity, looking])
def test_floats_settle_ties_by_a_choice_of_ones_own_as_reference_does(prefer):
    for document in seeded_documents(30, "own choice", max_states=150):
        wish = prefer
        if isinstance(prefer, list):
            wish = [name for name in prefer if name in document["actions"]]
        problem, asked = read(document), {"prefer": wish, "verify": False}
        right = solve(problem, engine="reference", **asked)
        for search in SEARCHES:
            found = solve(problem, engine="canonical", search=search, **asked)
            assert unrolled(found.tree) == unrolled(right.tree), (document, search)
            assert found.prefer == right.prefer
            assert found.expected_reward == pytest.approx(float(right.expected_reward))


def go_on(*_):
    return True


def rounded_and_exact(problem, *, is_exact=False):
    """Explored states with their scores, as floats and as brute force has them."""
    engine = core.CanonicalEngine(Lowered(problem).instance, 1)
    engine.set_exact(is_exact)
    engine.explore(core.Objective.FEWEST_NODES, None, None, go_on)
    plan, space = core.Plan(engine), ProblemSpace(problem, exact=True)
    phi = scores(naive_full_graph(space))
    values = [reward.value for reward in problem.rewards]
    secured = sum((values[each] for each in plan.root_gained), Fraction(0))
    pending, met = [(plan.root, space.root, secured)], set()
    while pending:
        state, raw, secured = pending.pop()
        yield engine, state, plan.score(state, 0), phi[raw] - secured
        for action, _, branches in plan.options(state):
            taken = space.action(raw, problem.actions[action].name)
            for (_, child, gained, *_), step in zip(
                branches, taken.transitions, strict=True
            ):
                if (child, step.state) not in met:
                    met.add((child, step.state))
                    gain = sum((values[each] for each in gained), Fraction(0))
                    pending.append((child, step.state, secured + gain))


@pytest.mark.parametrize("portion", range(3))
def test_no_score_is_rounded_by_more_than_is_allowed_for(portion):
    """The claim of docs/explanation/exact-answers.md, at every state."""
    for document in documents(f"rounding {portion}"):
        for engine, state, score, right in rounded_and_exact(read(document)):
            off = abs(Fraction(score) - right)
            assert off <= Fraction(engine.rounding), (document, state)


def test_no_score_is_rounded_by_more_than_is_allowed_for_however_deep():
    """Thirds, of which no power of two is a multiple, 60 times in a row."""
    toss = Action(
        "toss", outcomes={"a": "1/3", "b": "1/3", "c": "1/3"}, attempts=60,
        precluded_by="toss=a",
    )  # fmt: skip
    deep = Problem([toss], [Reward(toss["a"], "100/7")], budget=60, cost_weight="1/9")
    for engine, state, score, right in rounded_and_exact(deep):
        off = abs(Fraction(score) - right)
        assert off <= Fraction(engine.rounding), state


@pytest.mark.parametrize("portion", range(2))
def test_bounds_by_perfect_information_are_rounded_by_far_less_than_their_margin(
    portion,
):
    """The margin is 1e-9 of all rewards; a thousandth of that is more than enough."""
    for document in documents(f"margin {portion}"):
        problem = read(document)
        most = sum(abs(reward.value) for reward in problem.rewards) / 10**12
        for engine, state, _, right in rounded_and_exact(problem):
            for is_rough in (False, True):
                lower, upper = map(float, engine.bounds(state, is_rough))
                assert lower <= right + most, (document, state, is_rough)
                assert right <= upper + most, (document, state, is_rough)


def two_ways(difference, **more):
    """Two coins of the same worth, but for so much; either may be tossed, not both."""
    even = Action("even", outcomes={"won": "1/2", "lost": "1/2"})
    better = Fraction(1, 2) + Fraction(difference)
    odd = Action("odd", outcomes={"won": better, "lost": 1 - better})
    rewards = [Reward(even["won"], 100), Reward(odd["won"], 100)]
    return Problem([even, odd], rewards, budget=1, **more)


@pytest.mark.parametrize("difference", ["1e-13", "-1e-13", "1e-17", "-1e-17", "1e-40"])
@pytest.mark.parametrize("search", SEARCHES)
def test_what_floats_call_tied_fractions_tell_apart(difference, search):
    """Of two coins that differ by less than a float may show, the better is tossed."""
    problem = two_ways(difference)
    best = "odd" if Fraction(difference) > 0 else "even"

    found = solve(problem, exact=True, search=search)

    assert found.engine == "canonical"
    assert found.first_action == best
    assert found.expected_reward == 50 + 100 * max(Fraction(difference), 0)
    assert solve(problem, search=search).first_action == "even"


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("weight", ["49.9999999999999", 50, "50.0000000000001"])
def test_whether_it_pays_to_act_at_all_is_decided_exactly(search, weight):
    """One toss is worth 50, and costs a little less, as much, or a little more."""
    toss = Action("toss", outcomes={"won": "1/2", "lost": "1/2"})
    problem = Problem([toss], [Reward(toss["won"], 100)], budget=1, cost_weight=weight)

    found = solve(problem, exact=True, search=search)

    gain = 50 - problem.cost_weight.of("budget")
    assert found.expected_reward == max(gain, 0)
    assert found.first_action == ("toss" if gain > 0 else None)
    assert solve(problem, search=search).first_action is None


def test_ties_are_followed_below_what_looks_like_an_end():
    """
    What `sure` gives is worth as much as all, but for 1e-13 that `more` may add: so the
    search must look below a state where floats would stop.
    """
    sure = Action("sure", outcomes={"done": 1})
    more = Action("more", outcomes={"won": "1/2", "lost": "1/2"}, requires=sure["done"])
    last = Action("last", outcomes={"won": "1/2", "lost": "1/2"}, requires=more["won"])
    rewards = [Reward(sure["done"], 100), Reward(last["won"], "100.00000000001")]
    problem = Problem([sure, more, last], rewards, budget=3)

    for search in SEARCHES:
        found = solve(problem, exact=True, search=search, verify=True)
        assert found.expected_reward == 100 + Fraction(1, 4 * 10**11)
        assert found.tree.depth == 3
        assert found.verification.is_checked


def test_a_gap_leaves_an_exact_value_and_a_bound_that_holds():
    for document in seeded_documents(30, "exact gap", max_states=150):
        problem = read(document)
        best = solve(problem, exact=True, verify=False).expected_reward
        found = solve(problem, exact=True, gap=0.3, verify=False)
        assert found.engine == "canonical"
        assert found.is_exact
        assert evaluate(found.tree, problem) == found.expected_reward <= best
        assert found.upper_bound >= best


def test_an_answer_that_is_cut_short_is_exact_and_has_a_bound_that_holds():
    problem = read_text(
        json.dumps(next(seeded_documents(1, "cut short", max_states=900))), "json"
    )
    best = solve(problem, exact=True, verify=False).expected_reward
    found = solve(
        problem, exact=True, search="best-first", time_limit_seconds=1e-6, verify=False
    )

    assert evaluate(found.tree, problem) == found.expected_reward <= best
    assert found.upper_bound >= best


def test_fractions_that_are_one_float_are_left_to_reference():
    """Levels of reward are told apart as floats, and these two are the same float."""
    coin = Action("coin", outcomes={"heads": "1/2", "tails": "1/2"})
    rewards = [Reward(coin["heads"], 1), Reward(coin["tails"], 1 + Fraction(1, 10**30))]
    problem = Problem([coin], rewards)

    found = solve(problem, exact=True)

    assert found.engine == "reference"
    assert "floats cannot tell them apart" in found.reason
    assert found.expected_reward == 1 + Fraction(1, 2 * 10**30)
    with pytest.raises(LimitError, match="apart"):
        solve(problem, exact=True, engine="canonical")


@pytest.mark.parametrize("tiny", [Fraction(1, 10**330), Fraction(1, 10**260)])
def test_probabilities_too_small_for_a_float_are_left_to_reference(tiny):
    coin = Action("coin", outcomes={"edge": tiny, "side": 1 - tiny})
    problem = Problem([coin], [Reward(coin["edge"], 1)])

    found = solve(problem, exact=True)

    assert (found.engine, found.expected_reward) == ("reference", tiny)
    assert "a probability is too large or too small" in found.reason


def test_against_an_adversary_fractions_are_left_to_reference():
    problem = two_ways("1e-13")
    asked = {"adversary": Adversary(distance="1/10"), "exact": True}

    assert solve(problem, **asked).engine == "reference"
    with pytest.raises(ValueError, match="reference"):
        solve(problem, engine="canonical", **asked)
    with pytest.raises(ValueError, match="reference"):
        Solver(problem).solve(prefer="random", adversary=Adversary(distance="1/10"))


def test_an_exact_solution_is_pickled_with_all_it_knows():
    solution = solve(two_ways("1e-13"), exact=True)

    again = pickle.loads(pickle.dumps(solution))

    assert again.expected_reward == solution.expected_reward
    assert unrolled(again.tree) == unrolled(solution.tree)
    (other,) = again.tree.root.alternatives
    assert (other.action, other.value) == ("even", 50)


DRIFT = """
budget: unlimited
objective: least-cost
finish: count(drift) >= 1000 or last
actions:
  drift: {cost: 0.253, attempts: 1000, precluded_by: grid, outcomes: {done: 1}}
  grid: {cost: 0.25, attempts: 1011, precluded_by: drift, outcomes: {done: 1}}
  last: {cost: 0.249999999998, requires: count(grid) >= 1011, outcomes: {done: 1}}
"""


def test_where_one_must_finish_charges_add_up_to_more_than_the_dearest_is_off():
    """
    A thousand times 0.253 is 253; floats, subtracted one by one, make 253 - 6.9e-12 of
    it. The other way costs 253 - 2e-12, hardly rounded: what is best looks worse by
    4.9e-12. That is more than twice the bound that goes by a single charge, 1.6e-12.
    """
    problem, added = read_text(DRIFT), 0.0
    for _ in range(1000):
        added -= 0.253
    assert 6.9e-12 < Fraction(added) + 253 < 7e-12

    found = solve(problem, exact=True)

    assert solve(problem).first_action == "drift"
    assert (found.engine, found.first_action) == ("canonical", "grid")
    assert -found.expected_reward == 253 - Fraction("2e-12")


def test_a_solver_answers_in_floats_after_an_exact_run_would_have_widened_ties():
    """What is set for one run does not stay for the next."""
    engine = core.CanonicalEngine(Lowered(two_ways("1e-13")).instance, 1)
    usual = engine_tolerance(engine)
    engine.set_exact(True)
    assert engine_tolerance(engine) >= 4 * engine.rounding
    engine.set_exact(False)
    assert engine_tolerance(engine) == usual == 1e-12 * 100


def engine_tolerance(engine):
    engine.explore(core.Objective.FEWEST_NODES, None, None, go_on)
    return core.Plan(engine).tolerance
