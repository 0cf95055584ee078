"""Tests for reading models of PRISM, through Storm."""

import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

from branchwise.errors import FormatError
from branchwise.formats.foreign.storm import listing, model
from branchwise.formats.read import check_file, read, read_text
from branchwise.formats.write import write, write_text
from branchwise.solver import solve

EXAMPLES = Path(__file__).parents[4] / "examples"

# An attacker gets in by mail or by stick, unless a scanner finds it, and runs what is
# there, unless the computer restarts: Aslanyan, Nielson and Parker (2016).
INFECTION = """\
// property: Pmax=? [F "success"]
mdp
const double mail = 0.2;
const double stick = 0.6;
module attacker
  s : [0..4];
  in : bool init false;
  [by_both] s=0 -> 1-(1-mail)*(1-stick) : (s'=1)&(in'=true)
                 + (1-mail)*(1-stick) : (s'=1);
  [by_mail] s=0 -> mail : (s'=1)&(in'=true) + 1-mail : (s'=1);
  [scan] s=1 & in -> 0.3 : (s'=2) + 0.7 : (s'=2)&(in'=false);
  [run] s=2 & in -> 0.75*0.15 : (s'=3) + 1-0.75*0.15 : (s'=4);
  [wait] s=2 & in -> (s'=4);
endmodule
label "success" = s=3;
"""

# A coin is tossed again and again, or given up for a prize.
COIN = """\
mdp
module coin
  s : [0..2];
  [toss] s=0 -> 1/2 : (s'=1) + 1/2 : (s'=0);
  [stop] s=0 -> (s'=2);
endmodule
label "heads" = s=1;
label "end" = s>0;
rewards "coins" [stop] true : 1; endrewards
"""

# Two ways to the end: one pays 4, the other 3 and then 2 with even chances.
PATHS = """\
mdp
module walk
  s : [0..3];
  [left] s=0 -> (s'=3);
  [right] s=0 -> 1/2 : (s'=1) + 1/2 : (s'=3);
  [on] s=1 -> (s'=3);
endmodule
label "there" = s=3;
rewards "steps" [left] true : 4; [right] true : 3; s=1 : 2; endrewards
"""


@pytest.fixture(autouse=True)
def storm_here(monkeypatch):
    """Let Storm run in this process, as to start one takes a second."""

    def run(command, **how):
        listing.write_listing(*command[3:])

    monkeypatch.setattr(model.subprocess, "run", run)


def asked(question, text):
    return read_text(f"// property: {question}\n{text}", "prism")


def worth(problem):
    return solve(problem, exact=True).expected_reward


def test_the_infection_succeeds_with_459_in_20000():
    """(1 - 0.8 * 0.4) * 0.3 * 0.75 * 0.15 = 0.02295, as published."""
    problem = read_text(INFECTION, "prism")
    solution = solve(problem, exact=True)

    assert solution.expected_reward == Fraction(459, 20000)
    assert solution.first_action == "by_both"
    assert [*problem.counters][1].name == "in"


@pytest.mark.parametrize(("steps", "value"), [(1, "1/2"), (3, "7/8")])
def test_a_model_that_goes_round_takes_a_number_of_steps(steps, value):
    problem = asked('Pmax=? [F "heads"]', COIN)

    assert problem.budget["steps"] == 20
    assert worth(problem.with_budget(steps)) == Fraction(value)


def test_a_property_may_say_how_many_steps():
    problem = asked("Pmax=? [ F<=2 s=1 ]", COIN)

    assert problem.budget["steps"] == 2
    assert worth(problem) == Fraction(3, 4)


def test_rewards_are_earned_on_the_way():
    """Left pays 4, right 3 + 1/2 * 2 as well; least is 4 either way, and most too."""
    most = asked('R{"steps"}max=? [F "there"]', PATHS)
    least = asked('Rmin=? [F "there"]', PATHS.replace(": 4", ": 5"))

    assert worth(most) == 4
    assert solve(least, exact=True).expected_cost == 4
    assert solve(least).first_action == "right"


def test_a_chain_has_no_choices():
    text = PATHS.replace("mdp", "dtmc").replace("[left] s=0 -> (s'=3);", "")
    text = text.replace("[left] true : 4;", "")

    assert worth(asked("P=? [F s=1]", text)) == Fraction(1, 2)


