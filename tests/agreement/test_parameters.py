"""Named parameters: in every format, for every way to solve, and where they move."""

import json
import pickle
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

import branchwise
from branchwise import Action, Given, Problem, Reward, parameter
from branchwise.errors import ProblemError
from branchwise.model.numbers.formula import Formula, expression_of
from oracles.differences import ELSEWHERE
from oracles.oracle import Oracle
from problems.rewording import with_parameters
from problems.strategies import awkward_names, seeded_documents

FORMATS = ["yaml", "json", "csv", "xlsx"]
PORTIONS = 4


def read(document):
    return branchwise.read_text(json.dumps(document), "json")


def pairs(count, seed, **knobs):
    """Random documents, and the same with numbers computed from parameters."""
    random = Random(seed)
    for number, drawn in enumerate(seeded_documents(count, seed, **knobs)):
        document = awkward_names(drawn, random) if number % 3 == 2 else drawn
        yield document, with_parameters(document, random)


def numbers(problem):
    return problem.actions, problem.rewards, problem.budget, problem.cost_weight


def expressions(problem):
    return branchwise.write_text(problem, "yaml")


def test_what_is_computed_is_what_was_written():
    for document, reworded in pairs(150, "reworded", max_states=300):
        assert numbers(read(reworded)) == numbers(read(document)), reworded


@pytest.mark.parametrize("form", FORMATS)
def test_expressions_are_read_back_from_every_format(form, tmp_path):
    path = tmp_path / f"problem.{form}"
    for _, document in pairs(15 if form == "xlsx" else 60, "formats", max_states=300):
        problem = read(document)
        branchwise.write(problem, path)
        again = branchwise.read(path)
        assert again == problem
        assert expressions(again) == expressions(problem)
        assert again.parameters == problem.parameters


@pytest.mark.parametrize("portion", range(PORTIONS))
def test_every_engine_agrees_with_brute_force(portion):
    for _, document in pairs(15, f"engines {portion}", max_states=200):
        oracle, problem = Oracle(document), read(document)
        value = oracle.value(oracle.root)
        nodes = oracle.worth("fewest-nodes", oracle.root)
        for way in ELSEWHERE.values():
            found = branchwise.solve(problem, num_threads=1, **way)
            assert found.expected_reward == pytest.approx(float(value), abs=1e-9)
        assert found.expected_reward == value
        assert found.tree.num_nodes == nodes
        assert branchwise.evaluate(found.tree, problem) == value


def test_certificates_and_models_have_the_numbers():
    for plain, document in pairs(12, "proofs", max_states=100):
        problem, other = read(document), read(plain)
        verdict = branchwise.verify(branchwise.certify(problem), other)
        assert verdict.is_accepted, verdict.text
        written = branchwise.write_text(problem, "prism")
        assert written == branchwise.write_text(other, "prism")


def test_another_value_is_as_if_the_file_had_said_so():
    random = Random("moved")
    num_moved = 0
    for _, document in pairs(120, "moved", max_states=300):
        problem = read(document)
        name = random.choice(list(document["parameters"]))
        value = random.choice(["1/2", "1", "0.31", "2"])
        try:
            said = read(
                document | {"parameters": document["parameters"] | {name: value}}
            )
        except (ProblemError, branchwise.FormatError):
            continue
        moved = problem.with_parameters({name: value})
        assert moved == said
        assert expressions(moved) == expressions(said)
        num_moved += 1
    assert num_moved > 20


def test_a_problem_with_parameters_is_pickled_with_its_expressions():
    for _, document in pairs(10, "pickles", max_states=100):
        problem = read(document)
        again = pickle.loads(pickle.dumps(problem))
        assert again == problem
        assert expressions(again) == expressions(problem)


RATE, VISIT = parameter("rate", "0.3"), parameter("visit", 120)


def clinic():
    test = Action(
        "test",
        outcomes={"yes": RATE, "no": "rest"},
        cost=VISIT / 60,
        attempts=VISIT / 60,
        given=[
            Given("test=no", cost=VISIT - 120, outcomes={"yes": RATE / 2, "no": "rest"})
        ],
    )
    return Problem([test], [Reward(test["yes"], 2 * VISIT)], budget=VISIT / 20)


def test_python_builds_expressions_with_operators():
    problem = clinic()

    assert dict(problem.parameters) == {"visit": VISIT, "rate": RATE}
    action = problem.action("test")
    assert action.attempts == 2
    assert str(expression_of(action.attempts)) == "visit / 60"
    assert str(expression_of(action.outcome("no").probability)) == "rest"
    assert action.given[0].cost == branchwise.model.Amounts(0)


def test_all_that_is_computed_moves_at_once():
    moved = clinic().with_parameters(rate="1/2", visit=180)

    action = moved.action("test")
    assert action.attempts == 3
    assert action.cost == branchwise.model.Amounts(3)
    assert action.given[0].cost == branchwise.model.Amounts(60)
    assert [o.probability for o in action.outcomes] == [Fraction(1, 2)] * 2
    assert [o.probability for o in action.given[0].outcomes] == [
        Fraction(1, 4),
        Fraction(3, 4),
    ]
    assert moved.rewards[0].value == 360
    assert moved.budget["budget"] == 9
    assert moved.with_parameters(rate="0.3", visit=120) == clinic()


def test_an_interval_that_others_leave_moves_along():
    rate = parameter("rate", "0.3")
    outcomes = {"a": f"{0.2} [0.1, 0.3]", "b": rate, "c": "rest"}
    problem = Problem([Action("x", outcomes=outcomes)])
    moved = problem.with_parameters(rate="0.5")
    said = Problem([Action("x", outcomes=outcomes | {"b": "0.5"})])

    assert moved.actions == said.actions


def test_what_contradicts_itself_names_the_expression():
    with pytest.raises(ProblemError, match=r"1.5, with `rate`"):
        branchwise.solve(clinic().with_parameters(rate="1.5"))


def test_there_must_be_such_a_parameter():
    with pytest.raises(ValueError, match="did you mean `rate`"):
        clinic().with_parameters(rte=1)


def test_no_two_parameters_have_one_name():
    a = Action("a", outcomes={"x": parameter("p", "0.4"), "y": "rest"})
    b = Action("b", outcomes={"x": parameter("p", "0.5"), "y": "rest"})
    with pytest.raises(ValueError, match="two parameters are called 'p'"):
        Problem([a, b])


def test_parameters_that_nothing_uses_are_kept_and_warned_of():
    problem = replace(clinic(), parameters={"spare": 3, **clinic().parameters})
    warnings = [str(issue) for issue in branchwise.validate(problem)]

    assert list(problem.parameters) == ["spare", "visit", "rate"]
    assert any("`spare`" in each for each in warnings)
    assert "spare: 3" in branchwise.write_text(problem, "yaml")


def test_computing_with_formulas_gives_plain_numbers():
    formula = Formula(VISIT / 60)
    for plain in (formula + 1, -formula, abs(formula), formula * formula, 1 / formula):
        assert type(plain) is Fraction
    assert formula == 2
    assert hash(formula) == hash(Fraction(2))
    assert sum([formula, formula]) == 4
