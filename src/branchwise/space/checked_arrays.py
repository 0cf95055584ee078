"""State spaces in arrays, checked as they are explored."""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from branchwise.errors import ProblemError
from branchwise.space.array_space import ArraySpace, ArrayTransitions
from branchwise.space.checked_space import optional_method, place, shortened
from branchwise.space.state_space import AvailableAction, Transition

_Row = tuple[int, ...]
_Numbers = NDArray[Any]

# Probabilities that are floats may miss one by rounding.
_ROUNDING: Final = 1e-9

_MEMBERS: Final = ("root", "expand", "reward", "action_names", "outcome_names")


class Options(NamedTuple):
    """The actions of some states, in order, and their branches in order of these."""

    source: _Numbers  # by option: which of the states
    action: _Numbers  # by option: its id
    cost: _Numbers  # by option
    charge: _Numbers  # by option
    num_branches: _Numbers  # by option
    outcome: _Numbers  # by branch: its id
    probability: _Numbers  # by branch
    state: _Numbers  # by branch: a row


class CheckedArrays:
    """A state space in arrays that raises a `ProblemError` where it is not sound."""

    def __init__(self, space: ArraySpace, *, naive: bool = False) -> None:
        missing = [name for name in _MEMBERS if not hasattr(space, name)]
        if missing:
            listed = ", ".join(f"`{name}`" for name in missing)
            raise TypeError(
                f"this state space in arrays has no {listed}\n    fix: give an object "
                "with `root`, `expand`, `reward`, `action_names` and `outcome_names`"
            )
        self._space = space
        self.action_names = _names(space.action_names, "action_names")
        self.outcome_names = _names(space.outcome_names, "outcome_names")
        self.root = _root(space.root)
        self._may_help = None if naive else optional_method(space, "may_help")
        self._upper_bound = None if naive else optional_method(space, "upper_bound")

    @property
    def width(self) -> int:
        """How many numbers a state has."""
        return int(self.root.shape[1])

    @property
    def has_upper_bound(self) -> bool:
        """Whether the space says what no plan can exceed."""
        return self._upper_bound is not None

    def options(self, states: _Numbers) -> Options:
        """Return the actions of some states, once they are sound."""
        given = self._space.expand(states)
        found = _Given(self, states, given).options()
        if self._may_help is None or not len(found.source):
            return found
        answers = np.asarray(self._may_help(states[found.source], found.action))
        if answers.dtype != np.bool_ or answers.shape != found.source.shape:
            fix = "return one True or False for each state and action"
            raise ProblemError.of("`may_help`", f"gives {_shape(answers)}", fix)
        return _only(found, answers)

    def rewards(self, states: _Numbers) -> _Numbers:
        """Return the reward for stopping at each state, if all are finite."""
        rewards = self._one_each(self._space.reward(states), states, "`reward`")
        wrong = ~np.isfinite(rewards)
        if wrong.any():
            at = int(wrong.argmax())
            what = f"the reward is {rewards[at]!r}, which is no finite number"
            raise ProblemError.of(_at(states[at]), what, "return finite numbers")
        return rewards

    def upper_bounds(self, states: _Numbers, rewards: _Numbers) -> _Numbers:
        """Return what no plan is worth more than from each state on."""
        if self._upper_bound is None:
            return np.full(len(states), math.inf)
        given = self._upper_bound(states)
        bounds = self._one_each(given, states, "`upper_bound`")
        wrong = np.isnan(bounds)
        if wrong.any():
            at, fix = int(wrong.argmax()), "return numbers, or infinity"
            raise ProblemError.of(_at(states[at]), "the upper bound is nan", fix)
        wrong = rewards - bounds > _ROUNDING * np.abs(rewards)
        if wrong.any():
            at = int(wrong.argmax())
            what = f"the upper bound is {bounds[at]}, but stopping is worth"
            fix = "let no bound be less than the reward for stopping there"
            raise ProblemError.of(_at(states[at]), f"{what} {rewards[at]}", fix)
        return bounds

    def _one_each(self, given: object, states: _Numbers, name: str) -> _Numbers:
        fix = "return one number for each state"
        try:
            numbers = np.asarray(given, dtype=np.float64)
        except (TypeError, ValueError):
            raise ProblemError.of(name, f"gives {shortened(given)}", fix) from None
        if numbers.shape != (len(states),):
            what = f"gives {_shape(numbers)} for {len(states)} states"
            raise ProblemError.of(name, what, fix)
        return np.ascontiguousarray(numbers)


