"""The score program: its answers, its check of HiGHS, its files and its limits."""

import resource
import sys
from fractions import Fraction
from pathlib import Path

import highspy
import pytest

from branchwise import (
    Action,
    AvailableAction,
    FormatError,
    LimitError,
    Problem,
    ProblemError,
    Reward,
    Transition,
    read,
)
from branchwise.errors import PlanError
from branchwise.program import score_program
from oracles.unit_flow import is_unit_flow

EXAMPLE = Path(__file__).parents[2] / "examples" / "illustrative.yaml"


def test_visits_of_the_example_are_those_of_an_optimal_plan():
    """a1 and a2 are both optimal first; whichever is taken, 60 % of it comes out ok."""
    solution = score_program(read(EXAMPLE), graph="full").solve()

    taken = {action.name: action.probability for action in solution.root.actions}
    assert solution.root.optimal_actions == ("a1", "a2")
    assert taken["a1"] + taken["a2"] == pytest.approx(1)
    assert taken["a3"] == 0
    likely = list(solution.visited())
    assert likely[0].probability == 1
    assert likely[1].probability == pytest.approx(0.6)
    assert [s.probability for s in likely] == sorted(
        (s.probability for s in likely), reverse=True
    )


@pytest.mark.parametrize("method", ["simplex", "ipm"])
@pytest.mark.parametrize("presolve", [True, False])
def test_every_method_finds_the_same_scores(method, presolve):
    program = score_program(read(EXAMPLE), graph="full")
    usual = program.solve()

    other = program.solve(method=method, presolve=presolve)

    assert other.scores == pytest.approx(usual.scores, abs=1e-9)
    assert [s == 0 for s in other.slacks] == [s == 0 for s in usual.slacks]
    assert other.is_presolved == presolve
    assert other.method == method
    assert (other.iterations > 0) == (not presolve)
    is_unit_flow(other)


def test_a_wrong_answer_of_presolve_is_found_out_and_asked_for_again(monkeypatch):
    """A HiGHS whose presolve adds a little to one score, as wrong ones have done."""
    right = score_program(read(EXAMPLE), graph="full").solve()
    truth = highspy.Highs.getSolution

    def wrong(self):
        solution = truth(self)
        if self.getOptionValue("presolve")[1] == "on":
            values = list(solution.col_value)
            values[3] += 1e-6
            solution.col_value = values
        return solution

    monkeypatch.setattr(highspy.Highs, "getSolution", wrong)
    solution = score_program(read(EXAMPLE), graph="full").solve()

    assert not solution.is_presolved
    assert solution.scores == pytest.approx(right.scores, abs=1e-12)


def test_what_never_passes_the_check_is_an_error(monkeypatch):
    truth = highspy.Highs.getSolution

    def wrong(self):
        solution = truth(self)
        solution.col_value = [value + 1e-6 for value in solution.col_value]
        return solution

    monkeypatch.setattr(highspy.Highs, "getSolution", wrong)
    with pytest.raises(RuntimeError, match="misses the recursion of scores by"):
        score_program(read(EXAMPLE)).solve()


def test_wrong_duals_are_an_error(monkeypatch):
    truth = highspy.Highs.getSolution

    def wrong(self):
        solution = truth(self)
        solution.row_dual = [value + 0.1 for value in solution.row_dual]
        return solution

    monkeypatch.setattr(highspy.Highs, "getSolution", wrong)
    with pytest.raises(RuntimeError, match="its duals are off by"):
        score_program(read(EXAMPLE)).solve()


class Ladder:
    """Climb from 0 to 3 for a reward per rung; each step may throw back to the side."""

    root = 0

    def actions(self, state):
        if 0 <= state < 3:
            steps = (Transition("up", 0.5, state + 1), Transition("off", 0.5, -1))
            yield AvailableAction("climb", steps, cost=1, charge=0.25)

    def reward(self, state):
        return max(state, 0) ** 3


def test_a_state_space_of_ones_own_has_a_program_too():
    """From 2: 0.5 * 27 - 0.25 = 13.25; from 1: 6.375; from 0: 2.9375."""
    solution = score_program(Ladder()).solve()

    assert solution.expected_reward == pytest.approx(2.9375)
    scores = {state.state: state.score for state in solution.states()}
    assert scores == pytest.approx({0: 2.9375, 1: 6.375, 2: 13.25, 3: 27, -1: 0})
    visits = {state.state: state.probability for state in solution.states()}
    assert visits == pytest.approx({0: 1, 1: 0.5, 2: 0.25, 3: 0.125, -1: 0.875})


class Circle:
    root = 0

    def actions(self, state):
        yield AvailableAction("go", (Transition("on", 1, (state + 1) % 3),))

    def reward(self, state):
        return 0


def test_a_circle_is_refused():
    with pytest.raises(ProblemError, match="can be reached from itself"):
        score_program(Circle())


def test_where_nothing_is_worth_doing_the_program_has_no_rows():
    idle = Action("idle", outcomes={"done": 1})
    solution = score_program(Problem([idle], [Reward(idle["done"], 0)])).solve()

    assert (solution.num_columns, solution.num_rows) == (1, 0)
    assert solution.expected_reward == 0
    assert (solution.root.probability, solution.root.stops) == (1, 1)


