"""Tests for reading models of PRISM, through Storm."""

import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

from branchwise.errors import FormatError
from branchwise.formats.foreign.storm import listing, model, states
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

    monkeypatch.setattr(states.subprocess, "run", run)


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


# Two goals of a ship: each leg succeeds with p, and there are N legs.
OPEN = """\
// N legs, const int K; in a comment counts for nothing
const int N; // how many
const double p;
const bool is_calm;
const int twice = 2*once; const int once = 1;
mdp
module ship
  s : [0..N+1];
  [sail] s<N & is_calm -> p : (s'=s+1) + 1-p : (s'=N+1);
  [drift] s<N -> p/twice : (s'=s+once) + 1-p/twice : (s'=N+1);
endmodule
label "there" = s=N;
"""
GIVEN = {"N": 2, "p": Fraction(2, 3), "is_calm": True}


def open_model(question="", constants=None, text=OPEN):
    line = f"// property: {question}\n" if question else ""
    return read_text(line + text, "prism", constants)


def test_open_constants_are_given():
    """Two legs succeed with (2/3)^2, or with (1/3)^2 where one has to drift."""
    question = 'Pmax=? [F "there"]'
    problem = open_model(question, GIVEN)

    assert worth(problem) == Fraction(4, 9)
    assert problem.name == "text (N=2, p=2/3, is_calm=True)"
    adrift = {"N": "2", "p": "2/3", "is_calm": "false"}
    assert worth(open_model(question, adrift)) == Fraction(1, 9)
    assert (
        worth(open_model(question, GIVEN | {"p": "66.6 %"})) == Fraction(333, 500) ** 2
    )


def test_constants_that_are_open_are_listed_with_what_to_type():
    with pytest.raises(FormatError) as caught:
        open_model('Pmax=? [F "there"]', {"p": 0.5})

    assert str(caught.value) == (
        "text:3:1: the constants have no value: `N`, `is_calm`\n    fix: give each a "
        "value, such as `--set N=2 --set is_calm=true`; or in the file: `const int N = "
        "2;`"
    )


