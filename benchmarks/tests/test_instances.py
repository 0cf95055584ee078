"""The registry of instances says what is so; see `instances.py`."""

import pytest
from registry.instances import (
    ADVISING,
    HARD,
    INSTANCES,
    LARGE,
    MIXED,
    MIXED_EASY,
    MIXED_HARD,
    TABLE_1,
)

from branchwise import solve
from branchwise.formats import check_file
from branchwise.rewarding import RewardingSets

SMALL = [i for i in TABLE_1 if i.counts.full_graph_states < 20_000]
MEDIUM = [i for i in TABLE_1 if 20_000 <= i.counts.full_graph_states < 200_000]
NAIVE = [i for i in TABLE_1 if i.naive_states]


@pytest.mark.parametrize("instance", INSTANCES, ids=str)
def test_the_file_is_what_generate_makes(instance):
    assert instance.file.read_text(encoding="utf-8") == instance.text()


@pytest.mark.parametrize("instance", INSTANCES, ids=str)
def test_the_file_has_no_warnings_and_as_many_sets_as_the_registry_says(instance):
    problem, issues = check_file(instance.file)

    assert issues == ()
    assert RewardingSets(problem).num_sets == instance.counts.rewarding_sets


@pytest.mark.parametrize("instance", TABLE_1, ids=str)
def test_table_1_is_like_the_paper_s(instance):
    """A quarter more or less sets, half as many states again, a like optimum."""
    ours, theirs = instance.counts, instance.paper.counts
    value = float(instance.paper.expected_reward)

    assert 3 / 4 <= ours.rewarding_sets / theirs.rewarding_sets <= 5 / 4
    assert 2 / 3 <= ours.full_graph_states / theirs.full_graph_states <= 3 / 2
    assert 2 / 3 <= float(instance.expected_reward) / value <= 3 / 2
    assert instance.problem().rewards[0].value == 1


@pytest.mark.parametrize("pair", [(1, 6), (2, 8), (3, 10), (4, 5)], ids=str)
def test_these_rows_are_one_problem_with_two_budgets(pair):
    rich, poor = (TABLE_1[row].problem() for row in pair)

    assert (rich.actions, rich.rewards) == (poor.actions, poor.rewards)
    assert (rich.budget["budget"], poor.budget["budget"]) == (15, 10)


@pytest.mark.parametrize("instance", SMALL, ids=str)
def test_the_reference_engine_finds_the_optimum_and_the_counts(instance):
    check_solution(instance)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("instance", MEDIUM, ids=str)
def test_the_reference_engine_finds_them_in_larger_graphs_too(instance):
    check_solution(instance)


def check_solution(instance):
    solution = solve(instance.problem(), engine="reference", exact=True)

    found, counts = solution.statistics, instance.counts
    assert solution.expected_reward == instance.expected_reward
    assert found.rewarding_sets == counts.rewarding_sets
    assert found.full_graph_states == counts.full_graph_states
    assert found.reduced_graph_states == counts.reduced_graph_states
    assert found.tree_nodes == counts.tree_nodes


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("instance", NAIVE, ids=str)
def test_the_naive_graph_has_as_many_states_as_the_registry_says(instance):
    solution = solve(instance.problem(), naive=True)

    assert solution.statistics.full_graph_states == instance.naive_states
    assert solution.expected_reward == pytest.approx(float(instance.expected_reward))


@pytest.mark.parametrize("instance", LARGE + HARD, ids=str)
def test_no_single_set_dominates_a_large_problem(instance):
    """The strongest set alone is worth less than half of perfect information."""
    sets = RewardingSets(instance.problem())

    assert 200 <= sets.num_sets <= 900
    assert 10 < sets.perfect_information < 80
    assert next(iter(sets)).strength < sets.perfect_information / 2


def check_explored(instance):
    solution = solve(instance.problem(), search="exhaustive", verify=False)

    assert solution.status == "optimal"
    assert solution.statistics.full_graph_states == instance.canonical_states
    assert solution.expected_reward == pytest.approx(
        float(instance.expected_reward), rel=1e-12
    )


@pytest.mark.parametrize("instance", MIXED_EASY, ids=str)
def test_exploring_an_easy_mixture_finds_the_optimum_and_the_states(instance):
    check_explored(instance)


@pytest.mark.slow
@pytest.mark.parametrize("instance", MIXED_HARD + ADVISING, ids=str)
def test_exploring_a_hard_mixture_finds_them_too(instance):
    check_explored(instance)


@pytest.mark.parametrize(
    "how", [{"search": "best-first"}, {"engine": "paper"}], ids=str
)
@pytest.mark.parametrize("instance", MIXED_EASY[:-1], ids=str)
def test_other_ways_find_the_optimum_of_an_easy_mixture(instance, how):
    """But for the last, for which the paper's way takes millions of states."""
    solution = solve(instance.problem(), verify=False, **how)

    assert solution.expected_reward == pytest.approx(
        float(instance.expected_reward), rel=1e-12
    )


def test_the_reference_engine_finds_the_optimum_of_the_easiest_mixture():
    solution = solve(MIXED[0].problem(), engine="reference", exact=True)

    assert solution.expected_reward == MIXED[0].expected_reward


@pytest.mark.parametrize("instance", ADVISING, ids=str)
def test_most_of_thirty_courses_can_be_taken_again_and_depend_on_others(instance):
    courses = instance.problem().actions

    assert len(courses) == 30
    assert sum(course.attempts > 1 for course in courses) > 15
    assert sum(bool(course.given) for course in courses) > 15


def test_every_feature_is_in_several_hard_mixtures():
    options = [instance.options for instance in MIXED_HARD]
    features = "repeats conditioning preclusions resources outcomes rewards combine"

    for feature in [*features.split(), "cost", "cost-weight"]:
        assert sum(f"--{feature} " in each for each in options) >= 2, feature
    assert len(MIXED_EASY) == len(MIXED_HARD) == 10
    assert min(each.canonical_states for each in MIXED_HARD) > 100_000
