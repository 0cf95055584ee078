"""Rewarding sets, shown: lined up, valid, and honest about limits."""

import json
import re
from fractions import Fraction
from itertools import count, islice
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from branchwise import report
from branchwise.errors import LimitError
from branchwise.formats.read import read, read_text
from branchwise.model.action import Action
from branchwise.model.budget import Amounts
from branchwise.model.conditions.condition import Happened
from branchwise.model.problem import Problem, Reward
from branchwise.report.text.label import display_width
from branchwise.rewarding.listing import SetsListing
from branchwise.rewarding.sets import RewardingSets
from problems.hostile_names import SEEN
from problems.strategies import seeded_documents
from strict_schema import strict

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture
def paper():
    return RewardingSets(read(EXAMPLES / "illustrative.yaml"))


class Set:
    """A rewarding set that is what the test says."""

    def __init__(self, *outcomes, reward=1, probability="1/2"):
        self.needs = tuple(Happened(*outcome.split("=")) for outcome in outcomes)
        self.order = tuple(event.action for event in self.needs)
        self.reward = Fraction(reward)
        self.probability = Fraction(probability)
        self.strength = self.reward * self.probability
        self.cost = Amounts(len(outcomes))
        self.penalty = None


class Sets:
    """Rewarding sets without end; reading on past ``breaks_at`` hits a limit."""

    num_sets = 10**12
    unused_actions = ()
    dead_ends = ()
    perfect_information = 2.5

    def __init__(self, breaks_at=None):
        toss = Action("toss", outcomes={"heads": 1})
        self.problem = Problem([toss], [Reward(toss["heads"], 1)])
        self.breaks_at = breaks_at

    def __iter__(self):
        for number in count():
            if number == self.breaks_at:
                raise LimitError("more than 7 nodes")
            yield Set("toss=heads", probability=Fraction(1, number + 2))


def test_the_four_sets_of_the_paper(paper):
    """
    The paper's sets with its probabilities: 0.6 x 0.3 x 0.6 = 0.108, 0.3 x 0.1 = 0.03,
    0.6 x 0.6 x 0.3 x 0.4 = 0.0432 and 0.6 x 0.3 x 0.3 x 0.4 = 0.0216.
    """
    lines = list(report.lines(paper))

    assert lines[:5] == [
        "Illustrative example (budget 6)",
        "4 rewarding sets",
        "",
        "rank  reward  probability  strength  cost  outcomes, in order",
        "   1      50       10.8 %       5.4     3  a1=ok, a4=ok, a5=ok",
    ]
    assert lines[5] == "   2     100          3 %         3     2  a3=ok, a7=ok"
    assert lines[6].startswith("   3      10       4.32 %     0.432     4  a")
    assert lines[7].startswith("   4      10       2.16 %     0.216     4  a")
    assert lines[8:10] == ["", "every action may be worth taking"]
    assert re.fullmatch(
        r"perfect information: no plan is worth more than [0-9.]+", lines[10]
    )
    assert len(lines) == 11


def test_a_limit_says_what_it_left_out(paper):
    lines = list(report.lines(SetsListing(paper, limit=3)))

    assert [line[:4] for line in lines[4:7]] == ["   1", "   2", "   3"]
    assert lines[8] == "3 of 4 sets; --all lists all"


@pytest.mark.parametrize("limit", [4, 5, None])
def test_a_limit_that_leaves_out_nothing_says_nothing(paper, limit):
    assert not any(
        "--limit" in line for line in report.lines(SetsListing(paper, limit=limit))
    )


def test_budget_2_pays_for_one_set(paper):
    """Only a3, a7 costs no more than 2; the others never get anywhere."""
    poor = RewardingSets(paper.problem.with_budget(2))

    lines = list(report.lines(poor))

    assert lines[1] == "1 rewarding set"
    assert lines[6:8] == [
        "never worth taking at this budget:",
        "    a1, a2, a4, a5, a6",
    ]
    assert [line[:24] for line in lines if line.startswith("dead end")] == [
        "dead end: rewards.0.when",
        "dead end: rewards.1.when",
    ]
    assert any(line.startswith("    fix: ") for line in lines)
    assert lines[-1] == "perfect information: no plan is worth more than 3"


def test_without_sets_there_is_no_table(paper):
    lines = list(report.lines(RewardingSets(paper.problem.with_budget(1))))

    assert lines[1] == "no rewarding sets: this budget reaches no reward"
    assert "no action is worth taking at this budget" in lines
    assert not any("rank" in line for line in lines)


