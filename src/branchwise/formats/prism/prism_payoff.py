"""What a PRISM model is asked, and how its answer becomes the expected reward."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from branchwise.errors import printable
from branchwise.formats.prism.prism_state import PrismState, Record
from branchwise.model.action import Action
from branchwise.model.budget import Amounts
from branchwise.model.numbers.number import number_text
from branchwise.model.problem import Problem

_LARGEST_INTEGER = 2**31
"""From here on, PRISM (and later Storm) takes whole numbers only as decimals."""


@dataclass(frozen=True, slots=True)
class Payoff:
    """A property: the expected reward is factor times its result, less the excess."""

    property: str
    factor: Fraction
    excess: Fraction
    has_end: bool  # Whether stopping leads to a state of its own, `done`.
    lines: tuple[str, ...]  # What to write below the module.

    def expected_reward(self) -> str:
        """Return how to work the expected reward out of the result."""
        factor = "" if self.factor == 1 else f"{fraction_text(self.factor)} * "
        excess = f" - {fraction_text(self.excess)}" if self.excess else ""
        return f"{factor}result{excess}"


def payoff(
    problem: Problem, state: PrismState, commands: Iterable[tuple[str, Action, Amounts]]
) -> Payoff:
    """
    Say what to ask of a problem's model.

    A probability will do where there is one value to gain and nothing to lose.
    Otherwise it is an expected sum. PRISM wants no negative rewards, so whatever may
    be lost is paid out where it is not: each charge for every attempt left, and each
    penalty where it does not hold. This is the same sum, up to a constant.
    """
    formulas = [
        f"formula reward_{i} = {state.expression(reward.when)};"
        f" // {number_text(reward.value)} for {printable(str(reward.when))}"
        for i, reward in enumerate(problem.rewards, start=1)
    ]
    charged = [state.records[name] for name in charged_actions(problem)]
    value = None if charged else _only_value(problem)
    if value is not None:
        gained = [i for i, r in enumerate(problem.rewards, start=1) if r.value]
        goal = " | ".join(f"reward_{i}" for i in gained) or "false"
        lines = (*formulas, "", f'label "goal" = {goal};')
        return Payoff('Pmax=? [F "goal"]', value, Fraction(0), False, lines)  # noqa: FBT003
    items = [*_reward_items(problem), *_charge_items(problem, charged, commands)]
    excess = -sum((r.value for r in problem.rewards if r.value < 0), Fraction(0))
    for record in charged:
        excess += record.most_attempts * _dearest(problem, record.action)
    structure = ['rewards "total"', *(f"  {item}" for item in items), "endrewards"]
    lines = (*formulas, "", *structure, "", 'label "done" = done;')
    return Payoff('Rmax=? [F "done"]', Fraction(1), excess, True, lines)  # noqa: FBT003


def charged_actions(problem: Problem) -> tuple[str, ...]:
    """Name the actions that the objective may lose something by."""
    return tuple(a.name for a in problem.actions if _dearest(problem, a))


def fraction_text(number: Fraction) -> str:
    """
    Write a number exactly.

    >>> fraction_text(Fraction("0.3")), fraction_text(Fraction(10**10))
    ('3/10', '10000000000.0')
    """
    terms = [number.numerator, number.denominator]
    texts = [f"{n}.0" if abs(n) >= _LARGEST_INTEGER else str(n) for n in terms]
    return texts[0] if number.denominator == 1 else "/".join(texts)


def _dearest(problem: Problem, action: Action) -> Fraction:
    return max(problem.cost_weight.times(cost) for cost in action.costs())


def _only_value(problem: Problem) -> Fraction | None:
    """Return what there is to gain, if that is always the same or nothing."""
    values = [reward.value for reward in problem.rewards if reward.value]
    if not values:
        return Fraction(1)
    if problem.combine == "max":
        values = list(set(values))
    return values[0] if len(values) == 1 and values[0] > 0 else None


def _reward_items(problem: Problem) -> Iterator[str]:
    """Write what stopping pays; a penalty pays where it does not hold."""
    rewards = list(enumerate(problem.rewards, start=1))
    if problem.combine == "sum":
        for i, reward in rewards:
            holds = f"reward_{i}" if reward.value > 0 else f"!reward_{i}"
            if reward.value:
                yield f"[stop] {holds} : {fraction_text(abs(reward.value))};"
        return
    better: list[str] = []
    for i, reward in sorted(rewards, key=lambda item: -item[1].value):
        if reward.value:
            holds = " & ".join([*better, f"reward_{i}"])
            yield f"[stop] {holds} : {fraction_text(reward.value)};"
            better.append(f"!reward_{i}")


def _charge_items(
    problem: Problem,
    charged: Sequence[Record],
    commands: Iterable[tuple[str, Action, Amounts]],
) -> Iterator[str]:
    """Write what attempts that were saved, or that came cheap, pay."""
    dearest = {r.action.name: _dearest(problem, r.action) for r in charged}
    for record in charged:
        if record.most_attempts:
            saved = fraction_text(dearest[record.action.name])
            yield f"[stop] {record.paid_for_attempts_left(saved)}"
    for label, action, cost in commands:
        saving = dearest.get(action.name, Fraction(0)) - problem.cost_weight.times(cost)
        if saving:
            yield f"[{label}] true : {fraction_text(saving)};"
