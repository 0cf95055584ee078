"""A check of what a state space of one's own says of itself, on a small space."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from branchwise.errors import Issue, LimitError
from branchwise.model.arguments import a_whole_number
from branchwise.model.numbers.number import TIE
from branchwise.reference.full_graph import FullGraph, naive_full_graph
from branchwise.reference.reduced_graph import action_score, scores
from branchwise.space.checked_space import CheckedSpace, place
from branchwise.space.own_space import OwnSpace, own_space
from branchwise.space.state_space import Real
from branchwise.tree.progress import Progress

_MOST_STATES: Final = 100_000
_MOST_ISSUES: Final = 20


@dataclass(frozen=True, slots=True)
class PruningCheck:
    """
    Whether a state space of your own may be pruned as it says.

    Parameters
    ----------
    expected_reward
        What the best plan is worth, from every state and action.
    pruned_reward
        What the best plan is worth among the actions that are said to help.
    num_states, num_pruned_states
        How many states there are in all, and how many without the actions that are said
        not to help.
    issues
        Where a claim is wrong: an action that is said not to help is better than all
        others, or an upper bound is exceeded. At most 20 of them.
    """

    expected_reward: Real
    pruned_reward: Real
    num_states: int
    num_pruned_states: int
    issues: tuple[Issue, ...]

    @property
    def is_sound(self) -> bool:
        """Whether no claim was found to be wrong."""
        return not self.issues


def check_pruning(space: OwnSpace, *, most_states: int = _MOST_STATES) -> PruningCheck:
    """
    Compare the best plan with and without what a state space says cannot matter.

    Every state of the space is explored, so this is for a small one of its kind. That
    all is well there proves nothing of others, but a wrong claim rarely is right in
    all small spaces.

    Parameters
    ----------
    space
        A state space with `may_help`, `upper_bound`, or both.
    most_states
        Give up, by a `LimitError`, when there are more states than this.

    Examples
    --------
    >>> from branchwise.space import AvailableAction, Transition
    >>> class Stairs:
    ...     root = 0
    ...
    ...     def actions(self, step):
    ...         if step < 3:
    ...             yield AvailableAction("climb", (Transition("done", 1, step + 1),))
    ...
    ...     def reward(self, step):
    ...         return step
    ...
    ...     def may_help(self, step, action):
    ...         return step < 2
    >>> found = check_pruning(Stairs())
    >>> found.expected_reward, found.pruned_reward
    (3, 2)
    >>> print(found.issues[0])
    state 2: `climb` is said not to help, but is worth 3, and all else 2
        fix: let `may_help` return True for it
    """
    most = a_whole_number("most_states", most_states, least=1)
    whole = _explored(own_space(space, naive=True), most)
    phi = scores(whole)
    pruned = _explored(own_space(space), most)
    claims = _Claims(space, whole, phi, pruned)
    found = [*claims.dropped(), *claims.exceeded()]
    return PruningCheck(
        expected_reward=phi[whole.root],
        pruned_reward=scores(pruned)[pruned.root],
        num_states=len(whole),
        num_pruned_states=len(pruned),
        issues=tuple(found[:_MOST_ISSUES]),
    )


class _Claims:
    """What a space says, beside what is true."""

    def __init__(
        self,
        space: OwnSpace,
        whole: FullGraph[Any],
        phi: dict[Any, Real],
        pruned: FullGraph[Any],
    ) -> None:
        self._space, self._whole, self._phi, self._pruned = space, whole, phi, pruned
        largest = max(abs(float(value)) for value in phi.values())
        self._slack = TIE * max(largest, 1.0)

    def dropped(self) -> Iterator[Issue]:
        """Return where every best action is said not to help."""
        # All values are true ones: what is lost below is an issue there.
        for state, kept in self._pruned.actions.items():
            worths = [action_score(action, self._phi) for action in kept]
            best = max([self._whole.rewards[state], *worths])
            lost = self._phi[state] - best
            if lost > self._slack:
                name = self._best_at(state)
                worth = f"is worth {self._phi[state]}, and all else {best}"
                what = f"`{name}` is said not to help, but {worth}"
                fix = "let `may_help` return True for it"
                yield Issue(place(state), what, fix)

    def _best_at(self, state: Any) -> str:
        actions = self._whole.actions[state]
        best = max(actions, key=lambda action: action_score(action, self._phi))
        return best.name

    def exceeded(self) -> Iterator[Issue]:
        """Return where a plan is worth more than the upper bound."""
        for state, value in self._phi.items():
            bound = _bound(self._space, state)
            if bound is not None and float(value) - bound > self._slack:
                what = f"the upper bound is {bound}, but a plan is worth {value}"
                fix = "let `upper_bound` be no less"
                yield Issue(place(state), what, fix)


def _bound(space: Any, state: Any) -> float | None:
    """Return what a space says that no plan exceeds from a state on."""
    if not hasattr(space, "upper_bound"):
        return None
    if hasattr(space, "actions"):
        return float(space.upper_bound(state))
    import numpy as np  # noqa: PLC0415

    return float(space.upper_bound(np.array([state], dtype=np.int64))[0])


def _explored(space: CheckedSpace[Any], most: int) -> FullGraph[Any]:
    def listen(progress: Progress) -> None:
        if progress.num_states > most:
            raise LimitError(
                f"there are more than {most:,} states; check a smaller space of the "
                "kind, or raise `most_states`"
            )

    return naive_full_graph(space, listen)
