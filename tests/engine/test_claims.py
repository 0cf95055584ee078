"""
Each claim that lets an engine drop, merge or bound something, alone, at every state.

The answer at the root may be right although a rule is wrong elsewhere. So every state
that an engine keeps is compared with brute force over raw states, on problems that are
built to break one rule each and on uniform ones. The claims are those of
docs/explanation/what-may-be-pruned.md and docs/explanation/one-state-per-future.md.
"""

from fractions import Fraction
from functools import lru_cache
from itertools import chain, combinations, product
from random import Random

import pytest

import branchwise._core as core
from branchwise import Adversary, Solver, solve
from branchwise.engine.lower import Lowered
from branchwise.engine.score_graph import canonical_score_graph, paper_score_graph
from branchwise.model.conditions.condition import Happened
from branchwise.reference.score_graph import full_score_graph
from oracles.differences import first_difference, first_robust_difference
from oracles.oracle import number
from oracles.quick_oracle import QuickOracle
from oracles.robust_oracle import RobustOracle
from oracles.state_walk import graph_scores, walk_pairs
from oracles.tree_measures import measured
from problems.gadgets import RARE, gadget_oracles
from problems.straight_problem import straight_problem
from problems.strategies import seeded_oracles

CLOSE = 1e-9

GRAPHS = {
    "canonical": lambda problem: canonical_score_graph(problem, num_threads=1),
    "paper": paper_score_graph,
    "reference": full_score_graph,
}


@lru_cache(maxsize=1)  # One engine after another is asked about the same.
def oracles(built, uniform, seed):
    """Built problems, then uniform ones; none with ties that floats cannot tell."""
    name = f"claims {seed}"
    found = (
        gadget_oracles(built, name, max_states=150),
        seeded_oracles(uniform, name, max_states=150, brute_force=QuickOracle),
    )
    return [each for each in chain(*found) if not each.has_near_ties]


@lru_cache(maxsize=1)
def rare_oracles(part):
    return list(gadget_oracles(150, "claims", part=part, max_states=250))


def is_close(one, other, oracle):
    return abs(one - other) <= CLOSE * max(abs(other), oracle.scale)


def go_on(*_):
    return True


FEWEST_NODES = core.Objective.FEWEST_NODES


def explored(problem):
    engine = core.CanonicalEngine(Lowered(problem).instance, 1)
    engine.explore(FEWEST_NODES, None, None, go_on)
    return engine


@pytest.mark.parametrize("engine", GRAPHS)
@pytest.mark.parametrize("portion", range(4))
def test_every_state_scores_what_it_is_worth(engine, portion):
    """Neither dropping actions nor merging states changes any score or reward."""
    for oracle in oracles(250, 50, f"scores {portion}"):
        check_scores(oracle, GRAPHS[engine](straight_problem(oracle.doc)))


@pytest.mark.parametrize("engine", GRAPHS)
@pytest.mark.parametrize("part", RARE)
def test_every_state_scores_what_it_is_worth_where_that_is_rare(engine, part):
    """The parts that chance hardly ever puts together."""
    for oracle in rare_oracles(part):
        check_scores(oracle, GRAPHS[engine](straight_problem(oracle.doc)))


def test_every_state_scores_what_it_is_worth_where_there_are_many_sets():
    """More than are looked at together, and keys of more than one word."""
    some = [f"a{i}" for i in range(8)]
    chances = ("1/2", "3/5", "7/10", "9/10")
    actions = {
        name: {"cost": 1 + i % 2, "outcomes": {"no": "rest", "ok": chances[i % 4]}}
        for i, name in enumerate(some)
    }
    actions["n"] = {"outcomes": {"no": "1/2", "ok": "1/2"}}
    actions["z"] = {"precluded_by": "n", "outcomes": {"no": "3/5", "ok": "2/5"}}
    ways = [{"all": [f"{each}=ok" for each in four]} for four in combinations(some, 4)]
    document = {
        "budget": 6,
        "actions": actions,
        "rewards": [
            {"when": {"any": ways}, "value": 3},
            {"when": "z=ok", "value": 2},
            {"when": "n=ok", "value": 1},
        ],
    }

    check_scores(QuickOracle(document), GRAPHS["canonical"](straight_problem(document)))


