"""A folder of states: gone on with, refused, damaged, full."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random
from threading import Event

import pytest

import branchwise
from branchwise import generate, solve
from branchwise.engine.limits import Limits
from branchwise.engine.spill.spilled_run import PartLimits
from branchwise.engine.spill.spilled_solver import solve_in_folder
from branchwise.errors import SpillError
from oracles.spilled import in_files, same_answer

PARTS = PartLimits(met=60)
PROBLEM = generate(14, budget=7, seed=3)


@pytest.fixture(scope="module")
def answer():
    return same_answer(solve(PROBLEM, search="exhaustive", verify=False), PARTS)


def stopped_after(number, folder):
    """Begin in a folder, and stop once so many reports have come."""
    cancel, reports = Event(), []

    def listen(report):
        reports.append(report)
        if len(reports) >= number:
            cancel.set()

    limits = Limits(cancel=cancel)
    return solve_in_folder(PROBLEM, folder, limits=limits, parts=PARTS, progress=listen)


def test_a_run_that_is_stopped_has_a_plan_and_goes_on_from_there(tmp_path, answer):
    stopped = stopped_after(1, tmp_path)

    assert stopped.expected_reward <= answer[0] <= stopped.upper_bound
    assert f"are in `{tmp_path}`: with the same folder it goes on" in stopped.reason
    assert same_answer(in_files(PROBLEM, tmp_path, PARTS), PARTS) == answer


def test_a_folder_that_is_done_answers_at_once(tmp_path, answer):
    in_files(PROBLEM, tmp_path, PARTS)
    before = {each: each.stat().st_mtime_ns for each in tmp_path.glob("part-*")}

    again = in_files(PROBLEM, tmp_path, PartLimits())

    after = {each: each.stat().st_mtime_ns for each in tmp_path.glob("part-*")}
    assert same_answer(again, PARTS) == answer
    assert after == before
    assert not list(tmp_path.glob("*.keys"))


def test_another_objective_scores_again_and_explores_nothing(tmp_path):
    in_files(PROBLEM, tmp_path, PARTS)
    states = {each: each.stat().st_mtime_ns for each in tmp_path.glob("*.states")}

    again = in_files(PROBLEM, tmp_path, PARTS, prefer="least-depth")

    known = solve(PROBLEM, search="exhaustive", prefer="least-depth", verify=False)
    assert same_answer(again, PARTS) == same_answer(known, PARTS)
    assert states == {e: e.stat().st_mtime_ns for e in tmp_path.glob("*.states")}


def harmed(file, how, random):
    """Change a bit of a file, or cut it off somewhere."""
    content = bytearray(file.read_bytes())
    place = random.randrange(len(content))
    if how == "cut":
        del content[place:]
    else:
        content[place] ^= 1 << random.randrange(8)
    file.write_bytes(content)


def said_of(folder):
    """The answer, and the error if there is one."""
    try:
        return same_answer(in_files(PROBLEM, folder, PARTS), PARTS), None
    except SpillError as error:
        return None, error


def harm_everything(folder, tmp_path, how, answer, times):
    """Harm file after file, each in a copy; return how often that was an error."""
    files = [each.name for each in sorted(folder.iterdir()) if each.stat().st_size]
    random, num_errors = Random(how), 0
    for number in range(times):
        copy = tmp_path / "copy"
        shutil.copytree(folder, copy)
        harmed(copy / files[number % len(files)], how, random)
        found, error = said_of(copy)
        assert found in (None, answer), files[number % len(files)]
        if error is not None:
            num_errors += 1
            assert str(error).startswith(str(copy))
            assert "\n    fix: " in str(error)
        shutil.rmtree(copy)
    return num_errors


@pytest.mark.parametrize("how", ["flip", "cut"])
def test_no_damage_of_a_folder_that_is_done_goes_by_unseen(tmp_path, answer, how):
    """Whatever byte of whatever file is changed: an error that names it, or no harm."""
    in_files(PROBLEM, tmp_path / "done", PARTS)

    assert harm_everything(tmp_path / "done", tmp_path, how, answer, 60) > 30


@pytest.mark.parametrize("how", ["flip", "cut"])
def test_no_damage_goes_by_unseen_while_there_is_more_to_do(tmp_path, answer, how):
    folder, stop = tmp_path / "begun", Event()

    def listen(_):
        if len(list(folder.glob("*.states"))) >= 3:
            stop.set()

    solve_in_folder(
        PROBLEM,
        folder,
        search="exhaustive",
        limits=Limits(cancel=stop),
        parts=PARTS,
        progress=listen,
    )

    assert list(folder.glob("*.keys"))
    assert harm_everything(folder, tmp_path, how, answer, 40) > 20


def test_what_is_damaged_can_be_removed_and_is_worked_out_again(tmp_path, answer):
    """A file that nothing is read from any more may as well stay as it is."""
    in_files(PROBLEM, tmp_path, PARTS)
    for file in sorted(tmp_path.glob("part-*"))[::9]:
        file.write_bytes(file.read_bytes()[:-1])
        found, error = said_of(tmp_path)
        if error is not None:
            assert "damaged" in str(error)
            Path(error.issues[0].where).unlink()
            found, _ = said_of(tmp_path)

        assert found == answer


@pytest.mark.parametrize(
    ("other", "what"),
    [
        (generate(14, budget=8, seed=3), "it holds the states of another problem"),
        (generate(14, budget=7, seed=4), "it holds the states of another problem"),
    ],
)
def test_the_folder_of_another_problem_is_refused(tmp_path, other, what):
    in_files(other, tmp_path, PARTS)
    before = sorted(each.name for each in tmp_path.iterdir())

    with pytest.raises(SpillError, match=what):
        in_files(PROBLEM, tmp_path, PARTS)
    assert sorted(each.name for each in tmp_path.iterdir()) == before


TOSS = """
budget: 2
actions:
  toss: {{attempts: 3, outcomes: {{heads: {}, tails: rest}}}}
