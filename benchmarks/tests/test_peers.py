"""What peers take is measured with their start, and shown beside what failed."""

from parts import peers

from branchwise import read


def test_every_command_starts_and_is_timed():
    took = peers.starts(read("examples/illustrative.yaml"), repeats=1)

    assert sorted(took) == ["branchwise", "storm naive", "storm pruned", "unchecked"]
    for each in took.values():
        assert each["cpu_seconds"] > 0
        assert each["seconds"] > 0


def test_a_solver_that_was_too_slow_is_shown_as_such():
    taken = {"cpu_seconds": 2.0, "seconds": 3.0}
    decided = {key: {"failure": "none in 60 s"} for key in peers.SOLVERS}
    decided["LDFS"] = {**taken, "num_states": 1000}
    row = {
        "name": "small",
        "actions": 7,
        "decide": decided,
        "canonical": {**taken, "num_states": 10},
        "starts": dict.fromkeys(
            ("branchwise", "unchecked", "storm naive", "storm pruned"), taken
        ),
    }

    line = peers._decide_line(row)

    assert line[2:] == [*["none in 60 s"] * 3, "2.00", "1,000", "10", "2.00", "1.0x"]
    assert peers._start_line(row)[4] == "1.0x"