def test_every_state_scores_what_it_is_worth_where_keys_are_alike():
    """Many keys of two words that differ in the second alone, by what is left."""
    actions = {
        "r": {
            "attempts": "unlimited",
            "precluded_by": "r=ok",
            "outcomes": {"no": "9/10", "ok": "1/10"},
        }
    }
    for name in "xyw":
        outcomes = dict.fromkeys("abcde", "1/5")
        actions[name] = {"requires": "r=ok", "outcomes": outcomes}
    ways = [
        {"all": [f"x={one}", f"y={other}", f"w={third}"]}
        for one, other, third in product("abcde", repeat=3)
        if one != third
    ]
    document = {
        "budget": 50,
        "actions": actions,
        "rewards": [{"when": {"any": ways}, "value": 3}, {"when": "r=ok", "value": 1}],
    }

    check_scores(QuickOracle(document), GRAPHS["canonical"](straight_problem(document)))


def check_scores(oracle, graph):
    scores = graph_scores(graph)
    for raw, state, secured, _, _ in walk_pairs(oracle, graph):
        score, value = scores[state] + secured, oracle.value(raw)
        assert is_close(score, value, oracle), (oracle.doc, raw, score, value)
        reward = graph.rewards[state] + secured
        assert is_close(reward, oracle.reward(raw[0]), oracle), (oracle.doc, raw)


@pytest.mark.parametrize("engine", GRAPHS)
@pytest.mark.parametrize("portion", range(4))
def test_an_action_that_is_not_offered_is_needless(engine, portion):
    """Without it, from that state on, value and fewest nodes stay what they are."""
    for oracle in oracles(120, 25, f"dropped {portion}"):
        graph = GRAPHS[engine](straight_problem(oracle.doc))
        without = [oracle.without(i) for i in range(len(oracle.doc["actions"]))]
        for raw, _, _, offered, available in walk_pairs(oracle, graph):
            for action in available - offered:
                value, nodes = without[action].worked_out(raw)
                right, fewest = oracle.worked_out(raw)
                assert is_close(value, right, oracle), (oracle.doc, raw, action)
                assert nodes == fewest, (oracle.doc, raw, action)


@pytest.mark.parametrize("portion", range(4))
def test_states_that_are_merged_have_the_same_future(portion):
    """The same value on top of what is secured, and the least of every objective."""
    for oracle in oracles(250, 50, f"merged {portion}"):
        graph = GRAPHS["canonical"](straight_problem(oracle.doc))
        known = {}
        for raw, state, secured, _, _ in walk_pairs(oracle, graph):
            future = (oracle.value(raw) - secured, *oracle.measures(raw))
            first = known.setdefault(state, future)
            for one, other in zip(future, first, strict=True):
                assert one == pytest.approx(other, rel=CLOSE, abs=CLOSE), (
                    oracle.doc,
                    raw,
                )


@pytest.mark.parametrize("units", [254, 255, 256, 65_534, 65_535, 65_536, 2**40])
def test_states_are_the_same_however_finely_costs_are_counted(units):
    """Prices may take one byte, two or eight, up to the largest that each has."""
    for oracle in gadget_oracles(100, "claims units", max_states=150):
        rough, fine = (
            explored(straight_problem(doc))
            for doc in (oracle.doc, counted_finely(oracle.doc, units))
        )
        assert fine.num_states == rough.num_states, oracle.doc
        scores, fine_scores = core.Plan(rough), core.Plan(fine)
        for state in range(rough.num_states):
            for found, right in (
                (fine_scores.score(state, 0), scores.score(state, 0)),
                *zip(
                    fine.bounds(state, False), rough.bounds(state, False), strict=True
                ),
                *zip(fine.bounds(state, True), rough.bounds(state, True), strict=True),
            ):
                assert is_close(found, right, oracle), (oracle.doc, state)


