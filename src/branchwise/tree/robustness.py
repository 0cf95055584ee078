"""Robustness: what a robust plan costs, what it saves, and what hurts it most."""

from __future__ import annotations

from dataclasses import dataclass

from branchwise.space.state_space import Real

__all__ = ["Perturbation", "Robustness"]


@dataclass(frozen=True, slots=True)
class Perturbation:
    """
    What it would be worth to know the probabilities of an action.

    Parameters
    ----------
    action
        Its name.
    gain
        How much the worst case would rise if its probabilities were exactly the nominal
        ones.
    deviations
        How often the adversary deviates there on average, in the plan shown; for an
        action that is taken once, how likely that is.
    """

    action: str
    gain: Real
    deviations: Real


@dataclass(frozen=True, slots=True)
class Robustness:
    """
    A robust plan beside the best nominal one, nominally and in the worst case.

    Parameters
    ----------
    worst_case
        What the robust plan is worth in the worst case, if deviations are seen.
    unseen
        What the tree shown is worth in the worst case, if deviations go unseen.
    nominal
        What the tree shown is worth at nominal probabilities.
    nominal_optimum
        What the best nominal plan is worth at nominal probabilities.
    nominal_worst_case
        What the tree of the best nominal plan is worth in the worst case.
    by_gamma
        The worst case against 0, 1, ... deviations, and at last without limit (None).
    perturbations
        The actions whose probabilities are not known exactly, what hurts most first.
    """

    worst_case: Real
    unseen: Real
    nominal: Real
    nominal_optimum: Real
    nominal_worst_case: Real
    by_gamma: tuple[tuple[int | None, Real], ...]
    perturbations: tuple[Perturbation, ...]

    @property
    def price(self) -> Real:
        """The price of robustness: what the plan gives up at nominal probabilities."""
        return self.nominal_optimum - self.nominal
