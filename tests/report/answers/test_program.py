"""Score programs, shown: what fits a page, and the same as data."""

import json

import pytest
from jsonschema import Draft202012Validator

from branchwise import (
    Action,
    AvailableAction,
    Problem,
    Reward,
    Transition,
    read_text,
    report,
)
from branchwise.program import score_program
from problems.hostile_names import SEEN
from problems.paper import illustrative
from problems.strategies import seeded_documents
from strict_schema import strict


def test_lines_are_cut_to_the_width():
    solution = score_program(illustrative()).solve()

    for line in report.lines(solution, width=40, is_ascii=True):
        assert len(line) <= 40
        assert line.isascii()


def test_all_visited_states_are_listed_without_a_limit():
    solution = score_program(illustrative(), graph="full").solve()

    lines = list(report.lines(solution, detail="full"))
    table = lines[lines.index("") + 1 :]
    states = table[table.index("") + 2 :]

    assert len(states) == solution.num_visited
    assert not any("visited state" in line for line in lines)


def test_canonical_states_say_that_their_path_is_an_example():
    canonical = score_program(illustrative()).solve()
    full = score_program(illustrative(), graph="full").solve()

    assert any(line.endswith("after, for example") for line in report.lines(canonical))
    assert any(line.endswith("  after") for line in report.lines(full))


def test_where_rewards_add_up_only_what_is_still_to_gain_is_told():
    """Both tosses end in the same canonical state, having gained 0, 10 or 20."""
    tosses = [Action(name, outcomes={"ok": 0.5, "no": 0.5}) for name in ("one", "two")]
    rewards = [Reward(toss["ok"], 10) for toss in tosses]
    solution = score_program(Problem(tosses, rewards, combine="sum")).solve()

    lines = list(report.lines(solution))

    assert "expected reward 10" in lines
    assert [line.split()[:3] for line in lines[-3:]] == [
        ["100", "%", "10"],
        ["100", "%", "5"],
        ["100", "%", "0"],
    ]
    assert "still to gain" in lines[-4]


def test_the_page_opens_with_what_to_do_first_and_what_is_as_good():
    """The plan of the program is the one that is drawn first, whichever it is."""
    solution = score_program(illustrative()).solve()
    taken = next(a.name for a in solution.root.actions if a.probability)
    [other] = {"a1", "a2"} - {taken}

    page = report.html(solution)

    assert f"Start with <strong><bdi>{taken}</bdi></strong>, or as well" in page
    assert f"with <strong><bdi>{other}</bdi></strong>" in page
    assert '<strong><span title="8.43672">8.437</span></strong> on average' in page
    assert f"visits {solution.num_visited} states of {solution.num_columns}" in page


def test_the_page_of_a_least_cost_speaks_of_costs():
    """Repairing always works and costs 3; cleaning costs 1 and works with 0.5."""
    clean = Action("clean", outcomes={"ok": 0.5, "no": 0.5}, cost=1)
    repair = Action("repair", outcomes={"ok": 1}, cost=3)
    solution = score_program(
        Problem([clean, repair], finish="clean=ok or repair", objective="least-cost")
    ).solve()

    page = report.html(solution)

    assert "that costs <strong>2.5</strong> on average" in page
    assert "start with <bdi>repair</bdi>: 0.5 more" in page


class Coin:
    root = "start"

    def actions(self, state):
        if state == "start":
            steps = (Transition("heads", 0.5, "won"), Transition("tails", 0.5, "lost"))
            yield AvailableAction("toss", steps)

    def reward(self, state):
        return 10 if state == "won" else 0


def test_a_state_space_of_ones_own_has_no_title():
    lines = list(report.lines(score_program(Coin()).solve()))

    assert lines[0] == "expected reward 5"
    assert "   50 %     10  stop  toss=heads" in lines
    assert "Start with <strong><bdi>toss</bdi></strong>" in report.html(
        score_program(Coin()).solve()
    )


@pytest.mark.parametrize("name", SEEN)
def test_hostile_names_stay_on_their_line(name):
    action = Action(name, outcomes={"ok": 0.5, "no": 0.5})
    solution = score_program(Problem([action], [Reward(action["ok"], 1)])).solve()

    for line in report.lines(solution, width=60):
        assert "\n" not in line


VALIDATOR = Draft202012Validator(strict(report.schema("program")))


def written(solution, **options):
    """Read the text back; NaN and Infinity are not JSON."""
    text = report.json(report.ProgramAnswer(solution, **options))
    assert text.endswith("}\n")
    return json.loads(text, parse_constant=pytest.fail)


def test_the_schema_is_a_schema():
    Draft202012Validator.check_schema(report.schema("program"))


def test_every_state_is_there_with_its_actions():
    solution = score_program(illustrative(), graph="full").solve()

    document = written(solution, is_complete=True)

    VALIDATOR.validate(document)
    assert document == report.document(report.ProgramAnswer(solution, is_complete=True))
    assert [state["column"] for state in document["states"]] == [
        f"s{number}" for number in range(168)
    ]
    root = document["states"][0]
    assert root["score"] == document["expected_reward"] == pytest.approx(8.43672)
    assert root["state"] == "nothing yet, 6 left"
    assert {a["name"] for a in root["actions"] if a["is_optimal"]} == {"a1", "a2"}


def test_random_problems_follow_the_schema():
    for document in seeded_documents(15, "program json", max_states=60):
        problem = read_text(json.dumps(document), format="json")
        found = written(score_program(problem).solve(), is_complete=True)

        VALIDATOR.validate(found)
        for state in found["states"]:
            taken = sum(action["probability"] for action in state["actions"])
            assert taken + state["stops"] == pytest.approx(state["probability"])
