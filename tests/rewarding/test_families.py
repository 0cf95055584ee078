"""Families of sets in the compiled core, against frozensets of frozensets."""

from __future__ import annotations

import math
import signal
import threading
import time
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from branchwise import _core

NUM_ELEMENTS = 6

elements = st.integers(0, NUM_ELEMENTS - 1)
sets = st.frozensets(elements)
models = st.frozensets(sets, max_size=12)


def make(families, model):
    return families.from_sets([list(members) for members in model])


def sets_of(families, family):
    listed = families.sets(family, 2**NUM_ELEMENTS)
    assert all(members == sorted(set(members)) for members in listed)
    model = frozenset(map(frozenset, listed))
    assert len(model) == len(listed)
    return model


def minimal(model):
    return frozenset(a for a in model if not any(b < a for b in model))


def choices(families, num_choices):
    """Choose one of two elements, that many times."""
    family = families.unit()
    for i in reversed(range(num_choices)):
        either = families.unite(families.single(2 * i), families.single(2 * i + 1))
        family = families.join(either, family)
    return family


def work_long(families):
    """Join ever more families of overlapping triples, which would take hours."""
    n = families.num_elements
    family = families.unit()
    for step in range(1, n):
        triples = [[i, (i + step) % n, (i * step + 7) % n] for i in range(n)]
        family = families.minimal_join(family, families.from_sets(triples))
    return family


BINARY = {
    "unite": lambda f, g: f | g,
    "intersect": lambda f, g: f & g,
    "subtract": lambda f, g: f - g,
    "join": lambda f, g: frozenset(a | b for a in f for b in g),
    "nonsupersets": lambda f, g: frozenset(a for a in f if not any(b <= a for b in g)),
    "minimal_union": lambda f, g: minimal(f | g),
    "minimal_join": lambda f, g: minimal(frozenset(a | b for a in f for b in g)),
}


@pytest.mark.parametrize("name", BINARY)
@given(f=models, g=models)
def test_operations_on_two_families_agree_with_sets_of_sets(name, f, g):
    families = _core.Families(NUM_ELEMENTS, 10_000)

    result = getattr(families, name)(make(families, f), make(families, g))

    assert sets_of(families, result) == BINARY[name](f, g)
    assert result == make(families, BINARY[name](f, g))


@given(f=models, some=sets, element=elements, limit=st.integers(-1, 4))
def test_selections_agree_with_sets_of_sets(f, some, element, limit):
    families = _core.Families(NUM_ELEMENTS, 10_000)
    family = make(families, f)

    def selected(result):
        return sets_of(families, result)

    assert selected(families.minimal(family)) == minimal(f)
    with_it = frozenset(a for a in f if element in a)
    assert selected(families.with_element(family, element)) == with_it
    assert selected(families.without(family, element)) == f - with_it
    assert selected(families.project_out(family, list(some))) == {a - some for a in f}
    few = {a for a in f if len(a & some) <= limit}
    assert selected(families.at_most(family, list(some), limit)) == few


@given(
    f=models,
    prices=st.lists(st.integers(-9, 20), min_size=NUM_ELEMENTS, max_size=NUM_ELEMENTS),
    budget=st.integers(-30, 60),
)
def test_sets_within_a_budget_cost_no_more(f, prices, budget):
    families = _core.Families(NUM_ELEMENTS, 10_000)

    result = families.within(make(families, f), prices, budget)

    cheap = {a for a in f if sum(prices[i] for i in a) <= budget}
    assert sets_of(families, result) == cheap


@given(f=models, members=sets)
def test_questions_about_a_family_agree_with_sets_of_sets(f, members):
    families = _core.Families(NUM_ELEMENTS, 10_000)
    family = make(families, f)

    assert families.count(family) == len(f)
    assert families.contains(family, list(members)) == (members in f)
    assert families.elements_of(family) == sorted(frozenset().union(*f))
    assert len(families.sets(family, 3)) == min(3, len(f))


def test_equal_families_are_equal_and_hash_alike():
    families = _core.Families(3, 100)
    first = families.from_sets([[0], [1, 2]])

    assert first == families.from_sets([[2, 1], [0], [0]])
    assert len({first, families.from_sets([[1, 2], [0]])}) == 1
    assert first != families.empty()
    assert first != _core.Families(3, 100).from_sets([[0], [1, 2]])
    assert first != "a family"


def test_a_family_keeps_its_manager_alive():
    families = _core.Families(4, 1_000)
    family = choices(families, 2)
    strongest = families.strongest(family, [0.5] * 4)
    del families, family

    found, products = strongest.next(9)
    assert sorted(found) == [[0, 2], [0, 3], [1, 2], [1, 3]]
    assert products == [0.25] * 4


def test_a_family_of_other_families_is_refused():
    families = _core.Families(3, 100)
    stranger = _core.Families(3, 100).single(0)

    with pytest.raises(ValueError, match="belongs to other Families"):
        families.unite(families.unit(), stranger)


@pytest.mark.parametrize("num_choices", [1, 32, 40, 64, 200])
def test_counts_are_exact_at_any_size(num_choices):
    """One of two elements, n times over: 2 to the n sets, three nodes each time."""
    families = _core.Families(2 * num_choices, 100_000)
    family = choices(families, num_choices)

    assert families.count(family) == 2**num_choices
    assert families.num_nodes(family) == 2 * num_choices
    assert families.minimal(family) == family
    assert len(families.sets(family, 100)) == min(100, 2**num_choices)


