"""Plans of one's own: their worth by brute force, and where it is lost, all of it."""

import json
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from branchwise import (
    DecisionRules,
    evaluate,
    evaluation,
    read,
    read_text,
    render,
    solve,
)
from branchwise.errors import FormatError, LimitError, PlanError
from branchwise.tree.alternatives import objections
from oracles.oracle import Oracle
from problems.held_problems import held_problems
from problems.strategies import seeded_documents

EXAMPLES = Path(__file__).parents[3] / "examples"
ILLUSTRATIVE = read(EXAMPLES / "illustrative.yaml")


def careless(problem, seed):
    """A rule that takes any action it can, or stops where it may, by a whim."""

    def rule(state):
        against = objections(problem, state)
        names = [a.name for a in problem.actions if a.name not in against]
        may_stop = problem.finish is None or problem.finish.holds(state.facts)
        stopping = [None] if may_stop or not names else []
        return Random(f"{seed} {state}").choice([*names, *stopping])

    return rule


def worth(oracle, state, tree):
    """What a tree is worth, and Phi at each state that it comes to, by brute force."""
    action = tree.action
    if action is None:
        return oracle.reward(state)
    step = next(each for each in oracle.steps(state) if each.action == action)
    paid = sum(w * c for w, c in zip(oracle.weights, step.cost, strict=True))
    following = step.children.items()
    return -paid + sum(
        p * worth(oracle, child, tree.children[o]) for o, (p, child) in following
    )


def test_a_plan_is_worth_what_brute_force_says_and_its_losses_add_up():
    """
    What is lost at a place is Phi there, less what the action is worth with Phi after
    it, both by brute force; times how likely the plan comes there, all of them are the
    whole loss: none is left out, and none is counted twice.
    """
    num_lost = 0
    for index, document in enumerate(seeded_documents(60, "careless", max_states=200)):
        problem, oracle = read_text(json.dumps(document), "json"), Oracle(document)
        found = evaluation(careless(problem, index), problem, exact=True)

        assert found.value == worth(oracle, oracle.root, found.tree.root)
        assert found.value == evaluate(found.tree, problem)
        assert found.loss == oracle.value(oracle.root) - found.value
        assert found.are_losses_complete
        assert sum(each.share for each in found.losses) == found.loss
        for each in found.losses:
            node, state = found.tree.root, oracle.root
            for event in each.history:
                step = next(s for s in oracle.steps(state) if s.action == event.action)
                node, state = node.child(event.outcome), step.children[event.outcome][1]
            assert node.action == each.action
            taken = [s for s in oracle.steps(state) if s.action == each.action]
            gained = oracle.gain(*taken) if taken else oracle.reward(state)
            assert each.loss == oracle.value(state) - gained > 0
            num_lost += 1
    assert num_lost > 60


def test_plans_with_counters_and_hidden_facts_are_evaluated_too():
    for index, problem in enumerate(held_problems(25, "careless")):
        found = evaluation(careless(problem, index), problem)

        assert found.value == evaluate(found.tree, problem)
        assert float(sum(e.share for e in found.losses)) == pytest.approx(
            float(found.loss), abs=1e-9
        )


def test_a_saved_solution_is_worth_what_it_says(tmp_path):
    """Budget 6: 105459/12500; with 9 to spend the same plan is worth no more."""
    path = tmp_path / "plan.json"
    render(solve(ILLUSTRATIVE), path)
    found = evaluation(path, ILLUSTRATIVE)

    assert found.value == Fraction(105459, 12500)
    assert (found.loss, found.losses) == (0, ())
    more = evaluation(path, ILLUSTRATIVE.with_budget(9))
    assert more.value == Fraction(105459, 12500)
    assert more.loss > 0
    with pytest.raises(PlanError, match=r"plan\.json: `a6` is not available"):
        evaluation(path, ILLUSTRATIVE.with_budget(5))


def test_a_saved_plan_begins_where_it_says(tmp_path):
    path = tmp_path / "plan.json"
    later = solve(ILLUSTRATIVE, after="a1=ok", exact=True)
    render(later, path)

    found = evaluation(path, ILLUSTRATIVE, exact=True)

    assert found.value == later.expected_reward
    assert found.loss == 0
    assert [str(event) for event in found.history] == ["a1=ok"]


RULES = """\
rules:
  - {when: a1=ok and not a4, do: a4}
  - {when: a4=ok and not a5, do: a5}
  - {when: not a1, do: a1}
"""


