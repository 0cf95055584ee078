"""Outcomes: one way an action may come out, how likely, and how surely we know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, Literal

from branchwise.errors import did_you_mean
from branchwise.model.budget import Amounts, ByName
from branchwise.model.counter import (
    UNCHANGED,
    Effects,
    as_effects,
    renewed_effects,
)
from branchwise.model.numbers.expression import (
    Extreme,
    Renewal,
    Slack,
    as_expression,
    remainder_of,
)
from branchwise.model.numbers.formula import Formula
from branchwise.model.numbers.interval import as_interval, written_interval
from branchwise.model.numbers.number import Number, exact, fraction_sum
from branchwise.records import dataclass

Parts = Mapping[str, Any]
"""An outcome part by part: ``{"probability": 0.1, "ends": "lose"}``, as in files."""

# Not just any `Iterable`: a mapping would be one, too, and type checkers could not tell
# what the values in `{"oil": 0.2, "dry": "rest"}` are meant as.
Outcomes = Mapping[str, Number | Parts] | Sequence["Outcome"] | Iterator["Outcome"]

Ending = Literal["keep", "lose"]
"""What an outcome that ends everything leaves of the rewards: all of them, or none."""

ENDINGS: Final[tuple[Ending, ...]] = ("keep", "lose")
_KEYS: Final = ("probability", "low", "high", "effects", "cost", "ends")
_NOTHING = Amounts({})


@dataclass(frozen=True, slots=True, init=False)
class Outcome:
    """
    One way an action may come out.

    Parameters
    ----------
    label
        Unique in the action; shown in trees and used in conditions.
    probability
        How likely it is: the nominal probability.
    low, high
        Between what the probability lies, where it is not quite known; it counts
        when a plan is to be robust, and as the range of an analysis. None unless an
        outcome of the action has an interval; a side that is not given is the
        probability itself.
    effects
        By how much it changes counters, besides what its action does.
    cost
        What has to be paid when it happens, besides what its action costs.
    ends
        Whether nothing can be done after it: with ``keep`` rewards are paid as they
        stand, with ``lose`` none is. None where the plan goes on.

    Examples
    --------
    >>> Outcome("oil", 0.2, low=0.1).high
    Fraction(1, 5)
    """

    label: str
    probability: Fraction
    low: Fraction | None
    high: Fraction | None
    effects: ByName[int]
    cost: Amounts
    ends: Ending | None

    # Every argument past the first two has a name and a default.
    def __init__(
        self,
        label: str,
        probability: Number,
        *,
        low: Number | None = None,
        high: Number | None = None,
        effects: Effects = UNCHANGED,
        cost: Amounts | Number | Mapping[str, Number] = _NOTHING,
        ends: Ending | None = None,
    ) -> None:
        nominal = exact(probability)
        interval = as_interval(nominal, low, high)
        lowest, highest = (None, None) if interval is None else interval
        put = object.__setattr__
        put(self, "label", label)
        put(self, "probability", nominal)
        put(self, "low", lowest)
        put(self, "high", highest)
        put(self, "effects", effects if effects is UNCHANGED else as_effects(effects))
        put(self, "cost", cost if isinstance(cost, Amounts) else Amounts(cost))
        put(self, "ends", ends)

    def with_probability(
        self,
        probability: Number,
        *,
        low: Number | None = None,
        high: Number | None = None,
    ) -> Outcome:
        """Return the same outcome with another probability; all else stays."""
        return Outcome(
            self.label,
            probability,
            low=low,
            high=high,
            effects=self.effects,
            cost=self.cost,
            ends=self.ends,
        )

    def renewed(self, renew: Renewal) -> Outcome:
        """Return the same with its numbers computed again."""
        low, high = (None if n is None else renew(n) for n in (self.low, self.high))
        return Outcome(
            self.label,
            renew(self.probability),
            low=low,
            high=high,
            effects=renewed_effects(self.effects, renew),
            cost=self.cost.renewed(renew),
            ends=self.ends,
        )

    def numbers(self) -> Iterator[Fraction | int]:
        """Return its numbers."""
        found = (self.probability, self.low, self.high)
        yield from (number for number in found if number is not None)
        yield from self.effects.values()
        yield from self.cost.numbers()

    @property
    def is_plain(self) -> bool:
        """Whether nothing follows from it: no effects, no cost, no ending."""
        return not self.effects and self.ends is None and not self.cost.named

    @property
    def has_slack(self) -> bool:
        """Whether its interval follows from those of the others."""
        low = self.low
        return isinstance(low, Formula) and isinstance(low.expression, Slack)


def _refuse_no_outcomes(outcomes: Any) -> None:
    if isinstance(outcomes, str) or not isinstance(outcomes, Iterable):
        what = f"outcomes are a mapping from labels to probabilities, not {outcomes!r}"
        fix = 'write `outcomes={"ok": 0.6, "fail": "rest"}`, say'
        raise TypeError(f"{what}\n    fix: {fix}")


def as_outcomes(outcomes: Outcomes) -> tuple[Outcome, ...]:
    """
    Accept outcomes as objects, or as a mapping in which one may be ``rest``.

    >>> fatal = {"probability": "0.01", "ends": "lose"}
    >>> for outcome in as_outcomes({"fatal": fatal, "same": "rest"}):
    ...     print(outcome.label, outcome.probability, outcome.ends)
    fatal 1/100 lose
    same 99/100 None
    """
    # To ask first for what it mostly is spares the question for any mapping.
    if isinstance(outcomes, tuple) or not isinstance(outcomes, Mapping):
        _refuse_no_outcomes(outcomes)
        return with_slack(tuple(outcomes))
    parts = {label: _parts(label, number) for label, number in outcomes.items()}
    rests = [label for label, each in parts.items() if is_rest(each["probability"])]
    if len(rests) > 1:
        raise ValueError(f"only one outcome may be `rest`, not {', '.join(rests)}")
    numbers = {
        label: Fraction(0) if label in rests else exact(each.pop("probability"))
        for label, each in parts.items()
    }
    if rests:
        known = [n for label, n in numbers.items() if label not in rests]
        numbers[rests[0]] = remainder_of(known)
        del parts[rests[0]]["probability"]
    made = (Outcome(label, numbers[label], **each) for label, each in parts.items())
    return with_slack(tuple(made), *rests)


def with_slack(
    outcomes: Sequence[Outcome], rest: str | None = None
) -> tuple[Outcome, ...]:
    """
    Say for each outcome how far its probability may move, if any has an interval.

    One without an interval takes what the others leave, if it is ``rest`` or the only
    one without; otherwise it stays as it is.
    """
    without = [outcome.label for outcome in outcomes if outcome.low is None]
    if not without or len(without) == len(outcomes):
        return tuple(outcomes)
    taker = rest if (rest in without) else without[0] if len(without) == 1 else None
    return tuple(
        _between(outcome, outcomes if outcome.label == taker else ())
        if outcome.low is None
        else outcome
        for outcome in outcomes
    )


def _between(outcome: Outcome, all_of_them: Sequence[Outcome]) -> Outcome:
    """Let one outcome take up what the others can leave; alone it stays as it is."""
    number = outcome.probability
    others = [other for other in all_of_them if other.label != outcome.label]
    if not others:
        # With an interval: else it might be taken for the only one without.
        return outcome.with_probability(number, low=number, high=number)
    if any(isinstance(o.probability, Formula) for o in all_of_them):
        return _computed_between(outcome, others)
    most = fraction_sum(_or(o.high, o.probability) for o in others)
    least = fraction_sum(_or(o.low, o.probability) for o in others)
    # Whatever is wrong with the others is said about them.
    low = min(max(1 - most, Fraction(0)), number)
    high = max(min(1 - least, Fraction(1)), number)
    return outcome.with_probability(number, low=low, high=high)


def _computed_between(outcome: Outcome, others: Sequence[Outcome]) -> Outcome:
    """Do the same where parameters may change the numbers."""
    number, most, least = (as_expression(n) for n in (outcome.probability, 0, 0))
    for other in others:
        most += _or(other.high, other.probability)
        least += _or(other.low, other.probability)
    above = Extreme("max", (1 - most, as_expression(0)))
    below = Extreme("min", (1 - least, as_expression(1)))
    low = Formula(Slack(Extreme("min", (above, number))))
    high = Formula(Slack(Extreme("max", (below, number))))
    return outcome.with_probability(outcome.probability, low=low, high=high)


def _or(bound: Fraction | None, probability: Fraction) -> Fraction:
    return probability if bound is None else bound


def _parts(label: str, number: Number | Parts) -> dict[str, Any]:
    """Take apart what is said of an outcome; its probability is always there."""
    if not isinstance(number, Mapping):
        written = written_interval(number) if isinstance(number, str) else None
        probability, low, high = (number, None, None) if written is None else written
        return {"probability": probability, "low": low, "high": high}
    for key in number:
        if key not in _KEYS:
            hint = did_you_mean(str(key), _KEYS)
            raise ValueError(f"the outcome {label!r} has no part {key!r}{hint}")
    if "probability" not in number:
        raise ValueError(f"the outcome {label!r} has no probability")
    return {**_parts(label, number["probability"]), **_without(number, "probability")}


def _without(parts: Parts, key: str) -> dict[str, Any]:
    return {each: value for each, value in parts.items() if each != key}


def is_rest(number: Number | Parts) -> bool:
    """Return whether this stands for what the other probabilities leave."""
    return isinstance(number, str) and number.strip().casefold() == "rest"
