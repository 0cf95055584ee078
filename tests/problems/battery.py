"""
A battery-bounded job scheduler: eajs.2 of the Quantitative Verification Benchmark Set.

Two processes share a resource, which may be boosted at three times the energy. All
modules of the model move at once, so that an action is one tick: what the resource is
given to, in one situation of the processes. See qcomp.org/benchmarks, `eajs`.
"""

from fractions import Fraction
from itertools import product

from branchwise import Action, Problem, Reward
from branchwise.model.condition import all_of
from branchwise.model.counter import Counter
from branchwise.model.outcome import Outcome

WAIT, CRIT, NCRIT = 0, 1, 2
THIRD, REST = Fraction(1, 3), Fraction(2, 3)
CERTAIN = [(Fraction(1), {})]


def scheduler(capacity):
    """The problem with a battery of this capacity."""
    counters = {
        "battery": Counter("battery", low=0, high=capacity, start=capacity),
        "jobs": Counter("jobs", low=0, high=capacity),
        "deadline": Counter("deadline", low=0, high=9),
        "user": Counter("user", low=0, high=2),
        "boost": Counter("boost", low=0, high=1),
        "failure": Counter("failure", low=0, high=1),
    }
    for number in (1, 2):
        counters[f"loc{number}"] = Counter(f"loc{number}", low=0, high=2, start=NCRIT)
        counters[f"time{number}"] = Counter(f"time{number}", low=0, high=5)
    actions = []
    situations = product(range(3), range(2), range(3), range(2), range(3), range(2))
    for loc1, time1, loc2, time2, user, boost in situations:
        here = (loc1, time1, loc2, time2, user, boost)
        if not is_possible(*here):
            continue
        known = {"loc1": loc1, "loc2": loc2, "user": user, "boost": boost}
        same = [counters[name].equals(value) for name, value in known.items()]
        same += [timed(counters, 1, loc1, time1), timed(counters, 2, loc2, time2)]
        for n, given in enumerate(resource_moves(*here)):
            for m, (when, first) in enumerate(
                first_moves(counters, loc1, time1, user, boost)
            ):
                second = second_moves(loc2, time2, user, boost)
                effects = joined(given, {"battery": -energy(loc1, boost)})
                outcomes = [
                    Outcome(f"o{i}", p * q, effects=joined(one, other))
                    for i, ((p, one), (q, other)) in enumerate(product(first, second))
                ]
                requires = all_of(counters["battery"] >= 1, *same, *when)
                name = f"{loc1}{time1}{loc2}{time2}{user}{boost}-{n}-{m}"
                actions.append(
                    Action(
                        name,
                        outcomes=outcomes,
                        cost=0,
                        attempts=float("inf"),
                        requires=requires,
                        effects=effects,
                    )
                )
    rewards = [Reward(per="jobs", value=1)]
    return Problem(actions, rewards, combine="sum", counters=counters.values())


def is_possible(loc1, time1, loc2, time2, user, boost):
    """Who is in the critical section has the resource; an idle one has no boost."""
    if (loc1 == CRIT and user != 1) or (loc2 == CRIT and user != 2):
        return False
    if (user == 1 and loc1 == NCRIT) or (user == 2 and loc2 == NCRIT):
        return False
    # Waiting takes no time of its own.
    if (loc1 == WAIT and time1) or (loc2 == WAIT and time2):
        return False
    return user != 0 or boost == 0


def timed(counters, number, loc, has_time):
    time = counters[f"time{number}"]
    return time >= 1 if has_time else time.equals(0)


def energy(loc1, boost):
    """What a tick takes: only the first process is paid for."""
    return {NCRIT: 2, WAIT: 1, CRIT: 9 if boost else 3}[loc1]


def resource_moves(loc1, time1, loc2, time2, user, boost):
    """Who may get the resource, and whether it is boosted, as changes of counters."""
    ends1, ends2 = loc1 == CRIT and not time1, loc2 == CRIT and not time2

    def give(to, boosted):
        return {"user": to - user, "boost": boosted - boost}

    moves = []
    if user == 0:
        moves += [give(1, b) for b in (0, 1) if loc1 == WAIT]
        moves += [give(2, b) for b in (0, 1) if loc2 == WAIT]
        return moves or [{}]
    if not (ends1 if user == 1 else ends2):
        return [{}]
    if (loc2 if user == 1 else loc1) == WAIT:
        return [give(3 - user, b) for b in (0, 1)]
    return [give(0, 0)]


def first_moves(counters, loc, has_time, user, boost):
    """What becomes of the first process, case by case: (conditions, chances)."""
    deadline, failure = counters["deadline"], counters["failure"]
    if loc == NCRIT and has_time:
        return [([], [(Fraction(1), {"time1": -1})])]
    if loc == NCRIT:
        chances = [(REST, 9), (THIRD, 7)]
        return [([], [(p, {"loc1": -2, "deadline": d}) for p, d in chances])]
    if loc == WAIT and user != 1:
        return [([], [(Fraction(1), {"deadline": -1})])]
    if loc == WAIT:
        # Late is who needs as long as is left, or longer, at this speed.
        def begun(*late):
            return [
                (p, {"loc1": 1, "time1": t, "deadline": -9, "failure": int(t in late)})
                for p, t in ((THIRD, 2), (REST, 3))
            ]

        if boost:
            return [([deadline >= 2], begun()), ([deadline <= 1], begun(2, 3))]
        return [
            ([deadline >= 4], begun()),
            ([deadline.equals(3)], begun(3)),
            ([deadline <= 2], begun(2, 3)),
        ]
    if has_time:
        return [([], [(Fraction(1), {"time1": -1 - boost})])]
    cases = []
    for failed in (0, 1):
        done = {"loc1": 1, "failure": -1, "jobs": 1 - failed}
        chances = [(REST, {**done, "time1": 4}), (THIRD, {**done, "time1": 5})]
        cases.append(([failure.equals(failed)], chances))
    return cases


def second_moves(loc, has_time, user, boost):
    """What becomes of the second process."""
    if loc == NCRIT:
        return [(Fraction(1), {"time2": -1} if has_time else {"loc2": -2})]
    if loc == WAIT and user != 2:
        return CERTAIN
    if loc == WAIT:
        return [(THIRD, {"loc2": 1, "time2": 2}), (REST, {"loc2": 1, "time2": 3})]
    if has_time:
        return [(Fraction(1), {"time2": -1 - boost})]
    return [(REST, {"loc2": 1, "time2": 4}), (THIRD, {"loc2": 1, "time2": 5})]


def joined(one, other):
    """The changes of both, added up."""
    return {name: one.get(name, 0) + other.get(name, 0) for name in {**one, **other}}
