"""A sweep makes what `generate` makes, once, on any machine."""

from concurrent.futures import ProcessPoolExecutor
from threading import Event

import pytest

from branchwise import ProblemError, generate, read
from branchwise.batches import sweep
from branchwise.tree import Stage

SMALL = {"actions": 6, "budget": 4}


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_every_file_is_the_problem_of_its_seed(tmp_path):
    made = sweep(tmp_path / "new", 11, seed="s", **SMALL)

    assert [path.name for path in made.paths] == [f"{n:02}.yaml" for n in range(1, 12)]
    for number, path in enumerate(made.paths, 1):
        assert read(path) == generate(seed=f"s-{number}", **SMALL)
    assert not made.issues


def test_others_make_the_same_files(tmp_path):
    sweep(tmp_path / "here", 20, **SMALL)
    with ProcessPoolExecutor(2) as executor:
        sweep(tmp_path / "there", 20, executor=executor, **SMALL)

    assert contents(tmp_path / "there") == contents(tmp_path / "here")


def test_an_interrupted_sweep_goes_on_where_it_was(tmp_path):
    cancel, told = Event(), []

    def stop(progress):
        told.append(progress.num_states)
        if progress.num_states >= 3:
            cancel.set()

    with pytest.raises(KeyboardInterrupt):
        sweep(tmp_path, 30, progress=stop, cancel=cancel, **SMALL)
    before = contents(tmp_path)
    assert 3 <= len(before) < 30
    times = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}

    told.clear()
    sweep(tmp_path, 30, progress=told.append, **SMALL)
    assert told[0].stage is Stage.GENERATING
    assert (told[0].num_all, told[-1].num_states) == (30, 30)
    assert {p: p.stat().st_mtime_ns for p in times} == times
    assert len(contents(tmp_path)) == 30


def test_what_is_there_is_not_written_over(tmp_path):
    (tmp_path / "3.yaml").write_text("precious")
    with pytest.raises(FileExistsError, match="not the problem to be made; name"):
        sweep(tmp_path, 5, **SMALL)
    assert contents(tmp_path) == {"3.yaml": b"precious"}


def test_seeds_without_a_problem_are_named(tmp_path):
    """Within this budget not every seed has a reward that is worth its cost."""
    made = sweep(tmp_path, 12, actions=9, budget=5, cost_weight=8, success="0.2-0.6")

    assert made.paths
    assert made.issues
    assert made.issues[0].where.startswith("--seed 0-")
    assert len(contents(tmp_path)) == len(made.paths) < 12


def test_knobs_are_checked_before_anything_is_made(tmp_path):
    with pytest.raises(ProblemError, match="actions"):
        sweep(tmp_path / "new", 3, actions=1)
    with pytest.raises(ValueError, match="number"):
        sweep(tmp_path / "new", 0)
    assert not (tmp_path / "new").exists()
