"""
What the engines promise on the registry of problems, without a clock.

`python benchmarks/measure.py` measures; nothing here depends on how fast a machine is,
but for one ratio within one run.
"""

import json

import measure
import pytest
from clock import fastest
from page import results_page
from parts import large
from parts.tables import LARGE_HALF
from registry.instances import STORM, TABLE_1

from branchwise import solve

SMALL = [i for i in TABLE_1 if i.counts.full_graph_states < 200_000]
NAIVE = [i for i in TABLE_1 if i.naive_states]


@pytest.mark.parametrize("search", ["exhaustive", "best-first"])
@pytest.mark.parametrize("instance", TABLE_1, ids=str)
def test_the_canonical_engine_proves_the_optimum(benchmark, instance, search):
    problem = instance.problem()

    solution = benchmark(
        lambda: solve(problem, engine="canonical", search=search, verify=False)
    )

    assert solution.status == "optimal"
    assert solution.expected_reward == pytest.approx(
        float(instance.expected_reward), rel=1e-12
    )
    assert solution.statistics.tree_nodes <= instance.counts.tree_nodes


@pytest.mark.parametrize("instance", TABLE_1, ids=str)
def test_there_are_fewer_canonical_states_than_states_of_the_full_graph(instance):
    """Ten times fewer, where graphs are large."""
    solution = solve(instance.problem(), engine="canonical", search="exhaustive")

    least = 10 if instance in LARGE_HALF else 1
    states = solution.statistics.full_graph_states
    assert states * least <= instance.counts.full_graph_states


@pytest.mark.parametrize("instance", SMALL, ids=str)
def test_the_paper_engine_counts_what_the_registry_says(benchmark, instance):
    problem = instance.problem()

    found = benchmark(lambda: solve(problem, engine="paper", verify=False)).statistics

    counts = instance.counts
    assert found.rewarding_sets == counts.rewarding_sets
    assert found.full_graph_states == counts.full_graph_states
    assert found.reduced_graph_states == counts.reduced_graph_states
    assert found.tree_nodes == counts.tree_nodes


@pytest.mark.parametrize("instance", NAIVE, ids=str)
def test_the_paper_engine_counts_naive_states_too(instance):
    found = solve(instance.problem(), engine="paper", naive=True).statistics

    assert found.full_graph_states == instance.naive_states


def test_the_paper_engine_is_far_faster_than_the_reference():
    """Hundreds of times, measured; a tenth of that would still be enough here."""
    problem = TABLE_1[7].problem()
    slow, fast = (
        fastest(
            lambda engine=engine: solve(problem, engine=engine, verify=False), repeats=2
        )
        for engine in ("reference", "paper")
    )

    assert slow.cpu_seconds / fast.cpu_seconds > 20


def test_a_state_of_the_paper_engine_takes_less_than_64_bytes():
    """With 25 actions, when there are enough states to share what all of them need."""
    found = solve(TABLE_1[0].problem(), engine="paper").statistics

    assert found.full_graph_states == TABLE_1[0].counts.full_graph_states
    assert found.num_bytes / found.full_graph_states < 64


@pytest.mark.parametrize("instance", STORM[:-1], ids=str)
def test_the_ladder_has_the_optimum_that_the_registry_says(instance):
    check_ladder(instance)


@pytest.mark.slow
def test_the_top_of_the_ladder_has_it_too():
    check_ladder(STORM[-1])


def check_ladder(instance):
    solution = solve(instance.problem())

    assert solution.status == "optimal"
    assert solution.expected_reward == pytest.approx(
        float(instance.expected_reward), rel=1e-12
    )


def test_the_page_shows_the_results_that_are_kept():
    for name, part in measure.PARTS.items():
        text = results_page.page_of(part).read_text(encoding="utf-8")
        found = results_page.read_results(name)
        if found is None:
            continue
        assert results_page.fill(text, part.blocks(found)) == text, name
        for picture, svg in getattr(part, "pictures", lambda _: {})(found).items():
            assert (results_page.IMAGES / f"{picture}.svg").read_text("utf-8") == svg


def test_results_are_kept_with_the_machine_they_come_from(tmp_path):
    results_page.write_results("speed", {"rows": [1]}, folder=tmp_path)

    kept = json.loads((tmp_path / "speed.json").read_text(encoding="utf-8"))
    assert kept["rows"] == [1]
    assert kept["machine"]["cores"] > 0
    assert results_page.read_results("speed", folder=tmp_path) == kept
    assert results_page.read_results("nothing", folder=tmp_path) is None


def test_the_gap_is_that_of_the_last_look():
    points = [(0.5, 10, 40.0, 80.0), (2.0, 99, 60.0, 75.0)]

    assert large.gap_at(points, 0.1) is None
    assert large.gap_at(points, 1) == 0.5
    assert large.gap_at(points, 5) == 0.2