class RowSpace:
    """A state space in arrays as one whose states are tuples, looked at one by one."""

    def __init__(self, space: ArraySpace, *, naive: bool = False) -> None:
        self._arrays = CheckedArrays(space, naive=naive)
        self.root: _Row = tuple(self._arrays.root[0].tolist())

    def actions(self, state: _Row) -> list[AvailableAction[_Row]]:
        """Return the actions that can be taken at a state."""
        found = self._arrays.options(self.row(state))
        names, labels = self._arrays.action_names, self._arrays.outcome_names
        rows = zip(
            (labels[outcome] for outcome in found.outcome.tolist()),
            found.probability.tolist(),
            map(tuple, found.state.tolist()),
            strict=True,
        )
        branches = [Transition(*row) for row in rows]
        ends = np.cumsum(found.num_branches).tolist()
        starts = [0, *ends]
        terms = found.action.tolist(), found.cost.tolist(), found.charge.tolist()
        return [
            AvailableAction(names[action], tuple(branches[first:last]), cost, charge)
            for action, cost, charge, first, last in zip(
                *terms, starts[:-1], ends, strict=True
            )
        ]

    def reward(self, state: _Row) -> float:
        """Return the reward for stopping at a state."""
        return float(self._arrays.rewards(self.row(state))[0])

    def row(self, state: _Row) -> _Numbers:
        """Return a state as an array of one row; refuse what is none."""
        given = np.asarray(state)
        if given.shape != (self._arrays.width,) or given.dtype.kind not in "iub":
            what = f"a state here is {self._arrays.width} whole numbers"
            raise ProblemError.of(place(state), what, "give a tuple of these")
        return given.astype(np.int64)[None, :]


class _Given:
    """Transitions as they were given, looked at one column after another."""

    def __init__(self, space: CheckedArrays, states: _Numbers, given: Any) -> None:
        if not isinstance(given, tuple) or len(given) not in (5, 6, 7):
            what = f"gives {shortened(given)}"
            raise ProblemError.of("`expand`", what, "return ArrayTransitions(...)")
        self._space, self._states = space, states
        columns = ArrayTransitions(*given)
        rows = _whole(columns.state, "state")
        if rows.ndim != 2 or (len(rows) and rows.shape[1] != space.width):
            what = f"`state` is {_shape(rows)}, but a state has {space.width} numbers"
            raise ProblemError.of("`expand`", what, "give one row for each outcome")
        self.state, self._count = rows, len(rows)
        self.source = self._ids(columns.source, "source", len(states))
        self.action = self._ids(columns.action, "action", len(space.action_names))
        self.outcome = self._ids(columns.outcome, "outcome", len(space.outcome_names))
        self.probability = self._numbers(columns.probability, "probability")
        self.cost = self._numbers(columns.cost, "cost")
        self.charge = self._numbers(columns.charge, "charge")

    def options(self) -> Options:
        """Return the same, grouped by state and action, if all is sound."""
        self._check_numbers()
        keys = self.source * len(self._space.action_names) + self.action
        if len(keys) and (np.diff(keys) < 0).any():
            order = np.argsort(keys, kind="stable")
            keys = keys[order]
            for name in _COLUMNS:
                setattr(self, name, getattr(self, name)[order])
        firsts = np.flatnonzero(np.r_[True, np.diff(keys) != 0][: len(keys)])
        counts = np.diff(np.r_[firsts, len(keys)])
        self._check_sums(firsts)
        self._check_labels(keys)
        self._check_terms(firsts, counts)
        return Options(
            self.source[firsts],
            self.action[firsts],
            self.cost[firsts],
            self.charge[firsts],
            counts,
            self.outcome,
            self.probability,
            np.ascontiguousarray(self.state),
        )

    def _check_numbers(self) -> None:
        with np.errstate(invalid="ignore"):
            wrong = ~((self.probability >= 0) & (self.probability <= 1))
        if wrong.any():
            at = int(wrong.argmax())
            label = self._space.outcome_names[self.outcome[at]]
            what = f"the probability of `{label}` is {self.probability[at]}"
            self._refuse(at, what, "let it be a number from 0 to 1")
        for name in ("cost", "charge"):
            wrong = ~np.isfinite(getattr(self, name))
            if wrong.any():
                at = int(wrong.argmax())
                what = f"the {name} is {getattr(self, name)[at]}"
                fix = f"let the {name} be a finite number"
                self._refuse(at, f"{what}, which is no finite number", fix)

    def _check_sums(self, firsts: _Numbers) -> None:
        if not len(firsts):
            return
        totals = np.add.reduceat(self.probability, firsts)
        wrong = np.abs(totals - 1) > _ROUNDING
        if wrong.any():
            group = int(wrong.argmax())
            what = f"the probabilities sum to {totals[group]:.12g}, not 1"
            self._refuse(int(firsts[group]), what, "let them sum to 1")

    def _check_labels(self, keys: _Numbers) -> None:
        pairs = keys * len(self._space.outcome_names) + self.outcome
        ordered = np.sort(pairs)
        again = ordered[1:] == ordered[:-1]
        if again.any():
            at = int((pairs == ordered[1:][again][0]).argmax())
            label = self._space.outcome_names[self.outcome[at]]
            what = f"two outcomes are called `{label}`"
            self._refuse(at, what, "give another id to one of them")

    def _check_terms(self, firsts: _Numbers, counts: _Numbers) -> None:
        for name in ("cost", "charge"):
            numbers = getattr(self, name)
            wrong = numbers != np.repeat(numbers[firsts], counts)
            if wrong.any():
                at = int(wrong.argmax())
                what = f"the {name} is not the same for all outcomes"
                fix = f"give each row of an action the same {name}"
                self._refuse(at, what, fix)

    def _refuse(self, at: int, what: str, fix: str) -> NoReturn:
        state = self._states[self.source[at]]
        name = self._space.action_names[self.action[at]]
        raise ProblemError.of(_at(state, name), what, fix)

    def _ids(self, given: object, name: str, count: int) -> _Numbers:
        numbers = _whole(given, name)
        self._check_length(numbers, name)
        wrong = (numbers < 0) | (numbers >= count)
        if wrong.any():
            at = int(wrong.argmax())
            what = f"row {at} of `{name}` is {numbers[at]}, but there are {count}"
            raise ProblemError.of("`expand`", what, f"give ids from 0 to {count - 1}")
        return numbers

    def _numbers(self, given: object, name: str) -> _Numbers:
        try:
            numbers = np.asarray(given, dtype=np.float64)
        except (TypeError, ValueError):
            what = f"`{name}` is {shortened(given)}"
            raise ProblemError.of("`expand`", what, "give numbers") from None
        if numbers.ndim == 0 and name != "probability":
            return np.full(self._count, numbers)
        self._check_length(numbers, name)
        return numbers

    def _check_length(self, numbers: _Numbers, name: str) -> None:
        if numbers.shape != (self._count,):
            what = f"`{name}` is {_shape(numbers)}, but `state` has {self._count} rows"
            raise ProblemError.of("`expand`", what, "give one for each row")


