"""State spaces of one's own: the ways that are measured find the same."""

import pytest
from parts.space_worker import solved
from parts.spaces import WAYS, blocks


@pytest.mark.parametrize("way", WAYS)
def test_every_way_finds_the_value_of_the_guide(way):
    # 16861/2800, which the guide works out in fractions.
    assert solved(way, 10).expected_reward == pytest.approx(16861 / 2800)


def test_the_table_shows_states_per_second_and_ratios():
    row = {"patients": 10, "states": 1001, "cpu_seconds": 0.5, "megabytes": 30}
    rows = [{**row, "way": "arrays"}, {**row, "way": "plain", "cpu_seconds": 1.0}]

    lines = blocks({"rows": rows})["spaces"].splitlines()

    assert lines[-1] == "| 10 | 1,001 | plain | 1.00 s | 1,000 | 30 MB | 2.0x |"


@pytest.mark.parametrize("way", WAYS)
def test_a_trial_of_twenty_patients(benchmark, way):
    found = benchmark.pedantic(solved, (way, 20), rounds=1)

    assert found.statistics.full_graph_states == 10_626