rewards: [{{when: toss=heads, value: 8}}]
"""


def test_the_folder_of_other_probabilities_is_refused(tmp_path):
    in_files(branchwise.read_text(TOSS.format("0.5")), tmp_path, PARTS)

    with pytest.raises(SpillError, match="of another problem, or of other numbers"):
        in_files(branchwise.read_text(TOSS.format("0.6")), tmp_path, PARTS)


def test_the_files_of_another_problem_are_refused_in_our_folder(tmp_path):
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    in_files(generate(14, budget=7, seed=4), theirs, PARTS)
    in_files(PROBLEM, ours, PARTS)
    shutil.copy(theirs / "part-000000.states", ours)

    with pytest.raises(SpillError, match="it belongs to another problem"):
        in_files(PROBLEM, ours, PARTS)


def test_states_of_another_version_are_refused(tmp_path):
    in_files(PROBLEM, tmp_path, PARTS)
    label = tmp_path / "spill.json"
    said = json.loads(label.read_text())
    label.write_text(json.dumps(said | {"version": "0.0.9"}))

    with pytest.raises(SpillError, match=r"states of branchwise 0\.0\.9"):
        in_files(PROBLEM, tmp_path, PARTS)


def test_a_folder_with_other_files_is_refused(tmp_path):
    (tmp_path / "thesis.txt").write_text("years of work")

    with pytest.raises(SpillError, match=r"it holds other files, such as `thesis.txt`"):
        in_files(PROBLEM, tmp_path, PARTS)


def test_one_process_at_a_time_has_a_folder(tmp_path):
    def listen(_):
        with pytest.raises(SpillError, match="another process is at work"):
            in_files(PROBLEM, tmp_path, PARTS)

    solve_in_folder(PROBLEM, tmp_path, progress=listen)


def test_too_little_memory_leaves_a_plan_and_the_folder(tmp_path, answer):
    stopped = in_files(PROBLEM, tmp_path, PartLimits(met=2, most=3))

    assert "as not all canonical states were explored" in stopped.reason
    assert stopped.expected_reward <= answer[0] <= stopped.upper_bound
    assert same_answer(in_files(PROBLEM, tmp_path, PARTS), PARTS) == answer


_WITHOUT_ROOM = """
import resource, signal, sys
import branchwise
from branchwise.engine.spill.spilled_run import PartLimits
from branchwise.engine.spill.spilled_solver import solve_in_folder

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
problem = branchwise.generate(14, budget=7, seed=3)
try:
    solve_in_folder(problem, sys.argv[1], search="exhaustive", parts=PartLimits(met=60))
except branchwise.errors.SpillError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the limit is one of POSIX systems")
@pytest.mark.parametrize("size", [10, 500, 1500])
def test_a_full_disk_is_an_error_and_the_folder_goes_on(tmp_path, answer, size):
    command = [sys.executable, "-c", _WITHOUT_ROOM, str(tmp_path), str(size)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert "cannot be written: File too large" in said
    assert "fix: " in said
    assert not list(tmp_path.glob("*.tmp"))
    assert same_answer(in_files(PROBLEM, tmp_path, PARTS), PARTS) == answer


@pytest.mark.parametrize(
    ("how", "what"),
    [
        ({"engine": "paper"}, "only `canonical` keeps its states in files"),
        ({"search": "best-first"}, "what is in files is explored to its end"),
        ({"gap": 0.1}, "what is in files is explored to its end"),
        ({"naive": True}, "only canonical states are kept in files"),
        ({"exact": True}, "scores in files are floats"),
        ({"rewarding_sets": 2}, "what is in files goes by all of them"),
        ({"adversary": branchwise.Adversary()}, "scores in files are nominal"),
        ({"prefer": "random"}, "files go by fewest-nodes"),
        ({"aim": branchwise.risk.CVaR(0.1)}, "does not go with an aim"),
    ],
)
def test_what_files_cannot_hold_is_refused_with_a_reason_and_a_fix(tmp_path, how, what):
    folder = tmp_path / "states"

    with pytest.raises(ValueError, match=what) as caught:
        solve(PROBLEM, spill=folder, **how)
    assert "\n    fix: leave one of them out" in str(caught.value)
    assert not folder.exists()


def test_solve_keeps_states_in_a_folder(tmp_path, answer):
    found = solve(PROBLEM, spill=tmp_path / "states", search="exhaustive")

    assert same_answer(found, PARTS) == answer
    assert found.reason == "explored every canonical state, in one part in files"