WRONG = {
    "M": ("3", "text: there is no constant `M`", "set one that is open: `N`, `p`"),
    "n": ("3", "there is no constant `n`; did you mean `N`?", "set one"),
    "once": ("3", "text:5:27: the constant `once` is `1` in the", "`const int once;`"),
    "N": ("2.5", "`N` is a whole number, and not `2.5`", "`--set N=2`, say"),
    "p": ("high", "`p` is a number, and not `high`", "`--set p=0.5`, say"),
    "is_calm": ("1", "`is_calm` is `true` or `false`, and not `1`", "=true`, say"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_constant_that_does_not_fit_is_refused_with_place_cause_and_fix(name):
    value, what, fix = WRONG[name]
    with pytest.raises(FormatError) as caught:
        open_model("", {name: value})
    assert what in str(caught.value)
    assert fix in caught.value.issues[0].fix


def test_all_that_does_not_fit_is_said():
    with pytest.raises(FormatError) as caught:
        open_model("", {"M": 3, "p": "high"})
    assert len(caught.value.issues) == 2


def test_other_files_have_no_constants():
    with pytest.raises(FormatError) as caught:
        read_text("actions: {a: {outcomes: {ok: 1}}}", constants={"N": 3})
    assert "which only models for PRISM have" in str(caught.value)
    assert "`problem.with_parameters(...)`" in str(caught.value)


def test_properties_may_have_constants_and_labels_of_their_own(tmp_path):
    """`coin.props` is about `coin2.nm`, too; k is within how many steps."""
    path = tmp_path / "coin2.nm"
    path.write_text(COIN)
    beside = tmp_path / "coin.props"
    beside.write_text('const int k;\nlabel "up" = s=1;\nPmax=? [ F<k "up" ]')

    assert read(path, {"k": 3}).budget["steps"] == 2
    assert worth(read(path, {"k": 3})) == Fraction(3, 4)
    with pytest.raises(
        FormatError, match=r"coin\.props:1:1: the constant has no value"
    ):
        read(path)
    beside.rename(tmp_path / "other.props")
    assert read(path, {"k": 3}).budget["steps"] == 2


def test_files_that_ask_for_nothing_that_can_be_read_are_named(tmp_path):
    path = tmp_path / "coin.nm"
    path.write_text(COIN.replace('"end"', '"over"'))
    (tmp_path / "coin.props").write_text('S=? [ s=1 ]\nPmax=? [F s=1 {"heads"}{max}]')
    with pytest.raises(FormatError, match=r"no property in `coin\.props` can be asked"):
        read(path)


def test_the_first_property_that_can_be_expressed_is_asked(tmp_path):
    """Rewards count in no circle, nor does the least where one can wait."""
    path = tmp_path / "coin.nm"
    path.write_text(COIN)
    beside = tmp_path / "coin.props"
    beside.write_text("Rmax=? [F s>0]\nPmin=? [F s=1]\nPmax=? [F s=1]\nPmax=? [F s=2]")
    _, issues = check_file(path)
    assert issues[0].what == "the property is `Pmax=? [F s=1]`"
    beside.write_text("Rmax=? [F s>0]\nPmin=? [F s=1]")
    with pytest.raises(FormatError, match=r"Rmax=\? \[F s>0\]` counts rewards"):
        read(path)


def test_the_least_probability_counts_below_zero(tmp_path):
    """Of two ways to a wreck the better one leads there with 1/4; waiting is none."""
    text = """mdp
module ship
  s : [0..3];
  [narrow] s=0 -> 1/4 : (s'=1) + 3/4 : (s'=2);
  [wide] s=0 -> 1/2 : (s'=3) + 1/2 : (s'=1);
  [on] s=3 -> 1/3 : (s'=1) + 2/3 : (s'=2);
endmodule
"""
    assert worth(asked("Pmin=? [F s=1]", text)) == Fraction(-1, 4)
    assert worth(asked("Pmax=? [F s=1]", text)) == Fraction(2, 3)
    for question in ("Pmin=? [F<=2 s=1]", "Pmin=? [F s=1]"):
        circle = text.replace("[on] s=3", "[back] s=2 -> (s'=0); [on] s=3")
        with pytest.raises(FormatError, match="is least where one waits"):
            asked(question, circle.replace("s'=2", "s'=0"))
    path = tmp_path / "ship.prism"
    path.write_text(f"// property: Pmin=? [F s=1]\n{text}")
    assert "the probability with a minus" in check_file(path)[1][0].what


def test_what_has_to_hold_until_then_does():
    """Through 1 the goal is sure, around it as likely as a coin."""
    text = """mdp
module walk
  s : [0..3];
  [through] s=0 -> (s'=1);
  [around] s=0 -> 1/2 : (s'=2) + 1/2 : (s'=3);
  [on] s=1 -> (s'=2);
endmodule
"""
    assert worth(asked("Pmax=? [true U s=2]", text)) == 1
    assert worth(asked("Pmax=? [s!=1 U s=2]", text)) == Fraction(1, 2)
    assert worth(asked("Pmax=? [ s!=1 U<=1 s=2 ]", text)) == Fraction(1, 2)


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
    monkeypatch.setattr(model, "MOST_STATES", 50)
    with pytest.raises(FormatError, match="90 states in which something is decided"):
        asked("Pmax=? [F s=90]", counting)
    monkeypatch.setattr(listing, "_MOST_STATES", 50)
    with pytest.raises(FormatError, match="the model has 91 states"):
        asked("Pmax=? [F s=90]", counting)


def test_a_model_that_takes_too_long_is_given_up(monkeypatch):
    def run(command, **how):
        raise subprocess.TimeoutExpired(command, how["timeout"])

    monkeypatch.setattr(states.subprocess, "run", run)
    with pytest.raises(FormatError, match="its states are not listed in 120 seconds"):
        read_text(COIN, "prism")


def test_without_storm_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setattr(states, "find_spec", lambda name: None)
    with pytest.raises(FormatError) as caught:
        read_text(COIN, "prism")
    assert "install it: `pip install stormpy`" in str(caught.value)


def test_storm_runs_in_a_process_of_its_own(monkeypatch):
    monkeypatch.undo()

    assert worth(read_text(INFECTION, "prism")) == Fraction(459, 20000)
