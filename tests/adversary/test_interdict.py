"""The best defenses are those that a brute force over all sets finds, ties included."""

import json
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from threading import Event, current_thread, main_thread

import pytest

from branchwise import (
    Action,
    Defense,
    Problem,
    ProblemError,
    Reward,
    Status,
    defend,
    generate,
    read_text,
)
from branchwise.adversary.interdict_attack import Attacker
from branchwise.model import defended
from branchwise.tree import Stage
from oracles.defense_oracle import best, defended_documents, everything

PORTIONS = 10
PORTION = 30


def problem_of(document):
    return read_text(json.dumps(document), format="json")


@pytest.mark.parametrize("portion", range(PORTIONS))
def test_300_random_problems_agree_with_brute_force(portion):
    for document in defended_documents(
        PORTION, f"defend {portion}", max_states=60, most=5 if portion % 3 else 4
    ):
        problem = problem_of(document)
        found = list(everything(document))
        expected = best(found, document["defense_budget"])

        answer = defend(problem, exact=portion == 0)

        name = document["name"]
        assert float(answer.value) == pytest.approx(float(expected.value), abs=1e-9), (
            name
        )
        assert answer.chosen == expected.names, name
        assert answer.cost == expected.cost
        assert answer.status is Status.OPTIMAL
        assert float(answer.value_before) == pytest.approx(float(found[0].value))
        _check_frontier(answer, document, found)
        _check_worths(answer, document, found)


def _check_frontier(answer, document, found):
    """Every kink is the best of its own budget, and nothing lies between."""
    costs = sorted({one.cost for one in found if one.cost <= answer.cost})
    kinks = {}
    for cost in costs:
        one = best(found, cost)
        kinks.setdefault(one.value, one)
    frontier = [(point.cost, point.chosen) for point in answer.frontier]
    assert frontier == [(one.cost, one.names) for one in kinks.values()]
    for point, one in zip(answer.frontier, kinks.values(), strict=True):
        assert float(point.value) == pytest.approx(float(one.value), abs=1e-9)


def _check_worths(answer, document, found):
    budget = document["defense_budget"]
    optimum = best(found, budget).value
    for worth in answer.worths:
        alone = next(one for one in found if one.names == (worth.name,))
        side = {"lacks" if worth.is_chosen else "has": [worth.name]}
        other = best(found, budget, **side)
        assert worth.is_chosen == (worth.name in answer.chosen)
        assert float(worth.alone) == pytest.approx(float(alone.value), abs=1e-9)
        if other is None:
            assert worth.otherwise is worth.margin is None
        else:
            assert float(worth.otherwise) == pytest.approx(float(other.value), abs=1e-9)
            margin = float(other.value - optimum)
            assert float(worth.margin) == pytest.approx(margin, abs=1e-9)


def two_doors(**changes):
    """Two ways in, one much better; a guard for each, and a wall against both."""
    door = Action("door", outcomes={"in": "1/2", "out": "1/2"})
    window = Action("window", outcomes={"in": "1/4", "out": "3/4"})
    settings = {
        "budget": 1,
        "defense_budget": 1,
        "defenses": [
            Defense("lock", forbids=["door"]),
            Defense("bars", forbids=["window"]),
            Defense("wall", cost=3, forbids=["door", "window"]),
        ],
    }
    rewards = [Reward(door["in"], 100), Reward(window["in"], 100)]
    return Problem([door, window], rewards, **(settings | changes))


def test_the_better_way_is_closed_first():
    """Without the door the window is left: 25 of 50."""
    answer = defend(two_doors())

    assert answer.chosen == ("lock",)
    assert (answer.value_before, answer.value, answer.cost) == (50, 25, 1)
    assert answer.reply.first_action == "window"
    assert answer.lower_bound == answer.value
    assert answer.gap == answer.relative_gap == 0


def test_a_larger_budget_closes_both_with_the_cheaper_set():
    answer = defend(two_doors(), budget=3)

    assert answer.chosen == ("lock", "bars")
    assert [(p.cost, p.value) for p in answer.frontier] == [(0, 50), (1, 25), (2, 0)]
    worths = {worth.name: worth for worth in answer.worths}
    assert worths["lock"].alone == 25
    assert worths["lock"].margin == 0  # The wall would do as well.
    assert worths["wall"].margin == 0
    assert answer.problem.defense_budget == 3


def test_of_equally_good_sets_the_first_in_the_file_is_chosen():
    twins = [Defense(name, forbids=["door"]) for name in ("one", "two", "three")]

    assert defend(two_doors(defenses=twins)).chosen == ("one",)
    assert defend(two_doors(defenses=twins[::-1])).chosen == ("three",)


def test_a_defense_that_helps_the_attacker_is_not_chosen():
    help_ = Defense("sign", cost=0, changes={"door": {"in": 1}})

    answer = defend(two_doors(defenses=[help_]))

    assert answer.chosen == ()
    assert answer.worths[0].alone == 100
    assert answer.worths[0].margin == 50