_COLUMNS: Final = (
    *("source", "action", "outcome", "probability", "state", "cost", "charge"),
)


def _only(found: Options, is_kept: _Numbers) -> Options:
    """Return some of the options, with their branches."""
    of_branches = np.repeat(is_kept, found.num_branches)
    by_option = (column[is_kept] for column in found[:5])
    return Options(*by_option, *(column[of_branches] for column in found[5:]))


def _names(given: object, what: str) -> tuple[str, ...]:
    if isinstance(given, str) or not hasattr(given, "__iter__"):
        raise ProblemError.of(f"`{what}`", f"is {shortened(given)}", "give a list")
    names = tuple(given)
    for name in names:
        if not isinstance(name, str):
            raise ProblemError.of(f"`{what}`", f"has {name!r}", "let names be text")
        if names.count(name) > 1:
            twice = f"has `{name}` twice"
            raise ProblemError.of(f"`{what}`", twice, "rename one of them")
    return names


def _root(given: object) -> _Numbers:
    row = _whole(given, "root")
    if row.ndim != 1 or not len(row):
        what = f"is {_shape(row)}"
        raise ProblemError.of("`root`", what, "give one row of whole numbers")
    return row[None, :]


def _whole(given: object, name: str) -> _Numbers:
    numbers = np.asarray(given)
    is_empty = not numbers.size
    if not is_empty and (numbers.dtype.kind not in "iub" or numbers.dtype == np.uint64):
        what = f"`{name}` is {_shape(numbers)}"
        raise ProblemError.of("arrays", what, "give whole numbers of up to 63 bits")
    return np.ascontiguousarray(numbers, dtype=np.int64)


def _shape(numbers: _Numbers) -> str:
    sizes = " x ".join(map(str, numbers.shape)) or "one"
    return f"{sizes} of {numbers.dtype}"


def _at(state: _Numbers, action: str | None = None) -> str:
    return place(tuple(state.tolist()), action)
