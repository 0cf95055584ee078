"""Two plans with the same draws: when one ends better than the other."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count
from typing import Final, NamedTuple

from branchwise.analysis.lots import Lot, label_of, lots_of
from branchwise.model.conditions.condition import Happened
from branchwise.model.execution.state import State
from branchwise.model.features import features_of
from branchwise.model.problem import Problem
from branchwise.tree.decision_tree import Node

_MOST_STEPS: Final = 20_000

Path = tuple[Happened, ...]


@dataclass(frozen=True, slots=True)
class LuckyCase:
    """
    A case in which, with the same draws, one plan ends better than another.

    Parameters
    ----------
    probability
        How likely it is.
    paths
        What happens with each of the two plans, in order.
    rewards
        What each ends with, less weighted cost.
    """

    probability: Fraction
    paths: tuple[Path, Path]
    rewards: tuple[Fraction, Fraction]

    @property
    def parting(self) -> Happened:
        """The first outcome that happens with one of the plans and not the other."""
        one, other = self.paths
        apart = [event for event in one if event not in other]
        return (apart or [event for event in other if event not in one])[0]


class _Run(NamedTuple):
    """One plan being carried out."""

    plan: Node
    path: Path = ()
    charged: Fraction = Fraction(0)


class _Case(NamedTuple):
    """Two runs, and the lots that it may be by now: by action and attempt."""

    runs: tuple[_Run, _Run]
    drawn: Mapping[tuple[str, int], Sequence[Lot]]


def likeliest_advantage(
    problem: Problem, state: State, plans: tuple[Node, Node]
) -> tuple[LuckyCase | None, bool]:
    """
    Find the likeliest case in which, with the same draws, one plan ends better.

    None where there is none, or it takes too long to find; and whether that is settled:
    no likelier case was left out.
    """
    if features_of(problem):
        return None, False  # More than outcomes would have to be drawn beforehand.
    match = _Match(problem, state)
    number = count()
    cases = [(Fraction(-1), next(number), _Case((_Run(plans[0]), _Run(plans[1])), {}))]
    for _ in range(_MOST_STEPS):
        if not cases:
            return None, True
        less, _, case = heappop(cases)
        followed = match.followed(case)
        if followed is None:
            rewards = match.reward(case.runs[0]), match.reward(case.runs[1])
            if rewards[0] > rewards[1]:
                paths = case.runs[0].path, case.runs[1].path
                return LuckyCase(-less, paths, rewards), True
            continue
        for probability, after in followed:
            heappush(cases, (less * probability, next(number), after))
    return None, False


class _Match:
    """The rules by which two plans are carried out side by side."""

    def __init__(self, problem: Problem, state: State) -> None:
        self._problem = problem
        self._state = state

    def reward(self, run: _Run) -> Fraction:
        return self._problem.reward(self._outcomes(run.path)) - run.charged

    def followed(self, case: _Case) -> Sequence[tuple[Fraction, _Case]] | None:
        """Take one step, of the first plan that goes on; None where both have ended."""
        for side, run in enumerate(case.runs):
            if run.plan.action is None:
                continue
            action = self._problem.action(run.plan.action)
            times = sum(event.action == action.name for event in run.path)
            place = action.name, times + self._state.count(action.name)
            lots = case.drawn.get(place) or lots_of(action)
            return list(self._stepped(case, side, place, lots))
        return None

    def _stepped(
        self, case: _Case, side: int, place: tuple[str, int], lots: Sequence[Lot]
    ) -> Iterator[tuple[Fraction, _Case]]:
        """Return what follows, one case for all lots that come out alike here."""
        run = case.runs[side]
        outcomes = self._outcomes(run.path)
        alike: dict[str, list[Lot]] = {}
        for lot in lots:
            cost, certain = lot.action.as_of(outcomes)
            alike.setdefault(label_of(certain), []).append(lot)
        charged = run.charged + self._problem.cost_weight.times(cost)
        total = sum(lot.probability for lot in lots)
        for label, some in alike.items():
            path = (*run.path, Happened(place[0], label))
            after = _Run(run.plan.child(label), path, charged)
            runs = (after, case.runs[1]) if side == 0 else (case.runs[0], after)
            share = sum((lot.probability for lot in some), Fraction(0)) / total
            yield share, _Case(runs, {**case.drawn, place: some})

    def _outcomes(self, path: Path) -> Mapping[str, tuple[str, ...]]:
        found = dict(self._state.outcomes)
        for event in path:
            found[event.action] = (*found.get(event.action, ()), event.outcome)
        return found
