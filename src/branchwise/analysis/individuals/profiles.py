"""Profiles: one problem, many individuals, and which plan goes to whom."""

from collections.abc import Iterable
from functools import cached_property
from statistics import fmean
from threading import Event
from typing import Final

from branchwise.analysis.individuals.individuals import (
    MOST_MAIN_PLANS,
    Individual,
    NumberRange,
    ProfilePlan,
    Profiles,
    SortedNumbers,
    best_rule,
    number_ranges,
    plan_letter,
    sorted_numbers,
)
from branchwise.analysis.individuals.profile_numbers import Overrides, ProfileNumbers
from branchwise.analysis.individuals.profile_solving import (
    Answer,
    ProfileSolver,
)
from branchwise.analysis.individuals.profile_table import ProfileTable, read_profiles
from branchwise.analysis.what_if import tie_width
from branchwise.engine.limits import num_cores
from branchwise.errors import LimitError
from branchwise.executors.executor import Executor, checked_executor
from branchwise.model.checks.validate import checked
from branchwise.model.problem import Problem
from branchwise.tree.deadline import Deadline
from branchwise.tree.progress import Listener, silent
from branchwise.tree.solution import Status

# Values that differ by less than this share are the same.
_ROUNDING: Final = 1e-9


# Every argument past the second has a name and a default, so many do no harm.
def profiles(  # noqa: PLR0913
    problem: Problem,
    table: object,
    *,
    keep: Iterable[str] = (),
    num_threads: int | None = None,
    time_limit_seconds: float | None = None,
    progress: Listener = silent,
    cancel: Event | None = None,
    executor: Executor | None = None,
) -> Profiles:
    """
    Find the best plan for each of many individuals, and which plan goes to whom.

    Parameters
    ----------
    problem
        What they have in common.
    table
        One row for each individual: the name of a CSV or xlsx file, a pandas data
        frame, or a list of mappings. A column is titled by the number it replaces, as
        `parameters` names it, or ``budget``; an empty cell leaves the problem's own.
        Probabilities that are not given keep their proportions. The column ``profile``,
        or a first one that names no number, has the names.
    keep
        Titles of other columns, which are carried through to the answer.
    num_threads
        How many individuals are planned for at a time; as many as there are cores
        unless said. The answer does not depend on it.
    time_limit_seconds
        How long all of it may take; those without a plan by then are left out.
    progress
        Called with how many individuals have a plan, of how many.
    cancel
        Set this event, from any thread, to end it like Ctrl-C: with those who have a
        plan by then.
    executor
        Who plans instead of threads of this process: an executor of
        `concurrent.futures`, or a Dask client. The answer does not depend on it.

    Raises
    ------
    ExecutorError
        The executor has no workers any more, or such of another version.
    FormatError
        Something is wrong with the table; the error lists what, and where.
    ProblemError
        The problem contradicts itself, or that of an individual does.
    LimitError
        Time ran out before there was any plan. An interruption by then is a
        `KeyboardInterrupt`.

    Examples
    --------
    >>> from branchwise import Action, Reward
    >>> risky = Action("risky", outcomes={"ok": 0.4, "no": "rest"})
    >>> safe = Action("safe", outcomes={"ok": 1})
    >>> rewards = [Reward(risky["ok"], 10), Reward(safe["ok"], 3)]
    >>> patients = [{"profile": "Ann"}, {"profile": "Bob", "P(risky=ok)": 0.2}]
    >>> found = profiles(Problem([risky, safe], rewards, budget=1), patients)
    >>> [(each.name, each.first_action) for each in found.individuals]
    [('Ann', 'risky'), ('Bob', 'safe')]
    >>> found.individual("Bob").loss_common
    1.0
    """
    work = _Work(checked(problem), read_profiles(problem, table, keep=keep))
    known = work.numbers, work.distinct, work.place, num_threads or num_cores()
    deadline = Deadline.after(time_limit_seconds)
    elsewhere = executor and checked_executor(executor)
    solver = ProfileSolver(*known, deadline, progress, cancel, elsewhere)
    return work.found(solver, solver.solve())


