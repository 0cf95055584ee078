"""The nearest thresholds: how little would make a plan start with another action."""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class ActionThreshold:
    """
    Where, as one number changes, the best plan comes to start with another action.

    Parameters
    ----------
    parameter
        The name of the number: ``P(a1=ok)``.
    value
        What it is now.
    before, after
        The last number found at which the plan starts as it does now, and the first at
        which it does not; the threshold lies between them.
    first_action
        What the plan starts with from there on; None where it does nothing.
    """

    parameter: str
    value: Fraction
    before: Fraction
    after: Fraction
    first_action: str | None

    @property
    def at(self) -> Fraction:
        """Where the threshold is, as well as is known: the roundest such number."""
        low, high = sorted((self.before, self.after))
        for digits in range(1, 12):
            round_one = Fraction(f"{float(self.after):.{digits}g}")
            if low <= round_one <= high:
                return round_one
        return self.after

    @property
    def is_above(self) -> bool:
        """Whether the number has to rise."""
        return self.after > self.value


@dataclass(frozen=True, slots=True)
class NearestThresholds:
    """
    What would change the first action of a plan, as far as was looked.

    Parameters
    ----------
    thresholds
        The nearest first: the smallest change as a share of the number itself.
    num_numbers
        How many numbers were looked at, one at a time and all others held.
    within
        Up to which share of itself each number was moved, up and down; 0 where there
        was no time for any.
    steps
        By which shares: nothing is known of what lies between two of them.
    """

    thresholds: tuple[ActionThreshold, ...]
    num_numbers: int
    within: Fraction
    steps: tuple[Fraction, ...] = ()
