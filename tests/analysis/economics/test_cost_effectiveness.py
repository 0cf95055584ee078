"""Efficient plans: what brute force says at any willingness, and what is published."""

import json
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest

from branchwise import Action, DecisionRules, Problem, Reward, read, read_text, report
from branchwise import analyze as analyze_problem
from branchwise.analysis import cost_effectiveness
from branchwise.errors import UnsupportedError
from oracles.oracle import Oracle
from problems.strategies import seeded_documents

GUAIAC = Path(__file__).parents[3] / "examples" / "stool_guaiac.yaml"

# Each is worth taking from its cost on: bends on both sides of any that is found first.
ONE_BY_ONE = {
    "name": "One by one",
    "budget": "unlimited",
    "combine": "sum",
    "actions": {f"a{n}": {"cost": 2**n, "outcomes": {"ok": 1}} for n in range(6)},
    "rewards": [{"when": f"a{n}=ok", "value": 1} for n in range(6)],
}


def test_at_every_willingness_the_best_plan_is_worth_what_brute_force_says():
    """
    Reward less weighted cost with weight 1 / k, times k, is k effect less cost: at all
    bends, between them and beyond. Bends rise, and so do effect and cost.
    """
    num_plans = 0
    random = seeded_documents(18, "economics", max_states=150, max_actions=5)
    for document in [ONE_BY_ONE, *random]:
        document.pop("cost_weight", None)
        problem = read_text(json.dumps(document), "json")
        if problem.finish is not None:
            continue
        resources = list(problem.budget)
        prices = {resource: n + 1 for n, resource in enumerate(resources)}
        found = cost_effectiveness(problem, prices=prices, num_draws=1)

        bends = [plan.best_from for plan in found.plans[1:]]
        assert bends == sorted(set(bends))
        for low, high in pairwise(found.plans):
            assert low.effect < high.effect
            assert low.cost < high.cost
            assert low.best_to == high.best_from == high.ratio
        middles = [(low + high) / 2 for low, high in pairwise(bends)]
        for k in [*(bends or [Fraction(1)]), *middles, 2 * max(bends, default=1)]:
            weights = {r: str(price / k) for r, price in prices.items()}
            doc = {**document, "cost_weight": weights}
            if resources == ["budget"]:
                doc["cost_weight"] = weights["budget"]
            best = Oracle(doc)
            worth = k * best.value(best.root)
            plan = found.best_at(k)
            assert k * plan.effect - plan.cost == worth
            assert max(k * p.effect - p.cost for p in found.plans) == worth
        num_plans += len(found.plans)
    assert num_plans > 30


def test_the_sixth_stool_guaiac_is_as_published():
    """
    Neuhauser and Lewicki (N Engl J Med 1975; 293: 226-228) have these dollars for each
    further case detected by tests 1 to 5, and 65.9469 to 71.9417 cases in 10,000.
    """
    published = [1175, 5492, 49_150, 469_534, 4_724_695]
    cases = [65.9469, 71.4424, 71.9004, 71.9385, 71.9417, 71.9420]
    costs = [77_511, 107_690, 130_199, 148_116, 163_141, 176_331]
    found = cost_effectiveness(read(GUAIAC), num_draws=1)

    nothing, *tests = found.plans
    assert (nothing.effect, nothing.cost, nothing.first_action) == (0, 0, None)
    assert [float(10_000 * p.effect) for p in tests] == pytest.approx(cases, abs=1e-3)
    assert [float(10_000 * p.cost) for p in tests] == pytest.approx(costs, rel=2e-4)
    assert [float(p.ratio) for p in tests[:5]] == pytest.approx(published, rel=3e-4)
    assert found.best_at(10_000).first_action == "2 tests"


def treatments():
    """Effects 0.4, 0.5 and 0.8 for 10, 40 and 50: the second is never the best."""
    three = [
        Action("a", cost=10, outcomes={"cured": "0.4", "not": "rest"}),
        Action("b", cost=40, outcomes={"cured": "0.5", "not": "rest"}),
        Action("c", cost=50, outcomes={"cured": "0.8", "not": "rest"}),
    ]
    names = [each.name for each in three]
    actions = [
        Action(
            each.name,
            cost=each.cost,
            outcomes=each.outcomes,
            precluded_by=" or ".join(n for n in names if n != each.name),
        )
        for each in three
    ]
    cured = Reward(" or ".join(f"{n}=cured" for n in names), 1)
    return Problem(actions, [cured], name="Treatments", cost_weight="0.01")


def test_plans_of_ones_own_stand_where_they_belong():
    """From a, c costs 40 more for 0.4 more: 100 each; b would cost 300 each."""
    plans = {n: DecisionRules.of([(f"not {n}", n)]) for n in "abc"}
    plans["nothing"] = DecisionRules(())
    found = cost_effectiveness(treatments(), plans=plans, num_draws=30)

    assert [plan.ratio for plan in found.plans] == [None, 25, 100]
    assert {each.name: each.standing for each in found.compared} == {
        "a": "efficient",
        "b": "extendedly dominated",
        "c": "efficient",
        "nothing": "efficient",
    }
    shares = {}
    for each in found.acceptability:
        shares[each.willingness] = shares.get(each.willingness, 0) + each.probability
    assert all(total == pytest.approx(1) for total in shares.values())
    assert len(found.draws) == 30 * 3


def test_the_section_says_what_the_cost_weight_makes_the_best():
    found = analyze_problem(treatments(), only=["cost-effectiveness"])
    text = "\n".join(report.lines(found))

    assert (
        "at 100 per unit of effect, as the cost weight says, plan 3 is the best" in text
    )
    page = report.html(found)
    assert "Cost-effectiveness plane" in page
    assert "Acceptability" in page
    tables = [table.name for table in report.tables(found)]
    assert tables[0] == "cost-effectiveness-plans"


def test_it_is_among_all_sections_only_where_costs_are_weighed():
    assert "cost-effectiveness" in analyze_problem(treatments()).sections
    plain = Problem(treatments().actions, treatments().rewards)
    assert "cost-effectiveness" not in analyze_problem(plain).sections


def test_what_counts_as_cost_must_be_clear():
    act = Action("a", cost={"money": 1, "days": 2}, outcomes={"ok": 0.5, "no": "rest"})
    problem = Problem([act], [Reward("a=ok", 1)], budget={"money": 3, "days": 5})
    with pytest.raises(ValueError, match="say what counts as cost, of `money`, `days`"):
        cost_effectiveness(problem)
    with pytest.raises(ValueError, match="no resource `mony`; did you mean `money`"):
        cost_effectiveness(problem, prices={"mony": 1})
    ended = Problem(
        [act], [Reward("a=ok", 1)], budget={"money": 3, "days": 5}, finish="a"
    )
    with pytest.raises(UnsupportedError, match="doing nothing"):
        cost_effectiveness(ended, prices={"money": 1})
