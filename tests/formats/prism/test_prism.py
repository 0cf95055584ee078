"""Tests for the text of models; `test_storm.py` is about what Storm makes of them."""

import re

import pytest

from branchwise.errors import FormatError, ProblemError, printable
from branchwise.formats.read import read_text
from branchwise.formats.write import write, write_text
from branchwise.model.action import Action
from branchwise.model.problem import Problem, Reward
from problems.rewording import AWKWARD

TWO_STEPS = """\
name: Two steps
budget: {money: 3}
actions:
  try it: {attempts: 2, outcomes: {'no': 0.7, 'yes': 0.3}, precluded_by: try it=yes}
  bet:
    cost: 1.5
    requires: not "try it"
    outcomes: {lost: 0.5, won: 0.5}
    given: [{when: '"try it"=no', outcomes: {won: 1}, cost: 1}]
rewards: [{when: '"try it"=yes or bet=won', value: 1/3}]
""".replace("precluded_by: try it=yes", "precluded_by: '\"try it\"=yes'")

TWO_STEPS_MODEL = """\
// Two steps: a problem of branchwise, for PRISM and Storm
// property: Pmax=? [F "goal"]
// expected reward: 1/3 * result

mdp

module problem
  // what is left of money, in units of 0.5
  left_money : [0..6] init 6;
  // try it: how often, and what has happened
  times_try_it : [0..2] init 0;
  did_try_it_no : bool init false; // no
  did_try_it_yes : bool init false; // yes
  // bet: 0 not taken, 1 lost, 2 won
  did_bet : [0..2] init 0;

  // try it
  [take_try_it] times_try_it<2 & left_money>=2 & !(did_try_it_yes)
    -> 7/10 : (times_try_it'=times_try_it+1) & (did_try_it_no'=true) \
& (left_money'=left_money-2)
     + 3/10 : (times_try_it'=times_try_it+1) & (did_try_it_yes'=true) \
& (left_money'=left_money-2);

  // bet, given "try it"=no
  [take_bet_given_1] did_bet=0 & left_money>=2 & !(times_try_it>0) & did_try_it_no
    -> 1 : (did_bet'=2) & (left_money'=left_money-2);

  // bet
  [take_bet] did_bet=0 & left_money>=3 & !(times_try_it>0) & !(did_try_it_no)
    -> 1/2 : (did_bet'=1) & (left_money'=left_money-3)
     + 1/2 : (did_bet'=2) & (left_money'=left_money-3);

  // Stopping is allowed everywhere.
  [stop] true -> true;
endmodule

formula reward_1 = (did_try_it_yes | did_bet=2); // 1/3 for "try it"=yes or bet=won

label "goal" = reward_1;
"""

CHARGED = """\
budget: 2
actions:
  ask: {attempts: unlimited, cost: 0.5, outcomes: {'no': 0.5, 'yes': 0.5}}
  buy: {cost: 9, outcomes: {ok: 1}}
rewards:
  - {when: ask=yes, value: 4}
  - {when: ask, value: -1}
  - {when: buy, value: 7}
combine: sum
cost_weight: 3
"""

CHARGED_MODEL = """\
// A problem of branchwise, for PRISM and Storm
// property: Rmax=? [F "done"]
// expected reward: result - 7

mdp

module problem
  done : bool init false;
  // what is left of budget, in units of 0.5
  left_budget : [0..4] init 4;
  // ask: how often, and what has happened
  times_ask : [0..4] init 0;
  did_ask_yes : bool init false; // yes

  // ask
  [take_ask] !done & times_ask<4 & left_budget>=1
    -> 1/2 : (times_ask'=times_ask+1) & (left_budget'=left_budget-1)
     + 1/2 : (times_ask'=times_ask+1) & (did_ask_yes'=true) \
& (left_budget'=left_budget-1);

  // Stopping is allowed everywhere.
  [stop] !done -> (done'=true) & (left_budget'=0) & (times_ask'=0) \
& (did_ask_yes'=false);
  [] done -> true;
endmodule

formula reward_1 = did_ask_yes; // 4 for ask=yes
formula reward_2 = times_ask>0; // -1 for ask
formula reward_3 = false; // 7 for buy

rewards "total"
  [stop] reward_1 : 4;
  [stop] !reward_2 : 1;
  [stop] reward_3 : 7;
  [stop] true : (4-times_ask)*3/2;
endrewards

label "done" = done;
"""


def model(*actions, **settings):
    rewards = settings.pop("rewards", [Reward(actions[-1].attempted, 1)])
    return write_text(Problem(actions, rewards, **settings), "prism")


def header(text):
    return re.findall("(?m)^// (?:property|expected reward): (.*)$", text)


def test_one_value_to_gain_is_a_probability():
    """1.5 and 1 of 3 money are 3 and 2 of 6 halves; attempts are counted up to 2."""
    assert write_text(read_text(TWO_STEPS), "prism") == TWO_STEPS_MODEL


def test_what_may_be_lost_is_paid_where_it_is_not():
    """Four asks at 1.5 each and a penalty of 1 are 7 too much; buying is too dear."""
    assert write_text(read_text(CHARGED), "prism") == CHARGED_MODEL