def test_files_of_properties_beside_the_model_are_looked_at(tmp_path):
    path = tmp_path / "coin.nm"
    path.write_text(COIN)
    beside = tmp_path / "coin.props"
    beside.write_text(
        'const int k;\n// a comment\n"p": Pmin=? [F s=1]\nPmax=? [F s=2];\n'
    )
    problem, issues = check_file(path)

    assert worth(problem) == 1
    assert problem.name == "coin"
    assert issues[0].what == "the property is `Pmax=? [F s=2]`"
    assert issues[0].where == f"{path}:1:1"
    assert "within 20 steps" in issues[1].what


def test_a_label_that_is_called_so_is_the_goal():
    problem = read_text(COIN.replace('"heads"', '"goal"'), "prism")

    assert worth(problem.with_budget(1)) == Fraction(1, 2)


def test_choices_of_one_name_say_where_they_are():
    text = PATHS.replace("[on]", "[left]")
    names = [action.name for action in asked("Pmax=? [F s=3]", text).actions]

    assert names == ["left (start)", "right", "left (s:1)"]


@pytest.mark.parametrize("name", ["illustrative", "knee_pain"])
def test_what_is_written_for_prism_is_read_back(name, tmp_path):
    """The third line of the model says how the two values go together."""
    problem = read(EXAMPLES / f"{name}.yaml")
    path = tmp_path / "model.prism"
    write(problem, path)
    line = path.read_text().splitlines()[2]
    surplus = Fraction(line.partition(" - ")[2] or 0)

    assert worth(read(path)) - surplus == worth(problem)


def test_a_model_that_was_read_is_written_as_a_problem_of_ours():
    problem = read_text(INFECTION, "prism")

    assert read_text(write_text(problem)) == problem


BROKEN = {
    "": "text:1:1: no line says what kind of model this is",
    "// mdp\n\nsmg\n": "text:3:1: this is a model `smg`, which is a game of several",
    "ctmc\n": "text:1:1: this is a model `ctmc`, which has continuous time",
    "pomdp\n": "`pomdp`, which has states that are not seen",
    COIN: "no property says what the goal is, and no label is called so; labels are "
    '`"heads"`',
    COIN.replace(
        "mdp", "mdp\nconst int N;", 1
    ): "text:2:1: the constant has no value: `N`",
    COIN.replace("[stop]", "[stop"): "text:5:9: Storm cannot read the model",
    f"// property: Pmax=? [F s=0]\n{COIN}": "`Pmax=? [F s=0]` holds from the start",
    f"// property: Pmax=? [F s=9]\n{COIN}": "nothing leads to the goal of `Pmax=? [F",
    f"// property: Pmax=? [F s=9]\n{COIN} init s<2 endinit": "the model starts in 2",
    f"// property: Rmax=? [F s>0]\n{COIN}": "counts rewards of a model that goes round",
}


@pytest.mark.parametrize("text", BROKEN, ids=range(len(BROKEN)))
def test_what_cannot_be_read_is_refused_with_place_cause_and_fix(text):
    if text == COIN:
        text = COIN.replace('"end"', '"over"')
    with pytest.raises(FormatError) as caught:
        read_text(text, "prism")
    wanted = BROKEN.get(text, BROKEN[COIN])
    assert wanted in str(caught.value)
    assert "\n    fix: " in str(caught.value)


def test_a_model_of_many_states_is_refused(monkeypatch):
    counting = COIN.replace("[0..2]", "[0..90]").replace("(s'=2)", "(s'=s+1)")
    counting = counting.replace("[stop] s=0", "[stop] s<90")
    monkeypatch.setattr(model, "_MOST_STATES", 50)
    with pytest.raises(FormatError, match="90 states in which something is decided"):
        asked("Pmax=? [F s=90]", counting)
    monkeypatch.setattr(listing, "_MOST_STATES", 50)
    with pytest.raises(FormatError, match="the model has 91 states"):
        asked("Pmax=? [F s=90]", counting)


def test_a_model_that_takes_too_long_is_given_up(monkeypatch):
    def run(command, **how):
        raise subprocess.TimeoutExpired(command, how["timeout"])

    monkeypatch.setattr(model.subprocess, "run", run)
    with pytest.raises(FormatError, match="its states are not listed in 120 seconds"):
        read_text(COIN, "prism")


def test_without_storm_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setattr(model, "find_spec", lambda name: None)
    with pytest.raises(FormatError) as caught:
        read_text(COIN, "prism")
    assert "install it: `pip install stormpy`" in str(caught.value)


def test_storm_runs_in_a_process_of_its_own(monkeypatch):
    monkeypatch.undo()

    assert worth(read_text(INFECTION, "prism")) == Fraction(459, 20000)
