"""Two problems side by side: what differs in them, in their plans and in the worth."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import Event
from typing import Any, Final

from branchwise.analysis.comparison.evaluation import plan_tree
from branchwise.analysis.table import Table, Tabular, own_columns
from branchwise.errors import LimitError, PlanError
from branchwise.formats.write import write_text
from branchwise.model.checks.validate import checked
from branchwise.model.conditions.condition import Happened
from branchwise.model.problem import Problem
from branchwise.solver import solve
from branchwise.space.state_space import Real
from branchwise.tree.choices.policy import Decision
from branchwise.tree.deadline import Deadline
from branchwise.tree.decision_tree import DecisionTree, Path
from branchwise.tree.progress import Listener, silent
from branchwise.tree.prospects.outlook import Outlook, outlook
from branchwise.tree.solution import Solution, Status

_MOST_PAIRS: Final = 100_000
_MOST_PARTINGS: Final = 1_000
_CONDITIONS: Final = ("when", "per")  # What tells the entries of a list apart.


@dataclass(frozen=True, slots=True)
class Difference:
    """
    One thing that two problems say differently.

    Parameters
    ----------
    where
        What it is about: ``actions.drill.cost``.
    first, second
        What each says; None where it says nothing.
    """

    where: str
    first: str | None
    second: str | None


@dataclass(frozen=True, slots=True)
class Parting:
    """
    A place where two plans part: the same has happened, and they go on differently.

    Parameters
    ----------
    history
        What has happened, one way to come there.
    first_action, second_action
        What each plan does there; None to stop.
    first_probability, second_probability
        How likely each plan comes there.
    """

    history: Path
    first_action: str | None
    second_action: str | None
    first_probability: Real
    second_probability: Real


@dataclass(frozen=True, slots=True)
class Comparison(Tabular):
    """
    Two problems, and their best plans.

    Parameters
    ----------
    first, second
        The best plan of each; where a limit was met, the best one found by then.
    differences
        What the problems say differently.
    partings
        Where the plans part, the likeliest places first; none where they are the same.
    are_partings_complete
        Whether no place can have been missed.
    kept
        What the first plan is worth in the second problem; None where that does not
        allow it.
    objection
        Why the second problem does not allow the first plan; nothing where it does.
    outlooks
        What may come of each plan, where that is known.
    """

    first: Solution
    second: Solution
    differences: tuple[Difference, ...] = ()
    partings: tuple[Parting, ...] = ()
    are_partings_complete: bool = True
    kept: Real | None = None
    objection: str = ""
    outlooks: tuple[Outlook, Outlook] | None = None

    @property
    def problems(self) -> tuple[Problem, Problem]:
        """The two problems."""
        assert self.first.problem is not None
        assert self.second.problem is not None
        return self.first.problem, self.second.problem

    @property
    def change(self) -> Real:
        """How much more the second plan is worth than the first."""
        return self.second.expected_reward - self.first.expected_reward

    @property
    def loss_of_keeping(self) -> Real | None:
        """What keeping the first plan loses in the second problem; None: it cannot."""
        return None if self.kept is None else self.second.expected_reward - self.kept

    @property
    def is_same_plan(self) -> bool:
        """Whether both plans do the same whatever happens."""
        return not self.partings and self.are_partings_complete

    @property
    def status(self) -> Status:
        """Whether both plans are proven optimal, or why not."""
        proven = Status.OPTIMAL
        return self.second.status if self.first.status is proven else self.first.status

    def tables(self) -> tuple[Table, ...]:
        """Return what differs in the problems, and where the plans part."""
        columns = {
            "after": lambda parting: ", ".join(map(str, parting.history)),
            **own_columns(
                "first_action", "second_action", "first_probability",
                "second_probability",
            ),
        }  # fmt: skip
        return (
            Table.of_records("differences", Difference, self.differences),
            Table.of_columns("partings", columns, self.partings),
        )


# Every argument past the second has a name and a default, so many do no harm.
def compare(  # noqa: PLR0913
    first: Problem | Solution,
    second: Problem | Solution,
    *,
    exact: bool = False,
    gap: float = 0.0,
    time_limit_seconds: float | None = None,
    memory_limit_bytes: int | None = None,
    progress: Listener = silent,
    cancel: Event | None = None,
) -> Comparison:
    """
    Compare two problems: what they say, what is best to do, and what that is worth.

    Parameters
    ----------
    first, second
        Problems, or solutions of problems, which are then not sought again.
    exact
        Compute with fractions instead of floats.
    gap, time_limit_seconds, memory_limit_bytes, progress, cancel
        As for `solve`; both share the time.

    Examples
    --------
    >>> from branchwise import Action, Reward
    >>> toss = Action("toss", outcomes={"heads": 0.5, "tails": 0.5}, attempts=3)
    >>> problem = Problem([toss], [Reward(toss["heads"], 8)], budget=3)
    >>> found = compare(problem, problem.with_budget(2))
    >>> found.change, [str(each) for each in found.partings[0].history]
    (-1.0, ['toss=tails', 'toss=tails'])
    >>> found.differences
    (Difference(where='budget', first='3', second='2'),)
    """
    deadline = Deadline.after(time_limit_seconds)

    def solved(given: Problem | Solution, share: float) -> Solution:
        if isinstance(given, Solution):
            checked(_problem_of(given))
            return given
        return solve(
            checked(given),
            exact=exact,
            gap=gap,
            time_limit_seconds=deadline.time_limit_seconds(share),
            memory_limit_bytes=memory_limit_bytes,
            progress=progress,
            cancel=cancel,
        )

    one, other = solved(first, 0.5), solved(second, 1.0)
    problems = _problem_of(one), _problem_of(other)
    partings, is_complete = _partings(one.tree, other.tree)
    kept, objection = _kept(one, other, problems[1])
    return Comparison(
        one,
        other,
        differences(*problems),
        partings,
        is_complete,
        kept,
        objection,
        _outlooks(one, other),
    )


def _problem_of(solution: Solution) -> Problem:
    if solution.problem is None:
        raise ValueError(
            "a solution does not know your state space, and problems are compared\n"
            "    fix: give problems, or solutions of problems"
        )
    return solution.problem


def _kept(
    first: Solution, second: Solution, problem: Problem
) -> tuple[Real | None, str]:
    """Return what the first plan is worth in the second problem, or an objection."""
    try:
        kept = plan_tree(first.tree, problem).root.value
    except PlanError as error:
        return None, str(error).partition("\n")[0]
    except LimitError as error:
        return None, str(error)
    return kept if second.is_exact else float(kept), ""


def _outlooks(first: Solution, second: Solution) -> tuple[Outlook, Outlook] | None:
    if first.history or second.history:
        return None
    pair = (outlook(each.tree, _problem_of(each)) for each in (first, second))
    return next(pair), next(pair)


def differences(first: Problem, second: Problem) -> tuple[Difference, ...]:
    """
    Return what two problems say differently, in the order of the first.

    All that can be written of a problem is compared, as its document has it.

    Examples
    --------
    >>> from branchwise import Action
    >>> toss = Action("toss", outcomes={"heads": 0.5, "tails": 0.5})
    >>> more = Problem([toss], budget=4, combine="sum")
    >>> for each in differences(Problem([toss], budget=3), more):
    ...     print(each.where, each.first, each.second)
    budget 3 4
    combine None sum
    """
    one, other = (dict(_said(_document(each), "")) for each in (first, second))
    both = dict.fromkeys([*one, *other])
    return tuple(
        Difference(where, one.get(where), other.get(where))
        for where in both
        if one.get(where) != other.get(where)
    )


def _document(problem: Problem) -> Any:
    # Numbers are compared as they are written: 0.1 is not 0.10000000000000001.
    return json.loads(write_text(problem, "json"), parse_float=str, parse_int=str)


def _said(value: Any, where: str) -> Iterator[tuple[str, str]]:
    """Return every piece of text or number in a document, with its place."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from _said(each, f"{where}.{key}" if where else key)
    elif isinstance(value, list):
        yield from _listed(value, where)
    else:
        yield where, str(value)