def test_a_reward_for_nothing_needs_nothing_at_all():
    problem = read_text(
        "actions: {toss: {outcomes: {heads: 1}}}\nrewards: [{when: not toss, value: 3}]"
    )

    lines = list(report.lines(RewardingSets(problem)))

    assert lines[4] == "   1       3        100 %         3     0  nothing at all"


def test_every_resource_has_its_cost():
    problem = read_text(
        "budget: {money: 9, days: 9}\n"
        "actions:\n"
        "  walk: {cost: {days: 3}, outcomes: {there: 1}}\n"
        "  fly: {cost: {money: 4, days: 0.5}, outcomes: {there: 0.9, not: rest}}\n"
        "rewards: [{when: walk=there or fly=there, value: 10}]"
    )

    lines = list(report.lines(RewardingSets(problem)))

    assert lines[4:6] == [
        "   1      10        100 %        10             3 days  walk=there",
        "   2      10         90 %         9  4 money, 0.5 days  fly=there",
    ]


def test_sets_are_told_while_they_are_found():
    lines = list(islice(report.lines(SetsListing(Sets(), limit=None)), 10_000))

    assert lines[1] == "1,000,000,000,000 rewarding sets"
    assert lines[-1].lstrip().startswith("9996  ")


def test_columns_get_wider_and_never_lose_anything():
    lines = list(islice(report.lines(SetsListing(Sets(), limit=None)), 20_000))

    assert lines[4] == "   1       1         50 %        0.5     1  toss=heads"
    assert lines[10_003].startswith("10000  ")
    assert {line[-10:] for line in lines[4:]} == {"toss=heads"}


def test_small_probabilities_can_be_told_apart():
    lines = list(islice(report.lines(SetsListing(Sets(), limit=None)), 20_000))

    assert " 0.01 %  " in lines[4 + 9_998]
    assert " 0.00667 %  " in lines[4 + 14_998]


def test_a_limit_met_on_the_way_is_told():
    lines = list(report.lines(SetsListing(Sets(breaks_at=2), limit=None)))

    assert lines[7] == "2 of 1,000,000,000,000 sets; stopped: more than 7 nodes"


def test_time_that_is_up_ends_the_list_and_is_told():
    lines = list(report.lines(SetsListing(Sets(), limit=None, time_limit_seconds=1)))

    stopped = re.compile("([0-9,]+) of 1,000,000,000,000 sets; stopped: the time is up")
    [number] = [match[1] for line in lines if (match := stopped.fullmatch(line))]
    assert int(number.replace(",", "")) > 0
    assert lines[-1] == "perfect information: no plan is worth more than 2.5"


def test_without_any_time_nothing_is_pretended():
    lines = list(report.lines(SetsListing(Sets(), limit=20, time_limit_seconds=-1)))

    assert lines[1:] == [
        "",
        "0 of the sets; stopped: the time is up",
        "",
        "dead ends: not known within these limits",
        "perfect information: not known within these limits",
    ]


@pytest.mark.parametrize("width", [24, 40, 61, 80, 200])
def test_a_narrow_page_breaks_lines_and_loses_no_outcome(width):
    problem = read(EXAMPLES / "phishing.yaml")
    sets = RewardingSets(problem)

    lines = list(report.lines(sets, width=width))

    numbers = re.compile(r" +[0-9]+ +[0-9]+ +[0-9.]+ % +[0-9.]+ +[0-9]+|rank .*cost")
    assert all(len(line) <= max(width, 28) or numbers.match(line) for line in lines)
    shown = " ".join(" ".join(lines).split())
    for each in sets if width >= 40 else ():
        assert ", ".join(map(str, each.needs)) in shown


@pytest.mark.parametrize("name", SEEN)
def test_names_keep_to_their_place(name):
    """Names with unseen characters are refused before anything is shown."""
    act = Action(name, outcomes={name: 1})
    problem = Problem([act], [Reward(act[name], 1)], name=name, budget={name: 1})

    lines = list(report.lines(RewardingSets(problem), width=60))

    assert all("\u202e" not in line and "\n" not in line for line in lines)
    assert all(display_width(line) <= 100 for line in lines)


def test_pieces_are_painted_by_what_they_are(paper):
    painted = list(
        report.lines(paper, paint=lambda text, ink: f"<{ink}>{text}</{ink}>")
    )

    assert painted[0] == "<title>Illustrative example (budget 6)</title>"
    assert "<reward>    50  </reward>" in painted[4]


VALIDATOR = Draft202012Validator(strict(report.schema("sets")))


def written(sets, **limits):
    """Read the text back; NaN and Infinity are not JSON."""
    text = report.json(SetsListing(sets, **limits) if limits or not sets else sets)
    assert text.endswith("}\n")
    return json.loads(text, parse_constant=pytest.fail)