class _Work:
    """The numbers of all individuals, and the results for them."""

    def __init__(self, problem: Problem, table: ProfileTable) -> None:
        self._problem = problem
        self._table = table
        self.numbers = ProfileNumbers(problem, table.columns)
        # The problem itself comes first; alike ones are planned for once.
        own: Overrides = (None,) * len(table.columns)
        individuals = [profile.overrides for profile in table.profiles]
        kinds = {own: 0}
        self._kind = [kinds.setdefault(each, len(kinds)) for each in individuals]
        self.distinct = list(kinds)
        rows = reversed([*enumerate(self._kind)])
        self._first_row = {kind: row for row, kind in rows}

    def place(self, number: int) -> str:
        """Return where the first individual of a kind stands."""
        return str(self._table.sheet.place(self._first_row.get(number, 0), 0))

    def found(self, solver: ProfileSolver, answers: list[Answer | None]) -> Profiles:
        base = answers[0]
        answered = {
            row: answer
            for row, kind in enumerate(self._kind)
            if (answer := answers[kind]) is not None
        }
        if base is None or not answered:
            if solver.status is Status.INTERRUPTED:
                raise KeyboardInterrupt
            raise LimitError("time ran out before there was a plan for any individual")
        members: dict[int, list[int]] = {}
        for row, answer in answered.items():
            members.setdefault(answer.plan, []).append(row)
        ranked = sorted(members, key=lambda plan: (-len(members[plan]), members[plan]))
        main = list(dict.fromkeys([*ranked[:MOST_MAIN_PLANS], base.plan]))
        self._book, self._answered = solver.book, answered
        self._worth = self._worths(solver, main)
        plans = {
            plan: self._plan(number, members[plan])
            for number, plan in enumerate(ranked)
        }
        compared = main[0], base.plan
        return Profiles(
            problem=self._problem,
            status=solver.status,
            parameters=tuple(column.name for column in self._table.columns),
            kept_columns=self._table.kept_columns,
            num_all=len(self._kind),
            individuals=tuple(
                self._individual(row, plans[answer.plan], compared)
                for row, answer in answered.items()
            ),
            plans=tuple(plans.values()),
            base_plan=plans[base.plan].letter if base.plan in plans else None,
            base_expected_reward=base.expected_reward,
        )

    def _worths(
        self, solver: ProfileSolver, plans: list[int]
    ) -> dict[tuple[int, int], float | None]:
        """
        Return what some plans are worth to each kind of individual.

        None of a plan that is too large, or that they cannot carry out.
        """
        wanted = sorted({self._kind[row] for row in self._answered})
        values = solver.value(plans, wanted)
        return {
            (kind, plan): value
            for kind, row in values.items()
            for plan, value in zip(plans, row, strict=True)
        }

    def _individual(
        self, row: int, planned: ProfilePlan, compared: tuple[int, int]
    ) -> Individual:
        profile, answer = self._table.profiles[row], self._answered[row]
        common, base = (self._loss(row, plan) for plan in compared)
        return Individual(
            name=profile.name,
            plan=planned.letter,
            first_action=planned.first_action,
            expected_reward=answer.expected_reward,
            upper_bound=answer.upper_bound,
            status=answer.status,
            loss_common=common,
            loss_base=base,
            kept=profile.kept,
        )

    def _loss(self, row: int, plan: int) -> float | None:
        """Return how much less another plan is worth; 0 where that is rounding."""
        answer, other = self._answered[row], self._worth.get((self._kind[row], plan))
        if plan == answer.plan:
            return 0.0
        if other is None:
            return None
        value = answer.expected_reward
        rounding = max(tie_width(self._problem), _ROUNDING * abs(value))
        return 0.0 if abs(value - other) <= rounding else value - other

    def _plan(self, number: int, members: list[int]) -> ProfilePlan:
        answered = self._answered
        plan = answered[members[0]].plan
        shape = self._book.shape(plan)
        numbers: tuple[NumberRange, ...] = ()
        rule = None
        if number < MOST_MAIN_PLANS:
            names = [column.name for column in self._table.columns]
            numbers = number_ranges(names, [self._cells[row] for row in members])
            getting = set(members)
            rule = best_rule(self._sorted, [row in getting for row in answered])
        return ProfilePlan(
            letter=plan_letter(number),
            members=tuple(self._table.profiles[row].name for row in members),
            share=len(members) / len(answered),
            first_action=self._book.first_action(plan),
            num_nodes=shape.nodes,
            depth=shape.depth,
            mean_expected_reward=fmean(answered[r].expected_reward for r in members),
            mean_for_all=self._for_all(plan),
            numbers=numbers,
            rule=rule,
            problem=self.numbers.problem_of(self._table.profiles[members[0]].overrides),
        )

    def _for_all(self, plan: int) -> float | None:
        """Return what a plan is worth on average if all get it."""
        values = [self._worth.get((self._kind[row], plan)) for row in self._answered]
        known = [value for value in values if value is not None]
        return fmean(known) if len(known) == len(values) else None

    @cached_property
    def _sorted(self) -> list[SortedNumbers]:
        """Return the numbers of all who have a plan, to look for rules."""
        names = [column.name for column in self._table.columns]
        return sorted_numbers(names, [self._cells[row] for row in self._answered])

    @cached_property
    def _cells(self) -> list[list[float]]:
        """Return the numbers of all individuals, those of the problem included."""
        own = [column.value(self._problem) for column in self._table.columns]
        return [
            [
                float(mine if number is None else number)
                for mine, number in zip(own, profile.overrides, strict=True)
            ]
            for profile in self._table.profiles
        ]
