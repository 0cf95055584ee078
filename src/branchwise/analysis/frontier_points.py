"""Points of the budget frontier: where a budget first pays for a better plan."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from branchwise.analysis.table import Table
from branchwise.model.budget import UNLIMITED, Limit

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["BudgetFrontier", "FrontierPoint", "ResourceFrontier"]


@dataclass(frozen=True, slots=True)
class FrontierPoint:
    """
    A budget from which on the best plan is worth more than with any smaller one.

    Parameters
    ----------
    budget
        How much there is of the resource.
    expected_reward
        What the best plan is worth, from here up to the next point.
    gain
        How much more that is than at the point before; 0 at the first.
    gain_per_unit
        The same for each unit of the resource between the two points.
    is_kink
        Whether it pays to come up to here: no mix of a smaller and a larger budget
        promises more. These are the corners of the concave hull of the frontier, where
        the return on each further unit falls.
    first_action
        What the best plan does first; None where it does nothing.
    tree_nodes, depth
        How large its tree is.
    """

    budget: Fraction
    expected_reward: float
    gain: float
    gain_per_unit: float
    is_kink: bool
    first_action: str | None
    tree_nodes: int
    depth: int


@dataclass(frozen=True, slots=True)
class ResourceFrontier:
    """
    What each amount of one resource is worth, all others held as they are.

    Parameters
    ----------
    resource
        Its name.
    limit
        How much there is of it.
    points
        Where the value rises, by rising budget, from 0 on.
    gain_of_more, loss_of_less
        The shadow price: what one unit more would gain, and one unit less would lose;
        None where there is no unit less.
    """

    resource: str
    limit: Limit
    points: tuple[FrontierPoint, ...]
    gain_of_more: float
    loss_of_less: float | None

    def worth(self, budget: Limit) -> float:
        """Give what a budget up to the limit is worth."""
        known = [p for p in self.points if p.budget <= budget <= self.limit]
        if not known:
            raise ValueError(f"nothing is known of a budget of {budget}")
        return known[-1].expected_reward


@dataclass(frozen=True, slots=True)
class BudgetFrontier:
    """
    What every budget up to the problem's own is worth.

    Parameters
    ----------
    expected_reward
        What the best plan is worth with all of the budget.
    resources
        The frontier along each resource.
    """

    expected_reward: float
    resources: tuple[ResourceFrontier, ...]

    def resource(self, name: str) -> ResourceFrontier:
        """Find the frontier along a resource."""
        for each in self.resources:
            if each.resource == name:
                return each
        raise KeyError(f"there is no resource {name!r}")

    def tables(self) -> tuple[Table, ...]:
        """Give the rows: of points, and of shadow prices."""
        points = Table.of_records(
            "points", FrontierPoint, (p for each in self.resources for p in each.points)
        )
        names = [each.resource for each in self.resources for _ in each.points]
        prices = [
            (
                each.resource,
                None if each.limit == UNLIMITED else each.limit,
                each.gain_of_more,
                each.loss_of_less,
            )
            for each in self.resources
        ]
        titles = ("resource", "limit", "gain_of_more", "loss_of_less")
        return (
            Table.of(
                "points",
                ("resource", *points.columns),
                ((n, *row) for n, row in zip(names, points.rows, strict=True)),
            ),
            Table.of("shadow-prices", titles, prices),
        )

    def frame(self) -> DataFrame:
        """Give the points as a pandas data frame."""
        return self.tables()[0].frame()