def test_states_can_be_asked_for_by_history():
    solution = score_program(read(EXAMPLE)).solve()

    state = solution.after("a1=ok, a4=ok")

    assert str(state.state) == "a1=ok, a4=ok, 4 left"
    assert solution.state(state.number).score == pytest.approx(state.score)
    with pytest.raises(PlanError, match="`a7=ok` leads to no state of the program"):
        solution.after("a7=ok")
    with pytest.raises(IndexError, match="there are 37 states, numbered from 0"):
        solution.state(37)


@pytest.mark.parametrize("suffix", [".mps", ".lp"])
@pytest.mark.parametrize("only_root", [True, False])
def test_a_written_program_has_the_same_optimum_elsewhere(tmp_path, suffix, only_root):
    """Read back and solved on its own, in the rewards' own units."""
    program = score_program(read(EXAMPLE), graph="full")
    solution = program.solve()
    file = tmp_path / f"example{suffix}"

    program.write(file, only_root=only_root)

    elsewhere = highspy.Highs()
    elsewhere.setOptionValue("output_flag", False)
    elsewhere.readModel(str(file))
    elsewhere.run()
    best = solution.expected_reward if only_root else sum(solution.scores)
    assert elsewhere.getObjectiveValue() == pytest.approx(best, rel=1e-9)
    lp = elsewhere.getLp()
    assert sorted(lp.col_names_) == sorted(f"s{i}" for i in range(168))
    assert "s0_a1" in lp.row_names_
    assert len(set(lp.row_names_)) == program.num_rows


def test_awkward_names_are_written_so_that_solvers_can_read_them(tmp_path):
    names = ["drill here", "drill-here", "größer", "größer!", "x" * 300]
    actions = [Action(name, outcomes={"ok": 0.5, "no": 0.5}) for name in names]
    rewards = [Reward(action["ok"], 10) for action in actions]
    program = score_program(Problem(actions, rewards, budget=2, combine="sum"))
    file = tmp_path / "names.lp"

    program.write(file)

    elsewhere = highspy.Highs()
    elsewhere.setOptionValue("output_flag", False)
    elsewhere.readModel(str(file))
    assert elsewhere.getNumRow() == program.num_rows
    assert elsewhere.getNumCol() == program.num_columns


def test_a_program_is_written_only_as_mps_or_lp(tmp_path):
    with pytest.raises(ValueError, match=r"must end in .mps or .lp"):
        score_program(read(EXAMPLE)).write(tmp_path / "program.txt")


def test_limits_end_it_with_a_word():
    problem = read(EXAMPLE)

    for graph in ("canonical", "full"):
        with pytest.raises(LimitError, match="there are more than 20 states"):
            score_program(problem, graph=graph, most_states=20)
    with pytest.raises(LimitError, match="time limit was met before the program"):
        score_program(problem).solve(time_limit_seconds=1e-9)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"graph": "half"}, "there is no graph `half`; there are auto, canonical"),
        ({"graph": "canonical", "naive": True}, "canonical states are never naive"),
    ],
)
def test_what_contradicts_itself_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        score_program(read(EXAMPLE), **arguments)


def test_costs_too_fine_for_the_core_are_left_to_the_reference():
    """A problem may count in 62 bits; the core wants some of them for itself."""
    fine = Action("fine", cost=Fraction(1, 2**61), outcomes={"ok": 1}, attempts=2)
    dear = Action("dear", cost=1, outcomes={"ok": 1})
    rewards = [Reward(fine["ok"], 1), Reward(dear["ok"], 2)]
    problem = Problem([fine, dear], rewards, budget=1)

    for graph in ("auto", "full"):
        assert score_program(problem, graph=graph).solve().expected_reward == 2
    with pytest.raises(LimitError, match="too fine to be counted in 64 bits"):
        score_program(problem, graph="canonical")


def test_a_state_space_has_no_canonical_states():
    with pytest.raises(ValueError, match="of your own has no canonical states"):
        score_program(Ladder(), graph="canonical")


def test_an_unknown_method_is_refused():
    with pytest.raises(ValueError, match="no method `guess`; there are simplex, ipm"):
        score_program(read(EXAMPLE)).solve(method="guess")


def test_without_highs_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "highspy", None)

    with pytest.raises(ImportError, match="pip install highspy"):
        score_program(read(EXAMPLE)).solve()


def test_a_program_that_cannot_be_written_is_an_error_and_leaves_the_old_file(
    tmp_path,
):
    """HiGHS itself would not notice: it reports success on a disk that is full."""
    program = score_program(read(EXAMPLE))
    full, file = tmp_path / "full.mps", tmp_path / "program.mps"
    full.symlink_to("/dev/full")
    file.write_text("old")
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)

    with pytest.raises(FormatError, match="No space left on device"):
        program.write(full)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, usual[1]))
    try:
        with pytest.raises(FormatError, match="HiGHS could not write all of it"):
            program.write(file)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)

    assert file.read_text() == "old"
    assert {each.name for each in tmp_path.iterdir()} == {"full.mps", "program.mps"}
