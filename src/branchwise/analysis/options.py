"""Options: what an analysis asks for, of all its sections."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from branchwise.analysis.outcome_tests import OutcomeTest
from branchwise.model.numbers.number import Number, exact
from branchwise.risk.aims import Aim


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisOptions:
    """
    What the sections of an analysis go by, each taking what concerns it.

    Parameters
    ----------
    share
        How far a number may be off, as a share of itself, unless the problem states an
        interval for it.
    ranges
        The ends of the range of some numbers, by the name of the parameter, whatever
        the problem states. Where any are given, only these are varied.
    sample_size, sample_sizes
        How many trials probabilities rest on: of every action of which the problem does
        not say it, and of single ones by name, whatever the problem says.
    num_draws
        How often probabilities are drawn at random.
    seed
        What decides all that is left to chance.
    aims
        What plans are to make the most of, in the section on risk; unless said, the
        mean of the worst quarter, and the chance of what is expected or more.
    most_states
        How many states may be explored afresh, all in all, to tell what conditions are
        worth; what is not done by then is given between bounds. None for no end.
    tests
        Tests of outcomes whose value is wanted, in the section on information.
    prices
        What one unit of each resource counts in cost, in the section on
        cost-effectiveness; needed only where several resources could be meant.

    Examples
    --------
    >>> AnalysisOptions().share
    '10%'
    """

    share: Number = "10%"
    ranges: Mapping[str, tuple[Number, Number]] = field(default_factory=dict)
    sample_size: Number = 20
    sample_sizes: Mapping[str, Number] = field(default_factory=dict)
    num_draws: int = 200
    seed: object = 0
    aims: tuple[Aim, ...] = ()
    most_states: int | None = 1_500_000
    tests: tuple[OutcomeTest, ...] = ()
    prices: Mapping[str, Number] = field(default_factory=dict)


def read_exact(written: Number, what: str) -> Fraction:
    """Read a number of an option; say which option it is where it is none."""
    try:
        return exact(written)
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from None