def counted_finely(doc, units):
    """
    The same problem with so many units of each resource.

    All costs are as many times as large, and the budget is, up to what is too little
    for any of them; so it pays for the same.
    """
    if doc["budget"] == "unlimited":
        return doc
    budget, weight = doc["budget"], doc.get("cost_weight", 0)
    is_split = isinstance(budget, dict)
    budget = budget if is_split else {"": budget}
    times = {name: units // limit for name, limit in budget.items()}

    def fine(costs, power=1):
        costs = costs if isinstance(costs, dict) else {"": costs}
        found = {
            name: str(number(cost) * Fraction(times[name]) ** power)
            for name, cost in costs.items()
        }
        return found if is_split else found[""]

    def finely(body):
        return body | ({"cost": fine(body["cost"])} if "cost" in body else {})

    actions = {
        name: finely({"cost": 1} | body)
        | (
            {"given": [finely(each) for each in body["given"]]}
            if "given" in body
            else {}
        )
        for name, body in doc["actions"].items()
    }
    return doc | {
        "actions": actions,
        "budget": dict.fromkeys(budget, units) if is_split else units,
        "cost_weight": fine(weight, -1),
    }


def test_what_all_attempts_cost_may_be_too_much_to_be_counted():
    """Once x has come up an attempt costs so much that 32 take more than 64 bits."""
    document = {
        "budget": 2**59 + 2,
        "actions": {
            "x": {"outcomes": {"no": "1/2", "ok": "1/2"}},
            "a": {
                "attempts": 32,
                "outcomes": {"no": "9/10", "ok": "1/10"},
                "given": [{"when": "x=ok", "cost": 2**59, "outcomes": {"ok": 1}}],
            },
        },
        "rewards": [{"when": "a=ok", "value": 1}],
    }

    check_scores(QuickOracle(document), GRAPHS["canonical"](straight_problem(document)))


@pytest.mark.parametrize("portion", range(4))
def test_perfect_information_bounds_every_score(portion):
    """By diagrams and by single nodes, from above and below."""
    for oracle in oracles(200, 50, f"bounds {portion}"):
        engine = explored(straight_problem(oracle.doc))
        plan = core.Plan(engine)
        for state in range(engine.num_states):
            score = plan.score(state, 0)
            for is_rough in (False, True):
                lower, upper = engine.bounds(state, is_rough)
                assert lower - CLOSE <= score <= upper + CLOSE, (
                    oracle.doc,
                    state,
                    is_rough,
                )


def test_what_holds_unless_something_happens_costs_no_bound_anything():
    """The gate is open as long as n has not come up, so that g alone decides."""
    document = {
        "budget": 2,
        "actions": {
            "n": {"outcomes": {"ok": "1/100", "no": "rest"}},
            "o": {"outcomes": {"ok": "1/100", "no": "rest"}},
            "g": {
                "requires": {"any": ["o=ok", {"not": "n=ok"}]},
                "outcomes": {"ok": "1/2", "no": "rest"},
            },
        },
        "rewards": [
            {"when": {"all": ["g=ok", "n=ok"]}, "value": 3},
            {"when": "g=ok", "value": 1},
        ],
    }
    engine = explored(straight_problem(document))
    plan = core.Plan(engine)

    for state in range(engine.num_states):
        for is_rough in (False, True):
            lower, upper = engine.bounds(state, is_rough)
            assert lower - CLOSE <= plan.score(state, 0) <= upper + CLOSE


@pytest.mark.parametrize("portion", range(4))
def test_a_search_that_is_cut_short_has_bounds_that_hold(portion):
    """At every state it has met, however early it was stopped."""
    for oracle in oracles(120, 30, f"stopped {portion}"):
        problem = straight_problem(oracle.doc)
        right = explored(problem)
        scores = core.Plan(right)
        for most_states in (1, 2, 4, 8, 16):
            engine = core.CanonicalEngine(Lowered(problem).instance, 1)
            engine.search(0.0, FEWEST_NODES, 10.0, None, go_on, most_states)
            value = scores.score(scores.root, 0)
            assert engine.lower_bound - CLOSE <= value <= engine.upper_bound + CLOSE
            check_ceilings(oracle, core.Plan(engine), scores)


def check_ceilings(oracle, plan, scores):
    """States are numbered as they are met, so both are walked from the root."""
    met, pending = {plan.root}, [(plan.root, scores.root)]
    while pending:
        state, same = pending.pop()
        value = scores.score(same, 0)
        ceiling, is_reached = plan.ceiling(state, 0)
        assert ceiling >= value - CLOSE, (oracle.doc, state)
        assert not is_reached or ceiling <= value + CLOSE, (oracle.doc, state)
        others = {step[0]: step[2] for step in scores.options(same) or ()}
        for action, _, branches in plan.options(state) or ():
            for (_, child, *_), (_, other, *_) in zip(
                branches, others[action], strict=True
            ):
                if child not in met:
                    met.add(child)
                    pending.append((child, other))


@pytest.mark.parametrize("portion", range(4))
def test_both_searches_have_the_best_value_and_the_fewest_nodes(portion):
    for oracle in oracles(300, 60, f"searches {portion}"):
        assert first_difference(oracle) is None, oracle.doc


@pytest.mark.parametrize("portion", range(4))
def test_every_objective_is_at_its_least(portion):
    """Ties are settled over canonical states, by both searches."""
    for oracle in oracles(60, 15, f"objectives {portion}"):
        problem = straight_problem(oracle.doc)
        least = oracle.measures(oracle.root)
        for prefer, best in (
            ("least-depth", least.depth),
            ("least-expected-cost", least.cost),
            ("fewest-expected-actions", least.actions),
        ):
            for search in ("exhaustive", "best-first"):
                tree = solve(
                    problem,
                    prefer=prefer,
                    search=search,
                    num_threads=1,
                    time_limit_seconds=10,
                ).tree
                found = measured(oracle, tree, prefer)
                assert found == pytest.approx(best, rel=CLOSE, abs=CLOSE), (
                    oracle.doc,
                    prefer,
                    search,
                )


@pytest.mark.parametrize("portion", range(2))
def test_the_worst_case_is_what_brute_force_says(portion):
    for oracle in gadget_oracles(60, f"claims worst {portion}", max_states=50):
        assert first_robust_difference(oracle) is None, oracle.doc


@pytest.mark.parametrize("portion", range(2))
def test_bounds_on_the_worst_case_hold_wherever_the_search_stops(portion):
    for oracle in gadget_oracles(40, f"claims strikes {portion}", max_states=50):
        robust = RobustOracle(oracle.doc, "0.1")
        for gamma in (1, 2, None):
            value = float(robust.worst_case(gamma))
            adversary = Adversary(gamma, distance="0.1")
            problem = adversary.faced_by(straight_problem(oracle.doc))
            lowered = Lowered(problem, has_adversary=True)
            for most_states in (1, 3, 6, 12, None):
                engine = core.CanonicalEngine(lowered.instance, 1)
                engine.face(gamma)
                engine.search(0.0, FEWEST_NODES, 10.0, None, go_on, most_states)
                gained = core.Plan(engine).root_gained
                rest = value - sum(float(problem.rewards[i].value) for i in gained)
                assert engine.lower_bound - CLOSE <= rest, (oracle.doc, gamma)
                assert rest <= engine.upper_bound + CLOSE, (oracle.doc, gamma)


@pytest.mark.parametrize("portion", range(2))
def test_planning_anew_from_any_state_is_worth_what_the_state_is(portion):
    """What was spent before does not count any more, and what was earned does."""
    for oracle in oracles(80, 20, f"after {portion}"):
        problem = straight_problem(oracle.doc)
        random = Random(oracle.doc["name"])
        names = list(oracle.doc["actions"])
        raw, history = oracle.root, []
        while steps := list(oracle.available(raw)):
            index, offer, rest = random.choice(steps)
            _, unit, place = random.choice(offer.probabilities)
            label = list(oracle.doc["actions"][names[index]]["outcomes"])[place]
            raw = (raw[0] + unit, rest)
            history.append(Happened(names[index], label))
            found = solve(problem, after=history, num_threads=1).expected_reward
            assert is_close(found, oracle.value(raw), oracle), (oracle.doc, history)


def test_exploring_goes_on_where_it_was_whatever_is_searched_meanwhile():
    for oracle in oracles(60, 60, "in parts"):
        problem = straight_problem(oracle.doc)
        engine = core.CanonicalEngine(Lowered(problem).instance, 1)
        is_done = False
        while not is_done:
            how = (FEWEST_NODES, None, None, go_on)
            is_done, _ = engine.explore(*how, engine.num_states + 3)
            if not is_done:
                engine.search(0, *how, engine.num_states + 2)

        value, num_states = oracle.value(oracle.root), explored(problem).num_states
        assert engine.num_states == engine.num_expanded == num_states, oracle.doc
        found = engine.lower_bound + engine.secured
        assert is_close(found, value, oracle), oracle.doc


def test_a_plan_that_another_engine_takes_over_is_worth_as_much_there():
    """Whatever was explored besides; and what it is worth is in hand, and no more."""
    for oracle in oracles(120, 40, "taken over"):
        problem = straight_problem(oracle.doc)
        value = oracle.value(oracle.root)
        instance = Lowered(problem).instance
        how = (FEWEST_NODES, None, None, go_on)
        for most_states in (1, 3, 9):
            first = core.CanonicalEngine(instance, 1)
            assert len(first.steps_in_hand()) == 0
            first.search(0, *how, most_states)
            first.explore(*how, first.num_states + 3)
            first.search(0, *how, 0)
            lower = first.lower_bound
            first.explore(*how, first.num_states + 3)
            second = core.CanonicalEngine(instance, 1)
            second.take_over(first.steps_in_hand(), None, None, go_on)

            assert second.lower_bound >= lower - CLOSE, oracle.doc
            plan = core.Plan(second, 0.0)
            worth = plan.score(plan.root, 0)
            assert lower - CLOSE <= worth <= value - second.secured + CLOSE, oracle.doc


@pytest.mark.parametrize("portion", range(2))
def test_a_solver_that_is_used_again_says_what_a_new_one_does(portion):
    """Other probabilities, other cost weights, smaller and larger budgets."""
    for oracle in oracles(60, 15, f"again {portion}"):
        solver = Solver(straight_problem(oracle.doc), num_threads=1)
        random = Random(oracle.doc["name"])
        for _ in range(4):
            other = QuickOracle(changed(oracle.doc, random))
            found = solver.solve(straight_problem(other.doc)).expected_reward
            assert is_close(found, other.value(other.root), other), other.doc


def changed(doc, random):
    """The document with one thing changed."""
    kind = random.choice(
        ["probabilities", "weight", "budget", "cost", "value", "attempts"]
    )
    name = random.choice(list(doc["actions"]))
    body = doc["actions"][name]
    if kind == "weight":
        return doc | {"cost_weight": random.choice([0, 1, 3])}
    if kind == "budget" and not isinstance(doc["budget"], dict):
        return doc | {"budget": random.choice([1, 2, 3, 4, 6])}
    if kind == "value":
        first, *rest = doc["rewards"]
        value = str(number(first["value"]) * random.choice([2, 3]))
        return doc | {"rewards": [first | {"value": value}, *rest]}
    if kind == "attempts" and "attempts" not in body:
        body = body | {"attempts": 2}
    elif kind == "cost" and not isinstance(doc["budget"], dict):
        body = body | {"cost": random.choice([1, 2])}
    else:
        labels = list(body["outcomes"])
        chances = dict.fromkeys(labels, "0") | {labels[0]: "1/3", labels[-1]: "2/3"}
        probabilities = chances if len(labels) > 1 else {labels[0]: 1}
        body = body | {"outcomes": probabilities}
    return doc | {"actions": doc["actions"] | {name: body}}
