"""Where there are too many states: the plan of an engine, and bounds best first."""

import heapq
import math
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from branchwise.certificate.checker import Branch, Condition, Mode, Problem, State
from branchwise.certificate.proof_rows import Reason, Watch
from branchwise.model.numbers.number import TIE
from branchwise.tree.choices.policy import last_first
from branchwise.tree.solution import Solution

_MOST_REVEALED_AT_ROOT: Final = 10_000
_MOST_REVEALED: Final = 50  # at once, for one state
_MOST_EXPANDED: Final = 64  # in one round

_Option = tuple[float, list[tuple[float, float, int]]]


@dataclass(slots=True)
class _Place:
    """What is known of a state: a bound, and by which reason."""

    state: State
    reward: float
    upper: float
    reason: Reason
    revealed: _Option | None = None
    revealed_of: str = ""
    options: list[_Option] | None = None
    parents: set[int] = field(default_factory=set)


class BestFirstBounds:
    """Bounds that fall as states are expanded, best first."""

    # A state that was not expanded is bounded by perfect information, as far as it
    # takes few rows: its actions are revealed one after the other.

    def __init__(self, problem: Problem) -> None:
        self._space = problem.space
        self._places: list[_Place] = []
        self._known: dict[State, int] = {}
        self._gained = float(problem.root[0])
        self._place(problem.root[1])

    @property
    def upper(self) -> float:
        """What no plan can exceed, up to rounding."""
        return self._gained + self._places[0].upper

    def reason(self, state: State) -> Reason:
        """What stands behind the bound of a state that was met."""
        return self._places[self._known[state]].reason

    def lower_to(self, lower_bound: float, gap: float, watch: Watch) -> None:
        """Expand states until the gap is as small as this, or as small as it gets."""
        self._reveal(0, _MOST_REVEALED_AT_ROOT, watch)
        while self.upper - lower_bound > max(gap, TIE) * abs(self.upper):
            weights = dict(self._tips())
            if not weights:
                return
            heaviest = sorted(weights, key=lambda place: -weights[place])
            half = max(1, min(len(heaviest) // 2, _MOST_EXPANDED))
            for place in heaviest[:half]:
                watch(len(self._places))
                self._expand(place)

    def _place(self, state: State) -> int:
        place = self._known.setdefault(state, len(self._places))
        if place == len(self._places):
            reward, most = (
                float(self._space.worth(state, now=n)) for n in (True, False)
            )
            self._places.append(_Place(state, reward, most, ("close",)))
        return place

    def _option(self, sure: float, branches: Iterable[Branch], parent: int) -> _Option:
        placed = []
        for probability, gained, state in branches:
            child = self._place(state)
            self._places[child].parents.add(parent)
            placed.append((float(probability), float(gained), child))
        return sure, placed

    def _reveal(self, place: int, most: int, watch: Watch = lambda _: None) -> None:
        """Bound a state by revealing what its rewards hang on, likely cases first."""
        revealed: list[int] = []
        pending = [(-1.0, place)]
        try:
            while pending and len(revealed) < most:
                watch(len(self._places))
                weight, number = heapq.heappop(pending)
                for p, _, child in self._tell(number):
                    heapq.heappush(pending, (weight * p, child))
                revealed.append(number)
        finally:  # What a limit has ended counts as well.
            for number in reversed(revealed):
                self._lower(number)

    def _tell(self, place: int) -> list[tuple[float, float, int]]:
        """Reveal one action at a state, unless there is no need."""
        now = self._places[place]
        mode = _most_telling(now.state) if now.upper > now.reward else None
        if mode is None or now.revealed or now.options:
            return []
        now.revealed = self._option(0.0, self._space.revealed(now.state, mode), place)
        now.revealed_of = mode.name
        return now.revealed[1]

    def _expand(self, place: int) -> None:
        now = self._places[place]
        now.options = []
        for mode in self._space.available(now.state):
            children = self._space.children(now.state, mode)
            now.options.append(self._option(-float(mode.terms.charge), children, place))
        for _, branches in now.options:
            for _, _, child in branches:
                self._reveal(child, _MOST_REVEALED)
        self._lower(place)

    def _lower(self, place: int) -> None:
        """Pass a new bound on to the states that lead here."""
        pending = [place]
        while pending:
            now = self._places[pending.pop()]
            before = now.upper
            if now.revealed and (revealed := self._total(now.revealed)) < now.upper:
                now.upper, now.reason = revealed, ("reveal", now.revealed_of)
            if now.options is not None:
                best = max([now.reward, *map(self._total, now.options)])
                if best <= now.upper:
                    now.upper, now.reason = best, ("expand",)
            if now.upper < before:
                pending.extend(now.parents)

    def _total(self, option: _Option) -> float:
        sure, branches = option
        return sure + sum(p * (g + self._places[c].upper) for p, g, c in branches)

    def _tips(self) -> Iterator[tuple[int, float]]:
        """The states where the plan that looks best ends unexpanded, with weights."""
        chances = {0: 1.0}
        # The plan that looks best, each state before those it leads to.
        for place in reversed(list(last_first(0, self._next))):
            now, chance = self._places[place], chances[place]
            if now.options is None and now.upper > now.reward:
                yield place, chance * (now.upper - now.reward)
            for p, _, child in self._best(now):
                chances[child] = chances.get(child, 0.0) + chance * p

    def _best(self, now: _Place) -> list[tuple[float, float, int]]:
        best = max(now.options or [], key=self._total, default=(-math.inf, []))
        return best[1] if self._total(best) > now.reward else []

    def _next(self, place: int) -> list[int]:
        return [child for _, _, child in self._best(self._places[place])]


def _most_telling(state: State) -> Mode | None:
    """The action to reveal: the first one unknown on the way to the best reward."""
    _, modes, rewards = state
    unknown = {mode for mode in modes if mode.is_unknown}
    pending: list[Condition] = [c for c in rewards if c.needs][::-1]
    met: set[Condition] = set()
    while pending and unknown:
        condition = pending.pop()
        if condition in met:
            continue
        met.add(condition)
        owners = [m for m in modes if m.facts & condition.needs]
        for mode in owners if not condition.parts else ():
            if mode in unknown:
                return mode
            pending.append(mode.gate)
        pending.extend(condition.parts)
    return None


def planned_policy(problem: Problem, solution: Solution) -> dict[State, Reason]:
    """Return what a plan does at every state of the checker that it can come to."""
    # The checker merges other states than the engine. Where several states of the plan
    # are one for the checker, the first one speaks for all: they have the same future.
    # An action that the checker knows to be useless is left out, with all behind it.
    space, policy = problem.space, solution.tree.policy
    names = {bit: label for (_, label), bit in problem.bits.items()}
    root = problem.root[1]
    spoken: dict[State, Hashable] = {root: solution.tree.root.key}
    decided: dict[State, Reason] = {}
    pending = [root]
    while pending:
        state = pending.pop()
        decision = policy[spoken[state]]
        modes = [m for m in space.available(state) if m.name == decision.action]
        decided[state] = (decision.action if modes else None,)
        if not modes:
            continue
        later = {branch.outcome: branch.state for branch in decision.branches}
        labels = [names[bit] for bit, _ in modes[0].terms.probabilities]
        children = space.children(state, modes[0])
        for label, (_, _, child) in zip(labels, children, strict=True):
            if child not in spoken:
                spoken[child] = later[label]
                pending.append(child)
    return decided
