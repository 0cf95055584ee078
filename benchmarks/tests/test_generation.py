"""The comparison with an earlier commit: each part in small, and what it refuses."""

import subprocess
from dataclasses import dataclass, field

import measure
import pytest
from builds import engine_build
from builds.engine_build import EngineBuild
from page import results_page
from parts import generation
from registry.instances import MIXED, TABLE_1

NOW = EngineBuild(results_page.ROOT / "src")
BOTH = {"before": NOW, "after": NOW}
SMALL = (TABLE_1[9], MIXED[0])


@dataclass
class StandIn:
    """A build that gives what it is told, and keeps what it was asked for."""

    answers: dict
    asked: list = field(default_factory=list)

    def solve(self, text, *, search="auto", **options):
        self.asked.append((search, options.get("time_limit_seconds")))
        return dict(self.answers[search])


def answer(cpu_seconds, status="optimal", *, states=100, value=1.0):
    return {
        "status": status,
        "solve_cpu_seconds": cpu_seconds,
        "num_states": states,
        "value": value,
    }


@pytest.fixture(scope="module")
def found():
    """What all parts find with the work tree on both sides."""
    return {
        "baseline": "fc95b71",
        "machine": results_page.machine(),
        "exploring": generation.exploring(BOTH, SMALL, 1),
        "auto": generation.choosing(NOW, SMALL, 1),
        "early": generation.early(BOTH, SMALL[1:], 1, marks=(0.1,)),
        "threads": generation.threads(BOTH, [("best-first", SMALL[1:])], 1),
    }


def test_exploring_counts_states_and_bytes_on_both_sides(found):
    easy = found["exploring"][1]

    assert [row["name"] for row in found["exploring"]] == ["table1-09", "mixed-01"]
    for name in BOTH:
        assert easy[name]["num_states"] == MIXED[0].canonical_states
        assert easy[name]["num_bytes"] > 0
        assert 0 < easy[name]["explore_seconds"] <= easy[name]["solve_seconds"]


def test_auto_and_both_searches_solve_each_problem(found):
    for row in found["auto"]:
        assert list(row["searches"]) == ["auto", "exhaustive", "best-first"]
        assert not any(each["is_cut_off"] for each in row["searches"].values())
        assert generation.to_best(row) > 0


def test_an_early_plan_has_a_value_and_a_bound(found):
    (row,) = found["early"]

    assert row["seconds"] == 0.1
    assert 0 < row["after"]["value"] <= row["after"]["upper_bound"]


def test_threads_are_compared_on_both_sides(found):
    (row,) = found["threads"]

    for name in BOTH:
        assert generation.two_threads(row, name) > 0


def test_the_page_has_a_place_for_every_table(found):
    blocks = generation.blocks(found)

    assert len(blocks) == 5
    text = results_page.fill(results_page.PAGE.read_text(encoding="utf-8"), blocks)
    assert "| mixed-01 | 629 |" in text
    assert "Baseline: commit fc95b71. " in text


def test_the_page_stays_as_it_is_where_little_is_known(found):
    some = {"exploring": found["exploring"]}

    assert list(generation.blocks(some)) == ["generation exploring"]
    assert generation.blocks({}) == {}


def test_shares_are_of_the_optimum_where_it_is_known():
    plan = {"value": 31.482 / 2, "upper_bound": 50.0}
    rows = [
        {"name": name, "seconds": 5, "before": plan, "after": plan}
        for name in ("hard-60", "hard-200")
    ]

    shown = generation.blocks({"early": rows})["generation early"].splitlines()

    assert shown[2].endswith("| 50.0000 | 50.0 % | 50.0 % |")
    assert shown[3].endswith("| 50.0000 |  |  |")


def test_a_search_far_slower_than_the_best_is_cut_off_once_and_for_all():
    """The best takes 4 s; a run of 25 s has 20 s, as it keeps a fifth to finish."""
    build = StandIn(
        {
            "auto": answer(8.0),
            "exhaustive": answer(4.0),
            "best-first": answer(21.0, "time limit"),
        }
    )

    (row,) = generation.choosing(build, TABLE_1[9:10], 2)

    assert build.asked == [
        ("auto", 600),
        ("exhaustive", 50),
        ("best-first", 25),
        ("auto", 600),
        ("exhaustive", 25),
    ]
    assert generation.to_best(row) == 2
    shown = generation.blocks({"auto": [row]})["generation auto"]
    assert "| table1-09 | 8.00 | 4.00 | more than 21 | 2.00x |" in shown


def test_where_nothing_is_done_in_time_there_is_no_ratio():
    late = answer(600.0, "time limit")
    build = StandIn(dict.fromkeys(generation.SEARCHES, late))

    (row,) = generation.choosing(build, TABLE_1[9:10], 1)

    assert generation.to_best(row) is None
    shown = generation.blocks({"auto": [row]})["generation auto"]
    assert shown.endswith("| more than 600 | more than 600 | more than 600 |  |")


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (answer(1.0, states=99), r"table1-09: \(100, 99\) states"),
        (answer(1.0, value=1.0001), r"table1-09: \["),
        (answer(1.0, "time limit"), "table1-09: time limit"),
    ],
    ids=["states", "value", "status"],
)
def test_builds_that_disagree_are_not_compared(other, message):
    builds = {
        "before": StandIn({"exhaustive": answer(1.0)}),
        "after": StandIn({"exhaustive": other}),
    }

    with pytest.raises(AssertionError, match=message):
        generation.exploring(builds, TABLE_1[9:10], 1)


def test_a_build_is_measured_with_its_own_package(tmp_path):
    """There is no package here, so the one that is installed is refused."""
    with pytest.raises(subprocess.CalledProcessError):
        EngineBuild(tmp_path).solve(TABLE_1[9].text())


def test_the_baseline_is_unpacked_once(monkeypatch, tmp_path):
    compiled = []
    monkeypatch.setattr(
        engine_build, "build_core", lambda *where, **_: compiled.append(where)
    )
    command = ["git", "-C", str(results_page.ROOT), "rev-parse", "HEAD"]
    commit = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    if not commit:
        pytest.skip("there is no history to take a commit from")

    first = engine_build.baseline(commit.strip(), folder=tmp_path)
    again = engine_build.baseline(
        commit.strip(), folder=tmp_path, repository=tmp_path / "nowhere"
    )

    assert again == first
    assert (first.source / "branchwise" / "solver.py").exists()
    tree = tmp_path / commit[:7]
    assert compiled == [(tree, tree / "build")] * 2


def test_without_history_it_says_so_and_ends_with_exit_code_2(
    monkeypatch, tmp_path, capsys
):
    baseline = engine_build.baseline
    monkeypatch.setattr(
        engine_build,
        "baseline",
        lambda: baseline(repository=tmp_path, folder=tmp_path / "build"),
    )
    monkeypatch.setattr(measure, "write_page", lambda: None)

    assert measure.main(["--only", "generation", "--quick"]) == 2
    assert "commit fc95b71, is not in the history at hand" in capsys.readouterr().err


def test_without_git_it_says_so(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(engine_build.NoHistoryError, match="there is no git"):
        engine_build.baseline(folder=tmp_path)
