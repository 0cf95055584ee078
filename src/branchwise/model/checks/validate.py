"""Checking problems: every contradiction at once, then everything doubtful."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from branchwise.errors import MOST_COUNTED, Issue, Path, ProblemError
from branchwise.model.action import Action, Outcome
from branchwise.model.budget import UNLIMITED, Amounts
from branchwise.model.checks import interval_issues as intervals
from branchwise.model.checks import naming, spending
from branchwise.model.checks.defense_issues import defense_issues
from branchwise.model.checks.features import counters, hidden
from branchwise.model.checks.features.purpose import purpose_issues
from branchwise.model.checks.issue import about, shown, ticked
from branchwise.model.checks.probability import outcomes_issues
from branchwise.model.checks.warnings import doubts
from branchwise.model.conditions.condition import ALWAYS, NEVER
from branchwise.model.numbers.expression import RESERVED, NamedParameter
from branchwise.model.numbers.interval import Interval
from branchwise.model.outcome import ENDINGS
from branchwise.model.problem import Problem, a_problem

T = TypeVar("T")

_ORDER = (
    "name", "parameters", "budget", "hidden", "counters", "actions", "rewards",
    "combine", "cost_weight", "finish", "objective", "unfinished", "defense_budget",
    "defenses",
)  # fmt: skip


def validate(problem: Problem) -> tuple[Issue, ...]:
    r"""
    Find everything wrong with a problem, in the order of a problem file.

    Warnings (what is allowed but can hardly be meant) come only where there are
    no errors.

    Examples
    --------
    >>> drill = Action("drill", outcomes={"oil": 0.2, "dry": 0.9})
    >>> print(*validate(Problem([drill])), sep="\n")
    actions.drill.outcomes: 0.2 + 0.9 = 1.1, not 1
        fix: lower one by 0.1, or write `dry: rest`
    """
    return contradictions(problem) or _in_order(problem, doubts(problem))


def checked(problem: Problem) -> Problem:
    """Return the problem back; raise `ProblemError` if it contradicts itself."""
    errors = contradictions(problem)
    if errors:
        raise ProblemError(errors)
    return problem


def contradictions(problem: Problem) -> tuple[Issue, ...]:
    """Find the contradictions; a problem never changes, so one look is enough."""
    if a_problem(problem).is_known_sound:
        return ()
    errors = _in_order(problem, islice(_Contradictions(problem).find(), MOST_COUNTED))
    if not errors:
        problem.note_sound()
    return errors


def _in_order(problem: Problem, issues: Iterable[Issue]) -> tuple[Issue, ...]:
    found = tuple(issues)
    if len(found) < 2:
        return found
    places: dict[Path, int]
    places = {("actions", each.name): i for i, each in enumerate(problem.actions)}
    places |= {("defenses", each.name): i for i, each in enumerate(problem.defenses)}
    places |= {("hidden", each.name): i for i, each in enumerate(problem.hidden)}
    places |= {("counters", each.name): i for i, each in enumerate(problem.counters)}

    def position(issue: Issue) -> tuple[int, int]:
        path = issue.path
        inside = path[1] if len(path) > 1 else -1
        index = inside if isinstance(inside, int) else places.get(path[:2], -1)
        return _ORDER.index(str(path[0])), index

    return tuple(sorted(found, key=position))


class _Contradictions:
    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._mentions = naming.Mentions(
            problem.actions,
            hidden=problem.hidden,
            counters=problem.counters,
            resources=problem.budget,
        )
        self._facts = {fact.name for fact in problem.hidden}
        # Actions of one file share what they have in common.
        self._is_sound: dict[int, bool] = {}

    def find(self) -> Iterator[Issue]:
        problem = self._problem
        yield from naming.title_issues(problem.name)
        for parameter in problem.parameters.values():
            yield from _parameter_issues(parameter)
        for resource in problem.budget:
            yield from naming.name_issues(("budget", resource), resource, "resource")
        yield from spending.budget_issues(problem.budget)
        if not problem.actions:
            fix = "add one: `actions: {drill: {outcomes: {oil: 0.2, dry: 0.8}}}`"
            yield about(("actions",), "there are no actions", fix)
        yield from naming.repeated_issues(problem.actions, "action")
        yield from naming.shared_issues(problem)
        yield from hidden.hidden_issues(problem)
        yield from counters.counter_issues(problem)
        for action in problem.actions:
            if not self._is_plainly_sound(action):
                yield from self._action(action)
        yield from self._rewards()
        if problem.combine not in {"max", "sum"}:
            what = f"{ticked(problem.combine)} is no way to combine rewards"
            fix = "write `max` (the best one counts) or `sum` (all of them do)"
            yield about(("combine",), what, fix, culprit=str(problem.combine))
        yield from purpose_issues(problem, self._mentions)
        yield from spending.weight_issues(problem)
        yield from spending.scale_issues(problem)
        yield from defense_issues(problem, self._mentions)

    def _is_plainly_sound(self, action: Action) -> bool:
        """Return whether there is nothing to say, which there mostly is not."""
        attempts, mentions = action.attempts, self._mentions
        return (
            not action.given
            and action.distance is None
            and action.sample_size is None
            and type(attempts) is int
            and attempts >= 1
            and not action.effects
            and (action.requires is ALWAYS or mentions.knows(action.requires))
            and (action.precluded_by is NEVER or mentions.knows(action.precluded_by))
            and naming.is_plain_name(action.name)
            and self._is_sound_part(action.outcomes, self._outcomes_parts)
            and self._is_sound_part(action.cost, self._cost_parts)
        )

    def _is_sound_part(self, part: T, find: Callable[[T], Iterator[Issue]]) -> bool:
        is_sound = self._is_sound.get(id(part))
        if is_sound is None:
            is_sound = self._is_sound[id(part)] = not any(find(part))
        return is_sound

    def _cost_parts(self, cost: Amounts) -> Iterator[Issue]:
        return spending.amounts_issues(("cost",), cost, self._problem.budget)

    def _outcomes_parts(self, outcomes: Sequence[Outcome]) -> Iterator[Issue]:
        yield from outcomes_issues(("outcomes",), outcomes)
        yield from self._consequences(("outcomes",), outcomes)
        for outcome in outcomes:
            if not naming.is_plain_name(outcome.label):
                yield from naming.name_issues(("outcomes",), outcome.label, "outcome")

    def _consequences(self, path: Path, outcomes: Sequence[Outcome]) -> Iterator[Issue]:
        """Find what is wrong with the effects, costs and endings of outcomes."""
        yield from spending.outcome_cost_issues(path, outcomes, self._problem.budget)
        for outcome in outcomes:
            if outcome.effects:
                place = (*path, outcome.label, "effects")
                yield from counters.effects_issues(
                    place, outcome.effects, self._mentions
                )
            if outcome.ends is not None and outcome.ends not in ENDINGS:
                place = (*path, outcome.label, "ends")
                fix = "write `keep` (what was earned is paid) or `lose` (nothing is)"
                yield about(place, f"{ticked(outcome.ends)} is no ending", fix)

    def _action(self, action: Action) -> Iterator[Issue]:
        path: Path = ("actions", action.name)
        conditions = self._mentions.condition_issues
        yield from naming.name_issues(path, action.name, "action")
        yield from spending.cost_issues(action, self._problem)
        yield from counters.effects_issues(
            (*path, "effects"), action.effects, self._mentions
        )
        for key, condition in (
            ("requires", action.requires),
            ("precluded_by", action.precluded_by),
        ):
            yield from conditions((*path, key), condition, is_seen=True)
        yield from _attempts_issues(action)
        yield from outcomes_issues((*path, "outcomes"), action.outcomes)
        yield from self._consequences((*path, "outcomes"), action.outcomes)
        yield from hidden.clause_issues(action, self._facts)
        yield from intervals.distance_issues((*path, "distance"), action.distance)
        size = action.sample_size
        yield from intervals.sample_size_issues((*path, "sample_size"), size)
        for outcome in action.outcomes:
            place = (*path, "outcomes", outcome.label)
            yield from naming.name_issues(place, outcome.label, "outcome")
        for index in range(len(action.given)):
            yield from self._given(action, index)

    def _given(self, action: Action, index: int) -> Iterator[Issue]:
        clause = action.given[index]
        path: Path = ("actions", action.name, "given", index)
        yield from self._mentions.condition_issues((*path, "when"), clause.when)
        yield from intervals.distance_issues((*path, "distance"), clause.distance)
        yield from intervals.clause_size_issues(path, clause)
        if clause.outcomes is None:
            is_idle = clause.cost is None and clause.distance is None
            if is_idle and clause.sample_size is None:
                fix = "add `outcomes` or `cost` to it, or remove it"
                yield about(path, "this clause changes nothing", fix)
            return
        yield from outcomes_issues((*path, "outcomes"), clause.outcomes)
        whose = "a clause of `given`"
        yield from hidden.plain_issues((*path, "outcomes"), clause.outcomes, whose)
        known = set(action.labels)
        for label in dict.fromkeys(outcome.label for outcome in clause.outcomes):
            if label not in known:
                place = (*path, "outcomes", label)
                yield self._mentions.unknown_outcome(place, action.name, label)

    def _rewards(self) -> Iterator[Issue]:
        for index, reward in enumerate(self._problem.rewards):
            path: Path = ("rewards", index)
            yield from self._mentions.condition_issues((*path, "when"), reward.when)
            yield from counters.per_issues(self._problem, index, self._mentions)
            place = (*path, "value")
            least = 0 if self._problem.combine == "max" else None
            if least is not None and reward.value < least and reward.per is None:
                what = f"{shown(reward.value)} never pays under `combine: max`"
                yield about(place, what, "write `combine: sum`, or a value above 0")
            elif reward.low is not None and reward.high is not None:
                ends = Interval(reward.low, reward.high)
                yield from intervals.value_interval_issues(
                    place, "value", reward.value, ends, least
                )


def _parameter_issues(parameter: NamedParameter) -> Iterator[Issue]:
    path: Path = ("parameters", parameter.name)
    yield from naming.name_issues(path, parameter.name, "parameter")
    if parameter.name in RESERVED:
        what = f"{ticked(parameter.name)} means something else where numbers stand"
        yield about(path, what, "give the parameter another name")
    if parameter.low is not None and parameter.high is not None:
        ends = Interval(parameter.low, parameter.high)
        number = parameter.number
        yield from intervals.value_interval_issues(path, "parameter", number, ends)


def _attempts_issues(action: Action) -> Iterator[Issue]:
    attempts = action.attempts
    is_whole = isinstance(attempts, int) and not isinstance(attempts, bool)
    if attempts == UNLIMITED or (is_whole and attempts >= 1):
        return
    what = f"attempts is {attempts}, not a whole number of at least 1"
    fix = "write `attempts: 3`, say, or `attempts: unlimited`"
    if attempts == 0:
        fix = "write `attempts: 1`, or remove the action"
    yield about(("actions", action.name, "attempts"), what, fix)