def test_of_several_rewards_the_best_counts():
    a = Action("a", outcomes={"x": 0.5, "y": 0.5})
    rewards = [Reward("a=x", 10), Reward("a", 30), Reward("a=y", 0), Reward("a", 20)]
    text = model(a, rewards=rewards)
    assert header(text) == ['Rmax=? [F "done"]', "result"]
    assert (
        "  [stop] reward_2 : 30;\n"
        "  [stop] !reward_2 & reward_4 : 20;\n"
        "  [stop] !reward_2 & !reward_4 & reward_1 : 10;\n"
        "endrewards\n"
    ) in text


@pytest.mark.parametrize(
    ("rewards", "combine", "asked"),
    [
        ([], "max", ['Pmax=? [F "goal"]', "result"]),
        ([Reward("a", 0)], "max", ['Pmax=? [F "goal"]', "result"]),
        ([Reward("a", 5), Reward("b", 5)], "max", ['Pmax=? [F "goal"]', "5 * result"]),
        ([Reward("a", 5), Reward("b", 5)], "sum", ['Rmax=? [F "done"]', "result"]),
        ([Reward("a", -5)], "sum", ['Rmax=? [F "done"]', "result - 5"]),
        ([Reward("a", "1e10")], "sum", ['Pmax=? [F "goal"]', "10000000000.0 * result"]),
    ],
)
def test_a_probability_is_asked_for_where_it_will_do(rewards, combine, asked):
    actions = [Action(name, outcomes={"x": 1}) for name in "ab"]
    problem = Problem(actions, rewards, combine=combine)
    assert header(write_text(problem, "prism")) == asked


def test_attempts_that_the_budget_ends_are_not_counted():
    a = Action("a", outcomes={"x": 0.5, "y": 0.5}, attempts=9, cost=2)
    text = model(a, budget=7, rewards=[Reward("a=x", 1)])
    assert "left_budget : [0..3] init 3;" in text
    assert "did_a_x : bool init false; // x" in text
    assert "times" not in text
    assert "did_a : bool" not in text
    assert "did_a : bool init false;" in model(a, budget=7)


def test_a_budget_that_pays_for_everything_is_left_out():
    a = Action("a", outcomes={"x": 0.5, "y": 0.5}, attempts=3, cost=2)
    assert "left_" not in model(a, budget=6)
    assert "left_budget : [0..2] init 2;" in model(a, budget=5)


def test_what_no_budget_pays_for_never_happens():
    dear = Action("dear", outcomes={"x": 1}, cost=5)
    cheap = Action("cheap", outcomes={"x": 1}, requires="not dear")
    text = model(dear, cheap, budget=1)
    assert "take_dear" not in text
    assert "did_dear" not in text
    assert "[take_cheap] did_cheap=0 & !(false)\n" in text


@pytest.mark.parametrize("name", AWKWARD)
def test_names_become_identifiers_and_stay_in_comments(name):
    action = Action(name, outcomes={name: "1/2", "other": 0.5}, attempts=2)
    rewards = [Reward(action[name], 3)]
    text = model(action, rewards=rewards, name=name, budget={name: 2})
    assert f"// {printable(name)}: a problem" in text
    assert f"// {printable(name)}\n  [take_" in text
    code = re.sub("(?m)//.*$", "", text)
    assert code.isascii()
    words = set(re.findall(r"\b(?:did|times|take|left)_\w*", code))
    assert len(words) >= 3


def test_names_that_look_alike_stay_apart():
    actions = [Action(name, outcomes={"x": 1}) for name in ("a b", "a-b", "a_b_2", "ä")]
    text = model(*actions, Action("A", outcomes={"x": 1}))
    variables = re.findall(r"(?m)^  (\w+) : \[", text)
    assert variables == ["did_a_b", "did_a_b_2", "did_a_b_2_2", "did_a", "did_A"]


def test_a_title_cannot_end_its_comment():
    text = model(Action("a", outcomes={"x": 1}), name="One\nmdp\n\ttwo")
    assert text.startswith("// One\\nmdp\\n\\ttwo: a problem of branchwise")


def test_a_budget_too_fine_for_storm_is_refused():
    """Storm compares 64 bit numbers as floats: 2**53 is the last that is certain."""
    actions = [
        Action("a", outcomes={"x": 1}, cost=2**60),
        Action("b", outcomes={"x": 1}, cost=3),
    ]
    with pytest.raises(FormatError, match="more than Storm counts exactly") as caught:
        model(*actions, budget=2**60 + 1)
    assert caught.value.issues[0].where == "budget.budget"


def test_a_problem_that_contradicts_itself_is_not_written(tmp_path):
    broken = Problem([Action("a", outcomes={"x": 0.5})])
    with pytest.raises(ProblemError):
        write(broken, tmp_path / "oil.prism")
    assert list(tmp_path.iterdir()) == []


def test_a_model_is_written_to_a_file(tmp_path):
    path = tmp_path / "oil.prism"
    write(read_text(TWO_STEPS), path)
    assert path.read_text(encoding="utf-8") == TWO_STEPS_MODEL
