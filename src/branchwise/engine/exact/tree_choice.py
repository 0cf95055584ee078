"""The choice of a tree among those that are optimal, by a preference of any kind."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from branchwise.engine.exact.settlement import Look, Settlement
from branchwise.space.problem_space import PackedState, ProblemSpace
from branchwise.space.state_space import AvailableAction
from branchwise.tree.choices.policy import last_first
from branchwise.tree.choices.preference import Preference, Rank

N = TypeVar("N", bound=Hashable)


class LookedAtError(BaseException):
    """An objective looks at a state: not all states with one future are one to it."""

    # No function that catches what goes wrong within it is to catch this.


class UnseenState:
    """What an objective is given for a state, as long as it does not look at it."""

    def _refuse(self, *_: object) -> Any:
        raise LookedAtError

    __getattribute__ = _refuse
    __eq__ = __ne__ = __lt__ = __gt__ = __le__ = __ge__ = __hash__ = _refuse
    __repr__ = __str__ = __bool__ = __len__ = __iter__ = __getitem__ = _refuse


class Choice(NamedTuple, Generic[N]):
    """An optimal option, as an objective sees it."""

    option: int  # Which one at its state
    action: AvailableAction[Any]
    children: Sequence[N]  # Where its outcomes lead


class Standing(NamedTuple):
    """A state of the problem, and its place among the contenders."""

    place: int
    state: PackedState


class TreeChoice:
    """Chooses an optimal option wherever one may come to."""

    def __init__(
        self, settlement: Settlement, preference: Preference, look: Look = int
    ) -> None:
        self._settlement, self._preference = settlement, preference
        self._options = settlement.contenders.options
        self._look = look

    def by_place(self) -> list[int | None]:
        """Return, by place, the option that the tree takes; None where it stops."""
        # A function that looks at a state raises `LookedAtError`.
        unseen = UnseenState()

        def choices(place: int) -> list[Choice[int]]:
            options = self._options[place]
            return [
                Choice(at, options[at].action, [e.child for e in options[at].links])
                for at in self._taken(place)
            ]

        places = range(len(self._options))
        found = self._chosen(places, choices, lambda place: (place, unseen))
        return [found[place] for place in places]

    def by_state(self, space: ProblemSpace) -> dict[Standing, int | None]:
        """Return the same by state, for a function that looks at states."""

        def choices(at: Standing) -> list[Choice[Standing]]:
            return [self._choice(at, option, space) for option in self._taken(at.place)]

        def children(at: Standing) -> list[Standing]:
            return [child for choice in choices(at) for child in choice.children]

        root = Standing(self._settlement.root, space.root)
        return self._chosen(last_first(root, children), choices, lambda at: at)

    def _choice(
        self, at: Standing, option: int, space: ProblemSpace
    ) -> Choice[Standing]:
        contender = self._options[at.place][option]
        action = space.action(at.state, contender.action.name)
        assert action is not None
        pairs = zip(contender.links, action.transitions, strict=True)
        children = [Standing(link.child, step.state) for link, step in pairs]
        return Choice(option, action, children)

    def _taken(self, place: int) -> list[int]:
        is_end = self._settlement.is_end(place)
        return [] if is_end else self._settlement.optimal[place]

    def _chosen(
        self,
        children_first: Iterable[N],
        choices: Callable[[N], Sequence[Choice[N]]],
        seen: Callable[[N], tuple[int, Any]],
    ) -> dict[N, int | None]:
        ranks: dict[N, Rank] = {}
        chosen: dict[N, int | None] = {}
        for done, node in enumerate(children_first):
            self._look(done)
            found, (place, state) = choices(node), seen(node)
            ranked = [self._ranked(state, choice, ranks) for choice in found]
            if not found:
                ranks[node] = self._preference.rank(state, None, ())
                chosen[node] = None
                continue
            best = 0
            for at, rank in enumerate(ranked):
                best = at if self._preference.is_better(rank, ranked[best]) else best
            ranks[node], chosen[node] = ranked[best], found[best].option
            if self._preference.leader is not None:
                chosen[node] = self._led(place, found, best)
        return chosen

    def _ranked(self, state: Any, choice: Choice[N], ranks: dict[N, Rank]) -> Rank:
        pairs = zip(choice.action.transitions, choice.children, strict=True)
        below = [(step.probability, ranks[child]) for step, child in pairs]
        return self._preference.rank(state, choice.action, below)

    def _led(self, place: int, found: Sequence[Choice[Any]], best: int) -> int:
        """Let the leader choose among what makes a difference; or else the best."""
        assert self._preference.leader is not None
        options, differs = self._options[place], self._settlement.makes_difference
        differing = {
            choice.action.name: choice.option
            for choice in found
            if differs(place, options[choice.option])
        }
        if not differing:
            return found[best].option
        return differing[self._preference.leader([*differing])]
