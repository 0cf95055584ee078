"""State spaces of one's own, checked state by state as they are explored."""

import math
import os
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from fractions import Fraction
from numbers import Rational
from numbers import Real as RealNumber
from typing import Any, Final, Generic, TypeVar

from branchwise.errors import Issue, ProblemError
from branchwise.model.numbers.number import Real
from branchwise.model.problem import read_first
from branchwise.model.spread import Spread
from branchwise.space.state_space import AvailableAction, StateSpace, Transition

S = TypeVar("S", bound=Hashable)

# Probabilities that are floats may miss one by rounding.
_ROUNDING: Final = 1e-9

_LONGEST: Final = 200

_MEMBERS: Final = ("root", "actions", "reward")

# Numbers of these classes are what they seem to be.
_PLAIN: Final = (float, int)
_HUGE: Final = 1e300


class CheckedSpace(Generic[S]):
    """
    A state space that raises a `ProblemError` at a state where it contradicts itself.

    Examples
    --------
    >>> class Coin:
    ...     root = "coin"
    ...
    ...     def actions(self, state):
    ...         if state == "coin":
    ...             sides = [Transition(side, 0.6, side) for side in ("heads", "tails")]
    ...             yield AvailableAction("toss", tuple(sides))
    ...
    ...     def reward(self, state):
    ...         return 1 if state == "heads" else 0
    >>> list(CheckedSpace(Coin()).actions("coin"))
    Traceback (most recent call last):
    branchwise.errors.ProblemError: state 'coin', action `toss`: the probabilities ...
        fix: let them sum to 1
    """

    # Naive means every action, also those that `may_help` would leave out.

    def __init__(self, space: StateSpace[S], *, naive: bool = False) -> None:
        self._space: Any = a_state_space(space)
        self._actions: Any = self._space.actions
        self.root = space.root
        self._may_help = None if naive else optional_method(space, "may_help")
        self._upper_bound = None if naive else optional_method(space, "upper_bound")
        _check_state(self.root, "root")

    @property
    def has_upper_bound(self) -> bool:
        """Whether the space says what no plan can exceed."""
        return self._upper_bound is not None

    @property
    def is_pruned(self) -> bool:
        """Whether the space says which actions cannot help."""
        return self._may_help is not None

    def actions(self, state: S) -> Iterable[AvailableAction[S]]:
        """Return the actions that can be taken at a state, once they are sound."""
        given = self._actions(state)
        if not isinstance(given, Iterable):
            what = f"`actions` gives {shortened(given)}"
            fix = "return a list of actions, which may be empty"
            raise ProblemError.of(place(state), what, fix)
        found = list(given)
        if not _is_sound(found):
            found = self._looked_at(found, state)
        if self._may_help is None:
            return found
        return [action for action in found if self._helps(state, action.name)]

    def _helps(self, state: S, action: str) -> bool:
        assert self._may_help is not None
        answer = self._may_help(state, action)
        if not isinstance(answer, bool) and answer not in (0, 1):
            what = f"`may_help` gives {shortened(answer)}"
            raise ProblemError.of(place(state, action), what, "return True or False")
        return bool(answer)

    def _looked_at(self, given: list[Any], state: S) -> list[AvailableAction[S]]:
        """Return actions that are sound after all; say what is wrong with others."""
        where = place(state)
        found = [_shaped(action, where) for action in given]
        issues = [issue for action in found for issue in _issues(action, where)]
        issues += [
            Issue(where, f"two actions are called `{name}`", "rename one of them")
            for name in _repeated(str(action.name) for action in found)
        ]
        if issues:
            raise ProblemError(issues)
        return found

    def reward(self, state: S) -> Real:
        """Return the reward for stopping at a state, if it is a finite number."""
        reward: Real = self._space.reward(state)
        if not _is_finite(reward):
            what = f"the reward is {reward!r}, which is no finite number"
            raise ProblemError.of(place(state), what, "return a finite number")
        return reward

    def upper_bound(self, state: S, reward: Real) -> float:
        """Return what no plan exceeds from a state on; infinity if that is unsaid."""
        if self._upper_bound is None:
            return math.inf
        bound: Any = self._upper_bound(state)
        if not isinstance(bound, RealNumber) or math.isnan(bound):
            what, fix = f"the upper bound is {bound!r}", "return a number, or infinity"
            raise ProblemError.of(place(state), what, fix)
        if float(reward) - float(bound) > _ROUNDING * abs(float(reward)):
            what = f"the upper bound is {bound!r}, but stopping is worth {reward!r}"
            fix = "let no bound be less than the reward for stopping there"
            raise ProblemError.of(place(state), what, fix)
        return float(bound)