def test_at_most_half_of_a_large_choice_is_a_sum_of_binomials():
    families = _core.Families(400, 1_000_000)
    family = families.at_most(choices(families, 200), list(range(0, 400, 2)), 50)

    assert families.count(family) == sum(math.comb(200, k) for k in range(51))


weights = st.lists(st.floats(0.01, 1), min_size=NUM_ELEMENTS, max_size=NUM_ELEMENTS)


@given(f=models, weights=weights, step=st.integers(1, 5))
def test_strongest_sets_come_in_the_order_of_brute_force(f, weights, step):
    families = _core.Families(NUM_ELEMENTS, 10_000)
    strongest = families.strongest(make(families, f), weights)

    found, products = [], []
    while (batch := strongest.next(step))[0]:
        found += batch[0]
        products += batch[1]

    assert frozenset(map(frozenset, found)) == f
    assert len(found) == len(f)
    assert products == pytest.approx([math.prod(weights[i] for i in a) for a in found])
    assert products == sorted(products, reverse=True)


def test_the_strongest_of_very_many_sets_come_at_once():
    """Each choice keeps its stronger half first; then the weakest loss is taken."""
    families = _core.Families(400, 100_000)
    weights = [0.9, 0.8] * 199 + [0.9, 0.89]
    strongest = families.strongest(choices(families, 200), weights)

    found, products = strongest.next(3)

    assert found[0] == list(range(0, 400, 2))
    assert found[1] == [*range(0, 398, 2), 399]
    best = 0.9**200
    assert products == pytest.approx([best, best * 0.89 / 0.9, best * 0.8 / 0.9])


@st.composite
def chance_groups(draw):
    """Neighbors in groups of up to three; some elements are in no group."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=NUM_ELEMENTS))
    groups, start = [], 0
    for size in sizes:
        members = range(start, min(start + size, NUM_ELEMENTS))
        chances = st.integers(0, 4).map(lambda n: n / 12)
        groups.append([(i, draw(chances)) for i in members if draw(st.booleans())])
        start += size
    return groups


def truths(groups):
    """Everything that may come true, with its probability."""
    outcomes = [[*group, (None, 1 - sum(p for _, p in group))] for group in groups]
    for combination in product(*outcomes):
        true = frozenset(element for element, _ in combination)
        yield true, math.prod(p for _, p in combination)


@given(levels=st.lists(models, min_size=1, max_size=3), groups=chance_groups())
def test_probabilities_agree_with_everything_that_may_happen(levels, groups):
    families = _core.Families(NUM_ELEMENTS, 10_000)
    made = [make(families, f) for f in levels]
    values = [9.0, 4.0, 1.0][: len(levels)]

    probability = expected = 0.0
    for true, weight in truths(groups):
        reached = [any(a <= true for a in f) for f in levels]
        probability += weight * reached[0]
        if True in reached:
            expected += weight * values[reached.index(True)]

    assert families.probability(made[0], groups) == pytest.approx(probability)
    assert families.expected_best(made, values, groups) == pytest.approx(expected)


def test_the_probability_of_two_out_of_fifty():
    """One minus nobody, minus exactly one: 1 - 0.9^50 - 50 * 0.1 * 0.9^49."""
    families = _core.Families(50, 100_000)
    pairs = families.from_sets([list(pair) for pair in combinations(range(50), 2)])

    probability = families.probability(pairs, [[(i, 0.1)] for i in range(50)])

    assert probability == pytest.approx(1 - 0.9**50 - 50 * 0.1 * 0.9**49)


def test_too_many_nodes_are_refused_and_leave_the_rest_alone():
    families = _core.Families(60, 1_000)
    before = choices(families, 30)

    with pytest.raises(_core.TooLarge, match="more than 1000 nodes"):
        work_long(families)

    assert families.num_nodes_total() < 1_000
    assert families.count(before) == 2**30
    assert families.bytes() < 10_000_000


def test_too_many_elements_are_refused():
    with pytest.raises(_core.TooLarge, match="10001 elements"):
        _core.Families(10_001, 10)


def test_another_thread_may_stop_the_work():
    families = _core.Families(200, 100_000_000)
    timer = threading.Timer(0.1, families.stop)
    timer.start()

    with pytest.raises(_core.Stopped, match="on request"):
        work_long(families)

    timer.join()
    assert families.count(families.single(0)) == 1


def test_a_time_limit_stops_the_work_once():
    families = _core.Families(200, 100_000_000)
    families.time_limit_seconds = 0.1
    start = time.process_time()

    with pytest.raises(_core.Stopped, match="time limit"):
        work_long(families)

    assert time.process_time() - start < 5
    assert families.time_limit_seconds is None
    assert families.count(families.single(0)) == 1


def test_a_busy_manager_says_so():
    families = _core.Families(200, 100_000_000)
    worker = threading.Thread(target=lambda: suppress_stop(families))
    worker.start()
    time.sleep(0.2)

    with pytest.raises(RuntimeError, match="another thread"):
        families.single(0)

    families.stop()
    worker.join()


def suppress_stop(families):
    with pytest.raises(_core.Stopped):
        work_long(families)


def test_a_signal_interrupts_the_work():
    """Python's own handler runs, and what it raises ends the operation."""
    families = _core.Families(200, 100_000_000)

    def interrupt(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(KeyboardInterrupt):
            work_long(families)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert families.count(families.unit()) == 1