def _listed(values: Sequence[Any], where: str) -> Iterator[tuple[str, str]]:
    """Return what a list says; entries with a condition are told apart by that."""
    names: dict[str, int] = {}
    for number, entry in enumerate(values, 1):
        name, each = str(number), entry
        if isinstance(entry, Mapping):
            about = [f"{k} {entry[k]}" for k in _CONDITIONS if k in entry]
            name = " ".join(about).removeprefix("when ") or name
            each = {k: v for k, v in entry.items() if k not in _CONDITIONS}
        names[name] = names.get(name, 0) + 1
        again = f" ({names[name]})" if names[name] > 1 else ""
        yield from _said(each, f"{where}[{name}{again}]")


@dataclass(slots=True)
class _Pair:
    """Where two plans stand after the same has happened, and how likely."""

    path: Path
    first: Real
    second: Real


def _partings(
    first: DecisionTree, second: DecisionTree
) -> tuple[tuple[Parting, ...], bool]:
    """Follow two plans for as long as they do the same."""
    found: list[Parting] = []
    num_pairs = 0
    here: dict[tuple[Hashable, Hashable], _Pair] = {
        (first.root.key, second.root.key): _Pair((), 1, 1)
    }
    while here:
        following: dict[tuple[Hashable, Hashable], _Pair] = {}
        for (one, other), pair in here.items():
            num_pairs += 1
            if num_pairs > _MOST_PAIRS or len(found) >= _MOST_PARTINGS:
                return _likeliest(found), False
            ours, theirs = first.policy[one], second.policy[other]
            if ours.action != theirs.action:
                does = ours.action, theirs.action
                found.append(Parting(pair.path, *does, pair.first, pair.second))
                continue
            for key, step in _steps(ours, theirs, pair):
                met = following.setdefault(key, _Pair(step.path, 0, 0))
                met.first += step.first
                met.second += step.second
        here = following
    return _likeliest(found), True


def _steps(
    first: Decision, second: Decision, pair: _Pair
) -> Iterator[tuple[tuple[Hashable, Hashable], _Pair]]:
    """Return where both plans go on after outcomes that either may meet."""
    others = {branch.outcome: branch for branch in second.branches}
    for branch in first.branches:
        other = others.get(branch.outcome)
        if other is not None:
            event = Happened(str(first.action), branch.outcome)
            reached = pair.first * branch.probability, pair.second * other.probability
            yield (branch.state, other.state), _Pair((*pair.path, event), *reached)


def _likeliest(partings: list[Parting]) -> tuple[Parting, ...]:
    def order(parting: Parting) -> tuple[float, int]:
        chances = parting.first_probability, parting.second_probability
        return -float(max(chances)), len(parting.history)

    return tuple(sorted(partings, key=order))