def test_the_schema_is_a_schema():
    Draft202012Validator.check_schema(report.schema("sets"))


def test_the_four_sets_of_the_paper_as_data(paper):
    document = written(paper)

    VALIDATOR.validate(document)
    assert document["format"] == "branchwise-rewarding-sets"
    assert document["version"] == 1
    assert document["num_sets"] == 4
    assert document["complete"] is True
    assert document["unused_actions"] == []
    assert document["perfect_information"] == paper.perfect_information
    first, second, third, fourth = document["rewarding_sets"]
    assert first == {
        "reward": 50,
        "cost": 3,
        "probability": 0.108,
        "needs": [
            {"action": "a1", "outcome": "ok"},
            {"action": "a4", "outcome": "ok"},
            {"action": "a5", "outcome": "ok"},
        ],
        "order": ["a1", "a4", "a5"],
    }
    assert second["order"] == ["a3", "a7"]
    assert sorted(third["order"]) == ["a1", "a2", "a4", "a6"]
    assert sorted(fourth["order"]) == ["a2", "a3", "a4", "a6"]


def test_text_and_data_are_the_same(paper):
    assert written(paper) == report.document(paper)


def test_a_limit_is_told(paper):
    document = written(paper, limit=2)

    VALIDATOR.validate(document)
    assert [each["reward"] for each in document["rewarding_sets"]] == [50, 100]
    assert document["num_sets"] == 4
    assert document["complete"] is False


@pytest.mark.parametrize("limit", [4, 5, None])
def test_a_limit_that_leaves_out_nothing_is_complete(paper, limit):
    assert written(paper, limit=limit)["complete"] is True


def test_no_sets_are_a_complete_list(paper):
    document = written(RewardingSets(paper.problem.with_budget(1)))

    VALIDATOR.validate(document)
    assert document["rewarding_sets"] == []
    assert document["complete"] is True
    assert document["unused_actions"] == [f"a{i}" for i in range(1, 8)]
    assert document["perfect_information"] == 0


def test_sets_that_could_not_be_counted_are_not_complete():
    document = written(None)

    VALIDATOR.validate(document)
    assert document == report.document(SetsListing(None))
    assert document["rewarding_sets"] == []
    assert document["num_sets"] is None
    assert document["complete"] is False
    assert document["unused_actions"] is None
    assert document["perfect_information"] is None


def test_a_limit_met_on_the_way_is_not_complete(paper, monkeypatch):
    def broken(self):
        yield from islice(found, 1)
        raise LimitError("the time is up")

    found = list(paper)
    monkeypatch.setattr(RewardingSets, "__iter__", broken)
    document = written(paper)

    VALIDATOR.validate(document)
    assert len(document["rewarding_sets"]) == 1
    assert document["complete"] is False
    assert document["num_sets"] == 4


def test_time_that_is_up_is_not_complete(paper):
    document = written(paper, time_limit_seconds=-1)

    VALIDATOR.validate(document)
    assert document["rewarding_sets"] == []
    assert document["complete"] is False


def test_several_resources_are_told_one_by_one():
    problem = read_text(
        "budget: {money: 9, days: 9}\n"
        "actions: {walk: {cost: {days: 1/2}, outcomes: {there: 1}}}\n"
        "rewards: [{when: walk=there, value: 10}]"
    )

    document = written(RewardingSets(problem))

    VALIDATOR.validate(document)
    assert document["rewarding_sets"][0]["cost"] == {"money": 0, "days": 0.5}


def test_names_are_written_as_they_are():
    problem = read_text(
        "actions: {試掘: {outcomes: {'<oil>': 1}}}\n"
        "rewards: [{when: 試掘='<oil>', value: 1}]"
    )

    text = report.json(RewardingSets(problem))

    assert '"needs": [{"action": "試掘", "outcome": "<oil>"}]' in text


@pytest.mark.parametrize("seed", range(5))
def test_any_problem_makes_a_valid_document(seed):
    for drawn in seeded_documents(10, f"sets {seed}", max_states=300):
        problem = read_text(json.dumps(drawn), format="json")

        document = written(RewardingSets(problem), limit=None)

        VALIDATOR.validate(document)
        sets = document["rewarding_sets"]
        assert document["complete"] is True
        assert document["num_sets"] == len(sets)
        strengths = [each["reward"] * each["probability"] for each in sets]
        assert strengths == pytest.approx(sorted(strengths, reverse=True))
        used = {name for each in sets for name in each["order"]}
        assert not used & set(document["unused_actions"])
