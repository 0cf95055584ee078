"""Robustness in words: the plan beside the best nominal one, and what hurts most."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from branchwise.model.adversary import Adversary
from branchwise.report.text.label import label
from branchwise.report.text.wording import plural, value
from branchwise.tree.robustness import Robustness

__all__ = ["adversary_text", "robust_sentences"]

_MOST_NAMED: Final = 5


def adversary_text(adversary: Adversary) -> str:
    """
    Say what the adversary may do.

    Examples
    --------
    >>> adversary_text(Adversary(gamma=2))
    'at most 2 actions on any path at other odds'
    """
    if adversary.gamma is None:
        return "every action at the worst odds it may have"
    return f"at most {plural(adversary.gamma, 'action')} on any path at other odds"


def robust_sentences(robustness: Robustness) -> Iterator[str]:
    """Say what the plan costs and saves, one line each."""
    if not robustness.perturbations:
        yield "no odds have an interval or a distance: the worst case is nominal"
        return
    worst, unseen = value(robustness.worst_case), value(robustness.unseen)
    if unseen != worst:
        yield f"carried out without seeing the strikes, it is worth {unseen} at least"
    yield (
        f"at nominal odds it is worth {value(robustness.nominal)}, "
        f"the best nominal plan {value(robustness.nominal_optimum)}: "
        f"the price of robustness is {value(robustness.price)}"
    )
    spoiled = value(robustness.nominal_worst_case)
    yield f"in the worst case the best nominal plan is worth {spoiled}"
    hurts = [each for each in robustness.perturbations if each.gain > 0]
    if hurts:
        named = ", ".join(
            f"{label(each.action)} +{value(each.gain)}" for each in hurts[:_MOST_NAMED]
        )
        yield f"worth knowing exactly: {named}"
