"""Uncertainty: what becomes of value and plan when probabilities are guesses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Final, Unpack

from branchwise.analysis.lots import OneOwner, with_outcomes
from branchwise.analysis.options import AnalysisOptions
from branchwise.analysis.parameter import outcomes_in, owner
from branchwise.analysis.sensitivity.plan_value import curve_of
from branchwise.analysis.sensitivity.ranges import SampleSize, fitting, sizes_of
from branchwise.analysis.table import Table, Tabular
from branchwise.analysis.what_if import WhatIfLimits, WhatIfs
from branchwise.model.action import Outcome
from branchwise.model.features import features_of
from branchwise.model.numbers.formula import expression_of
from branchwise.model.numbers.number import Number
from branchwise.model.problem import Problem
from branchwise.tree.evaluate import evaluate
from branchwise.tree.prospects.distribution import Distribution

if TYPE_CHECKING:
    from pandas import DataFrame

_QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)

_Sizes = Mapping[tuple[str, int | None], float]

# What can happen stays possible, so that a draw has the states of the problem.
_FINEST: Final = 10**9


@dataclass(frozen=True, slots=True)
class Draw:
    """
    The best plan for probabilities as they may really be.

    Parameters
    ----------
    expected_reward
        What the best plan is worth then.
    first_action
        What it does first; None where it does nothing.
    """

    expected_reward: float
    first_action: str | None


@dataclass(frozen=True, slots=True)
class Uncertainty(Tabular):
    """
    What the best plan may be worth, and start with, if probabilities are guesses.

    Parameters
    ----------
    expected_reward, first_action
        What the best plan is worth by the probabilities as they are written, and what
        it does first.
    draws
        The best plans for probabilities that were drawn at random.
    sample_sizes
        How many trials the probabilities rest on.
    is_plan_kept
        Whether the plan in hand, which is not proven optimal, is kept in every draw.
    """

    expected_reward: float
    first_action: str | None
    draws: tuple[Draw, ...]
    sample_sizes: tuple[SampleSize, ...]
    is_plan_kept: bool = False

    @property
    def rewards(self) -> Distribution:
        """The distribution of what the best plan is worth."""
        chance = Fraction(1, len(self.draws))
        return Distribution.of((draw.expected_reward, chance) for draw in self.draws)

    @property
    def first_actions(self) -> Mapping[str | None, float]:
        """How often the best plan starts with each action, the most frequent first."""
        counts = Counter(draw.first_action for draw in self.draws)
        return {name: n / len(self.draws) for name, n in counts.most_common()}

    def tables(self) -> tuple[Table, ...]:
        """Return the rows: of quantiles, first actions, all draws, and sample sizes."""
        rewards = self.rewards
        return (
            Table.of(
                "quantiles",
                ("share", "expected_reward"),
                ((share, rewards.quantile(share)) for share in _QUANTILES),
            ),
            Table.of(
                "first-actions", ("first_action", "share"), self.first_actions.items()
            ),
            Table.of_records("draws", Draw, self.draws),
            Table.of_records("sample-sizes", SampleSize, self.sample_sizes),
        )

    def frame(self) -> DataFrame:
        """Return the draws as a pandas data frame."""
        return self.tables()[2].frame()


def uncertainty(  # every argument past the first has a name
    problem: Problem,
    *,
    sample_size: Number = 20,
    sample_sizes: Mapping[str, Number] | None = None,
    num_draws: int = 200,
    seed: object = 0,
    **limits: Unpack[WhatIfLimits],
) -> Uncertainty:
    """
    Draw the probabilities at random, plan for each draw, and return what came of it.

    The probabilities of an action or a hidden fact are drawn from a Dirichlet
    distribution (with two outcomes, a Beta distribution) around what is written: as if
    they had been counted in so many trials. Each clause of `given` is drawn by itself.

    Parameters
    ----------
    problem
        What to look into.
    sample_size
        How many trials the probabilities rest on, of every action of which the problem
        does not say it.
    sample_sizes
        The same for single actions, by name, whatever the problem says.
    num_draws
        How often the probabilities are drawn.
    seed
        What decides all that is left to chance: same seed, same answer.
    limits
        How long it may take, and on how many threads; see `WhatIfs`.

    Examples
    --------
    >>> from branchwise import Action, Reward
    >>> toss = Action("toss", outcomes={"heads": "1/2", "tails": "1/2"})
    >>> problem = Problem([toss], [Reward(toss["heads"], 8)], budget=1)
    >>> found = uncertainty(problem, sample_size=10, seed=7)
    >>> found.first_actions
    {'toss': 1.0}
    >>> bool(found.rewards.quantile(0.05) < 4 < found.rewards.quantile(0.95))
    True
    """
    options = AnalysisOptions(
        sample_size=sample_size,
        sample_sizes=sample_sizes or {},
        num_draws=num_draws,
        seed=seed,
    )
    return uncertainty_section(WhatIfs(problem, **limits), options)


def uncertainty_section(what_ifs: WhatIfs, options: AnalysisOptions) -> Uncertainty:
    """Draw and plan with what-ifs that are at hand."""
    problem = what_ifs.problem
    known = _known_sizes(problem, options)
    asked = drawn_problems(problem, options)
    first_action = what_ifs.solution.first_action
    if what_ifs.is_proven:
        draws = [Draw(*start) for start in what_ifs.starts(asked)]
    else:
        draws = [Draw(worth, first_action) for worth in _kept(what_ifs, asked)]
    return Uncertainty(
        what_ifs.expected_reward,
        first_action,
        tuple(draws),
        known,
        is_plan_kept=not what_ifs.is_proven,
    )


def _known_sizes(problem: Problem, options: AnalysisOptions) -> tuple[SampleSize, ...]:
    known = sizes_of(problem, fitting(problem, options))
    return tuple(each for each in known if _is_drawn(problem, each))


def drawn_problems(problem: Problem, options: AnalysisOptions) -> Iterator[Problem]:
    """Return the problem with probabilities drawn at random, as often as asked for."""
    known = _known_sizes(problem, options)
    sizes = {(each.action, each.clause): float(each.sample_size) for each in known}
    return (_drawn(problem, sizes, options.seed, n) for n in range(options.num_draws))


def _is_drawn(problem: Problem, size: SampleSize) -> bool:
    """Whether probabilities are drawn: computed ones only if their size is given."""
    outcomes = outcomes_in(owner(problem, size.action), size.clause)
    is_computed = any(expression_of(o.probability) for o in outcomes)
    return not is_computed or size.size_from != "all"


def _kept(what_ifs: WhatIfs, asked: Iterable[Problem]) -> Iterator[float]:
    """Return what the plan in hand is worth with other probabilities."""
    # Named parameters may move rewards and costs as well.
    is_new = what_ifs.problem.parameters or features_of(what_ifs.problem)
    curve = None if is_new else curve_of(what_ifs.problem, what_ifs.solution)
    for changed in asked:
        what_ifs.check_time()
        if curve is None:
            yield float(evaluate(what_ifs.solution.tree, changed))
        else:
            yield curve.value(changed)


def _drawn(problem: Problem, sizes: _Sizes, seed: object, number: int) -> Problem:
    """Draw the probabilities of every action; each draw has a generator of its own."""
    chance = Random(f"{seed}/{number}")
    known = _drawn_parameters(problem, chance)
    problem = problem.with_parameters(known) if known else problem
    hidden = tuple(_redrawn(fact, sizes, chance) for fact in problem.hidden)
    actions = tuple(_redrawn(action, sizes, chance) for action in problem.actions)
    return replace(problem, actions=actions, hidden=hidden)


def _drawn_parameters(problem: Problem, chance: Random) -> dict[str, Fraction]:
    """Draw each parameter that has an interval, all parts of which are as likely."""
    return {
        name: low + (high - low) * Fraction(chance.randrange(_FINEST + 1), _FINEST)
        for name, each in problem.parameters.items()
        if (low := each.low) is not None and (high := each.high) is not None
    }


def _redrawn(own: OneOwner, sizes: _Sizes, chance: Random) -> OneOwner:
    def drawn(clause: int | None) -> tuple[Outcome, ...]:
        size = sizes.get((own.name, clause))
        if size is None:
            return outcomes_in(own, clause)
        return _resampled(outcomes_in(own, clause), size, chance)

    return with_outcomes(own, drawn)


def _resampled(
    outcomes: tuple[Outcome, ...], size: float, chance: Random
) -> tuple[Outcome, ...]:
    """Draw from the Dirichlet distribution: gamma variates, as shares of their sum."""
    possible = [o for o in outcomes if o.probability]
    if len(possible) < 2:
        return outcomes
    weights = {
        o.label: max(chance.gammavariate(size * float(o.probability), 1.0), 1e-300)
        for o in possible
    }
    total = sum(weights.values())
    counts = {
        label: max(1, round(weight / total * _FINEST))
        for label, weight in weights.items()
    }
    whole = sum(counts.values())
    return tuple(
        Outcome(o.label, Fraction(counts.get(o.label, 0), whole)) for o in outcomes
    )