def test_rules_decide_by_the_first_that_holds(tmp_path):
    """a1, a4, a5 all succeed with 0.6 * 0.3 * 0.6 and then pay 50."""
    path = tmp_path / "mine.yaml"
    path.write_text(RULES, encoding="utf-8")

    found = evaluation(path, ILLUSTRATIVE)

    assert found.value == Fraction("5.4")
    assert [str(e) for e in found.losses[0].history] == ["a1=fail"]
    assert (found.losses[0].action, found.losses[0].best_action) == (None, "a3")
    pairs = [("a1=ok and not a4", "a4"), ("a4=ok and not a5", "a5"), ("not a1", "a1")]
    assert evaluation(DecisionRules.of(pairs), ILLUSTRATIVE).value == found.value


def test_rules_that_cannot_be_followed_are_skipped_only_if_asked_for(tmp_path):
    """A list of priorities: whatever can be taken, the first one first."""
    path = tmp_path / "mine.yaml"
    path.write_text("rules: [{do: a5}, {do: a4}, {do: a1}]\n", encoding="utf-8")
    with pytest.raises(PlanError, match=r"(?s)1:9 rules\.0: `a5` .*needs a4=ok.*skip"):
        evaluation(path, ILLUSTRATIVE)

    path.write_text(f"unavailable: skip\n{path.read_text()}", encoding="utf-8")
    assert evaluation(path, ILLUSTRATIVE).value == Fraction("5.4")


def test_after_an_ending_no_rule_is_asked():
    """The probe is caught with 0.25 and then ends all: 0.75 * 0.5 * 8 remain."""
    problem = read_text(
        """
        actions:
          probe: {outcomes: {open: 0.75, caught: {probability: rest, ends: keep}}}
          enter: {outcomes: {in: 0.5, out: 0.5}}
        rewards: [{when: enter=in, value: 8}]
        """
    )
    rules = DecisionRules.of([("not probe", "probe"), ("not enter", "enter")])

    assert evaluation(rules, problem).value == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "rules: [{when: a9=ok, do: a1}]",
            "1:16 rules.0.when: there is no action `a9`",
        ),
        (
            "rules: [{when: a1=ko, do: a1}]",
            "`a1` has no outcome `ko`",
        ),
        ("rules: [{when: a1, do: a11}]", "there is no action `a11`; did you mean"),
        ("rules: [{when: a1}]", "the rule has no `do`"),
        ("rules: [a1]", "the text `a1` stands where a rule"),
        ("rules: a1", "where a list of rules belongs"),
        ("rules: [{do: [a1]}]", "a list stands where the name of an action belongs"),
        ("rule: [{do: a1}]", "a plan has no key `rule`; did you mean `rules`?"),
        ("unavailable: maybe\nrules: []", "where `skip` or `error` belongs"),
        ("actions: {}", "this is a problem, not a plan"),
        ("[a1]", "a list stands where a plan"),
    ],
)
def test_every_mistake_in_a_plan_is_named(tmp_path, text, message):
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(FormatError) as caught:
        evaluation(path, ILLUSTRATIVE)
    assert message in str(caught.value)
    assert "fix: " in str(caught.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda plan: plan.update(format="branchwise-sets"), "not a solution"),
        (lambda plan: plan.pop("policy"), "no whole solution"),
        (lambda plan: plan["policy"].pop(), "leads to state"),
        (lambda plan: plan["policy"].clear(), "leads to state 0"),
    ],
)
def test_a_saved_plan_that_is_broken_says_so(tmp_path, change, message):
    path = tmp_path / "plan.json"
    render(solve(ILLUSTRATIVE), path)
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))

    with pytest.raises(FormatError, match=message):
        evaluation(path, ILLUSTRATIVE)


def test_a_hidden_fact_is_nothing_to_go_by(tmp_path):
    problem = next(p for p in held_problems(9, "seen", ["hidden"]) if p.hidden)
    fact, action = problem.hidden[0], problem.actions[0].name
    path = tmp_path / "mine.yaml"
    path.write_text(f"rules: [{{when: {fact.name}={fact.labels[0]}, do: {action}}}]")

    with pytest.raises(FormatError, match="is never seen"):
        evaluation(path, problem)


def test_what_is_no_plan_is_refused():
    with pytest.raises(TypeError, match="the plan"):
        evaluation(3, ILLUSTRATIVE)


def test_a_plan_with_too_many_states_says_so(monkeypatch):
    monkeypatch.setattr("branchwise.analysis.comparison.evaluation.MOST_STATES", 3)
    with pytest.raises(LimitError, match="more than 3 states; simulate"):
        evaluation(solve(ILLUSTRATIVE).tree, ILLUSTRATIVE)