def a_state_space(space: Any) -> Any:
    """Return a state space as it is; refuse what is none."""
    if isinstance(space, str | os.PathLike):
        raise TypeError(read_first(space))
    missing = [name for name in _MEMBERS if not hasattr(space, name)]
    if missing or isinstance(space, type):
        raise TypeError(
            f"the problem is a Problem or a state space, not {shortened(space)}\n    "
            "fix: read a problem with `branchwise.read(path)`, or give an object with "
            "`root`, `actions` and `reward`"
        )
    for name in _MEMBERS[1:]:
        if not callable(getattr(space, name)):
            what = f"`{name}` is {shortened(getattr(space, name))}, not a method"
            raise TypeError(f"state space: {what}\n    fix: define `{name}(state)`")
    return space


def optional_method(space: object, name: str) -> Callable[..., Any] | None:
    """Return a method that a space may have or not."""
    method = getattr(space, name, None)
    if method is not None and not callable(method):
        what = f"`{name}` is {shortened(method)}, not a method"
        raise TypeError(f"state space: {what}\n    fix: define it, or leave it out")
    return method


def place(state: object, action: str | None = None) -> str:
    """Return where something is wrong: at a state, perhaps with an action there."""
    at = f"state {shortened(state)}"
    return at if action is None else f"{at}, action `{action}`"


def circle_issue(state: object, action: str, child: object) -> Issue:
    """Return that an action leads from a state back to one that leads there."""
    back = "to itself" if state == child else f"there from {place(state)}"
    return Issue(
        where=place(child),
        what="can be reached from itself, so a plan might never end: "
        f"`{action}` leads {back}",
        fix="let every action use something up, and make that part of the state",
    )


def shortened(value: object) -> str:
    """Return what Python shows of a value, if that is not too long."""
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def _is_sound(actions: list[Any]) -> bool:
    """Whether actions are quickly seen to be sound; if not, they may still be."""
    # A million states are looked at so: nothing here is worth a function of its own.
    names = set()
    for action in actions:
        if type(action) is not AvailableAction:
            return False
        name, transitions, cost, charge, spread = action
        if type(name) is not str or spread is not None:
            return False
        if cost.__class__ not in _PLAIN or charge.__class__ not in _PLAIN:
            return False
        if not (-_HUGE < cost < _HUGE and -_HUGE < charge < _HUGE):
            return False
        if type(transitions) is not tuple or not _is_one_of_all(transitions):
            return False
        names.add(name)
    return len(names) == len(actions)


def _is_about_one(total: float) -> bool:
    return abs(total - 1) <= _ROUNDING / 2


def _is_one_of_all(transitions: tuple[Any, ...]) -> bool:
    """Whether exactly one of these happens, and each leads somewhere."""
    total: Any = 0
    over, under = 0, 1  # What fractions add up to, exactly.
    labels = set()
    for transition in transitions:
        if type(transition) is not Transition:
            return False
        label, probability, state = transition
        if type(label) is not str:
            return False
        if probability.__class__ is Fraction:
            part, whole = probability.as_integer_ratio()
            if not 0 <= part <= whole:
                return False
            if whole == under:
                over += part
            else:
                over, under = over * whole + part * under, under * whole
        elif probability.__class__ not in _PLAIN or not 0 <= probability <= 1:
            return False
        else:
            total += probability
        labels.add(label)
        try:
            hash(state)
        except TypeError:
            return False
    # Where there are both, fractions and floats, it takes a closer look.
    is_one = over == under if not total else not over and _is_about_one(total)
    return is_one and len(labels) == len(transitions)


def _shaped(action: Any, where: str) -> AvailableAction[Any]:
    """Return an action whose transitions are what they are called."""
    if not isinstance(action, AvailableAction):
        what = f"`actions` gives {action!r}, which is no AvailableAction"
        raise ProblemError.of(where, what, "give AvailableAction(name, transitions)")
    given: Any = action.transitions
    if not isinstance(given, Iterable):
        what = f"the transitions of `{action.name}` are {given!r}"
        raise ProblemError.of(where, what, "give a tuple of Transition")
    transitions = tuple(given)
    for transition in transitions:
        if not isinstance(transition, tuple) or len(transition) != 3:
            what = f"`{action.name}` has {transition!r}, which is no Transition"
            raise ProblemError.of(
                where, what, "give Transition(outcome, probability, state)"
            )
        _check_state(transition[2], f"{where}, action `{action.name}`")
    return action._replace(transitions=tuple(Transition(*each) for each in transitions))


