"""Simulations, shown: what fits, and data that can be relied on."""

import json

import pytest
from jsonschema import Draft202012Validator

from branchwise import Action, Problem, Reward, read_text, report, simulate
from branchwise.analysis.simulation import policies
from branchwise.report.text.label import display_width
from problems.hostile_names import SEEN
from problems.paper import illustrative
from problems.strategies import seeded_documents
from strict_schema import strict


@pytest.fixture(scope="module")
def found():
    names = ("optimal", "greedy-reward")
    return [simulate(illustrative(), policy=name, num_runs=1000) for name in names]


def test_policies_stand_one_below_the_other(found):
    lines = list(report.lines(found, detail="answer"))

    assert len(lines) == 6
    assert lines[3].startswith("policy ")
    assert lines[4].startswith("optimal ")
    assert lines[5].startswith("greedy-reward ")
    assert len({len(line) for line in lines[3:]}) == 1


def test_details_of_several_policies_have_titles(found):
    lines = list(report.lines(found))

    assert lines.count("optimal") == 1
    assert lines.count("greedy-reward") == 1


@pytest.mark.parametrize("width", [30, 60, 100])
def test_lines_fit_the_page(found, width):
    for line in report.lines(found, width=width):
        assert display_width(line) <= width


def test_a_narrow_page_gets_several_tables_and_every_number(found):
    wide = list(report.lines(found, detail="answer"))
    narrow = list(report.lines(found, detail="answer", width=60))

    assert "" in narrow[4:]
    assert sum(line.startswith("policy ") for line in narrow) == 2
    for title, row in ((3, 4), (3, 5)):
        cells = {*wide[title].split("  "), *wide[row].split("  ")} - {""}
        text = "\n".join(narrow)
        assert all(cell.strip() in text for cell in cells)


def test_large_numbers_are_written_in_full():
    toss = Action("toss", outcomes={"a": "1/2", "b": "1/2"})
    problem = Problem([toss], [Reward(toss["a"], 5_000_000)], budget=1)

    lines = list(report.lines([simulate(problem, num_runs=1000)]))

    assert "2,500,000" in lines[4]
    assert "e+" not in lines[4]


def test_ascii_is_enough(found):
    for line in report.lines(found, width=40, is_ascii=True):
        assert line.isascii()


@pytest.mark.parametrize("name", SEEN, ids=ascii)
def test_no_name_breaks_a_line(name):
    toss = Action(name, outcomes={name: "1/2", "tails": "1/2"}, cost={name: 1})
    problem = Problem(
        [toss], [Reward(toss[name], 10)], budget={name: 3, "x": 1}, name=name
    )
    plain = Action("toss", outcomes={"heads": "1/2", "tails": "1/2"}, cost={"r": 1})
    usual = Problem([plain], [Reward(plain["heads"], 10)], budget={"r": 3, "x": 1})

    hostile = "\n".join(report.lines([simulate(problem, num_runs=100)]))
    tame = "\n".join(report.lines([simulate(usual, num_runs=100)]))

    assert len(hostile.splitlines()) == len(tame.splitlines())
    assert "\u202e" not in hostile


def test_what_is_not_exact_is_not_called_so(monkeypatch):
    """Eight tosses in any order come to 3^8 states."""
    monkeypatch.setattr(policies, "MOST_STATES", 1000)
    tosses = [Action(f"t{i}", outcomes={"a": "1/2", "b": "1/2"}) for i in range(8)]
    problem = Problem(tosses, [Reward(tosses[0]["a"], 1)])

    found = simulate(problem, policy="random", num_runs=50)
    text = "\n".join(report.lines([found]))

    assert found.expected is None
    assert found.expected_reward is None
    assert "not known" in text


def test_many_values_are_cut_to_the_likeliest():
    tosses = [Action(f"t{i}", outcomes={"a": "1/2", "b": "1/2"}) for i in range(4)]
    rewards = [Reward(toss["a"], 2**i) for i, toss in enumerate(tosses)]
    found = simulate(Problem(tosses, rewards, combine="sum"), num_runs=1000)

    text = "\n".join(report.lines([found]))

    assert "and 8 other values with 50 %" in text


VALIDATOR = Draft202012Validator(strict(report.schema("simulation")))


def written(*simulations):
    """Read the text back; NaN and Infinity are not JSON."""
    text = report.json(simulations)
    assert text.endswith("}\n")
    return json.loads(text, parse_constant=pytest.fail)


def test_the_schema_is_a_schema():
    Draft202012Validator.check_schema(report.schema("simulation"))


def test_exact_and_observed_stand_side_by_side():
    found = simulate(illustrative(), num_runs=1000, seed="x")
    document = written(found)

    VALIDATOR.validate(document)
    assert document == report.document([found])
    assert document["seed"] == "x"
    [policy] = document["policies"]
    assert policy["mean"] == found.mean
    assert policy["expected"]["net_rewards"]["mean"] == pytest.approx(8.43672)
    assert policy["expected"]["net_rewards"]["quantiles"][0] == [0.05, 0]
    assert policy["paths"][0]["happened"][0] == {"action": "a1", "outcome": "2"}


def test_random_problems_and_policies_follow_the_schema():
    for document in seeded_documents(15, "simulation json", max_states=100):
        problem = read_text(json.dumps(document), format="json")
        found = [
            simulate(problem, policy=name, num_runs=50)
            for name in ("optimal", "greedy-expected", "random")
        ]

        VALIDATOR.validate(written(*found))


@pytest.mark.parametrize("name", SEEN, ids=ascii)
def test_names_are_kept_as_they_are(name):
    toss = Action(name, outcomes={"heads": 1})
    problem = Problem([toss], [Reward(toss["heads"], 10)], name=name)

    document = written(simulate(problem, num_runs=2))

    assert document["problem"] == name
    [path] = document["policies"][0]["paths"]
    assert path["happened"] == [{"action": name, "outcome": "heads"}]