def test_a_defense_that_cannot_be_had_has_no_margin():
    (worth,) = [w for w in defend(two_doors()).worths if w.name == "wall"]

    assert worth.otherwise is None
    assert worth.margin is None
    assert worth.alone == 0


def test_exact_answers_are_fractions():
    answer = defend(two_doors(), exact=True)

    assert answer.value == Fraction(25)
    assert isinstance(answer.value, Fraction)
    assert all(isinstance(worth.alone, Fraction) for worth in answer.worths)


def test_a_random_problem_has_the_same_answer_every_time():
    problem = generate(12, 6, seed=5, defenses=8, defense_budget=3)

    answers = [defend(problem) for _ in range(2)]

    assert answers[0].chosen == answers[1].chosen
    assert answers[0].frontier == answers[1].frontier
    assert answers[0].worths == answers[1].worths


def test_within_a_gap_the_bounds_hold():
    problem = generate(14, 8, seed=4, defenses=10, defense_budget=4)
    best_value = defend(problem, worths=False).value

    answer = defend(problem, gap=0.5)

    assert answer.lower_bound <= best_value + 1e-9 <= answer.value + 2e-9
    assert answer.relative_gap <= 0.5 + 1e-9
    assert answer.status in {Status.WITHIN_GAP, Status.OPTIMAL}


@pytest.mark.parametrize("after", range(0, 12, 2))
def test_whenever_it_is_stopped_the_bounds_hold(after):
    """The event is set once so many attacker's problems were solved."""
    problem = generate(14, 8, seed=4, defenses=10, defense_budget=4)
    best_value = defend(problem, worths=False).value
    stop = Event()

    def listen(progress):
        if progress.stage is Stage.DEFENDING and progress.num_states > after:
            stop.set()

    answer = defend(problem, cancel=stop, progress=listen)

    assert answer.lower_bound <= best_value + 1e-9
    assert answer.value >= best_value - 1e-9
    assert defended(problem, answer.chosen)
    assert answer.status in {Status.INTERRUPTED, Status.OPTIMAL}


def test_no_time_at_all_still_gives_an_answer():
    problem = generate(25, 15, seed=2, defenses=20)

    answer = defend(problem, time_limit_seconds=1e-3)

    assert answer.chosen == ()
    assert answer.status is Status.TIME_LIMIT
    assert answer.lower_bound == 0
    assert answer.value >= 7.9  # What the attacker can have without defenses.
    assert answer.frontier == answer.worths == ()


def test_fractions_without_time_leave_bounds():
    problem = generate(25, 15, seed=2, defenses=20)

    found = defend(problem, exact=True, time_limit_seconds=1e-3)

    assert found.status is Status.TIME_LIMIT
    assert found.lower_bound <= found.value


def test_progress_tells_how_many_attackers_problems_were_solved():
    reports = []

    defend(two_doors(), progress=reports.append)

    told = [report for report in reports if report.stage is Stage.DEFENDING]
    assert told[-1].num_states >= told[0].num_states > 0


def test_what_makes_no_sense_is_refused():
    with pytest.raises(ProblemError, match="there are no defenses to choose from"):
        defend(two_doors(defenses=[]))
    with pytest.raises(
        ValueError, match="there is no method `magic`; there are search"
    ):
        defend(two_doors(), method="magic")
    with pytest.raises(ValueError, match="cannot compute with fractions"):
        defend(two_doors(), method="program", exact=True)
    with pytest.raises(ProblemError, match="the defender's budget is -1, less than 0"):
        defend(two_doors(), budget=-1)


def timeless(answer):
    """All that is answered, but how long it took."""
    statistics = replace(answer.statistics, seconds=0, seconds_in_all=0)
    plans = [
        (each.tree.num_nodes, each.first_action)
        for each in (answer.before, answer.reply)
    ]
    return plans, replace(answer, statistics=statistics, before=None, reply=None)


@pytest.mark.parametrize(
    "knobs", [{}, {"cost_weight": "0.1"}, {"rewards": 2}, {"counters": 1}]
)
def test_scouts_change_nothing(knobs):
    problem = generate(10, 6, seed=4, defenses=6, defense_budget=3, **knobs)
    here = timeless(defend(problem))
    with ProcessPoolExecutor(2) as executor:
        assert timeless(defend(problem, executor=executor)) == here
        few = defend(problem, executor=executor, worths=False)
        assert timeless(few) == timeless(defend(problem, worths=False))


def test_scouts_ask_all_that_is_asked_for_worths():
    """Here is solved only what the best defenses themselves take."""
    problem = generate(20, 10, seed=1, defenses=10, defense_budget=3)
    num_here = []

    def count(attacker, defenses, found=Attacker._found):
        num_here.append(current_thread() is main_thread())
        return found(attacker, defenses)

    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(1) as executor:
        patch.setattr(Attacker, "_found", count)
        answer = defend(problem, executor=executor)

    assert sum(num_here) <= answer.statistics.num_solved * 1.5
    assert answer.statistics.num_solved_in_all > 2 * answer.statistics.num_solved