def _check_state(state: object, where: str) -> None:
    try:
        hash(state)
    except TypeError:
        what = f"the state {shortened(state)} cannot be hashed"
        fix = "use a tuple, a NamedTuple or a frozen dataclass for states"
        raise ProblemError.of(where, what, fix) from None


def _issues(action: AvailableAction[Any], where: str) -> Iterator[Issue]:
    if not _is_text(action.name):
        what = f"the name of an action is {action.name!r}"
        yield Issue(where, what, "let names be text")
    here = f"{where}, action `{action.name}`"
    labels = [transition.outcome for transition in action.transitions]
    for label in labels:
        if not _is_text(label):
            what = f"the label of an outcome is {label!r}"
            yield Issue(here, what, "let labels be text")
    for label in _repeated(map(str, labels)):
        yield Issue(here, f"two outcomes are called `{label}`", "rename one of them")
    for what, number in (("cost", action.cost), ("charge", action.charge)):
        if not _is_finite(number):
            says = f"the {what} is {number!r}, which is no finite number"
            yield Issue(here, says, f"let the {what} be a finite number")
    yield from _probabilities_issues(action, here)


def _probabilities_issues(action: AvailableAction[Any], here: str) -> Iterator[Issue]:
    if not action.transitions:
        fix = "give it at least one, or leave the action out"
        yield Issue(here, "it has no outcomes", fix)
        return
    is_sound = True
    for label, probability, _ in action.transitions:
        if not _is_finite(probability) or not 0 <= probability <= 1:
            what = f"the probability of `{label}` is {probability!r}"
            yield Issue(here, what, "let it be a number from 0 to 1")
            is_sound = False
    if not is_sound:
        return
    probabilities = [transition.probability for transition in action.transitions]
    if not _is_one(probabilities):
        total = _total(probabilities)
        what = f"the probabilities of {_listed(action)} sum to {total}, not 1"
        yield Issue(here, what, "let them sum to 1")
    elif action.spread is not None:
        yield from _spread_issues(action.spread, probabilities, here)


def _spread_issues(
    spread: Spread, probabilities: list[Real], here: str
) -> Iterator[Issue]:
    parts = (spread.nominal, spread.low, spread.high)
    if any(len(part) != len(probabilities) for part in parts):
        what = f"the spread does not have {len(probabilities)} numbers of each kind"
        yield Issue(here, what, "give one number of each kind for each transition")
    elif any(
        not (_is_finite(low) and _is_finite(high) and 0 <= low <= odd <= high <= 1)
        or abs(float(nominal) - float(odd)) > _ROUNDING
        for nominal, low, high, odd in zip(*parts, probabilities, strict=True)
    ):
        what = f"the spread {spread!r} does not lie around the probabilities"
        fix = "let 0 <= low <= probability <= high <= 1, and nominal be the probability"
        yield Issue(here, what, fix)
    elif not _is_finite(spread.distance) or spread.distance < 0:
        what = f"the distance of the spread is {spread.distance!r}"
        yield Issue(here, what, "let it be a number from 0 to 1")


def _listed(action: AvailableAction[Any]) -> str:
    shown = [f"`{label}`" for label, _, _ in action.transitions[:5]]
    more = len(action.transitions) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _is_finite(number: object) -> bool:
    try:
        return isinstance(number, RealNumber) and math.isfinite(number)
    except OverflowError:  # a whole number that no float is as large as
        return False


def _is_text(name: object) -> bool:
    return isinstance(name, str)


def _is_one(probabilities: list[Real]) -> bool:
    if all(isinstance(probability, Rational) for probability in probabilities):
        return sum(probabilities) == 1
    return abs(math.fsum(probabilities) - 1) <= _ROUNDING


def _total(probabilities: list[Real]) -> str:
    total = sum(probabilities)
    return f"{total:.12g}" if isinstance(total, float) else str(total)


def _repeated(names: Iterable[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1]
