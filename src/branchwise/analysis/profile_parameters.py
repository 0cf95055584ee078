"""The numbers in which individuals may differ, by their names."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from branchwise.analysis.parameters import Parameter, parameters
from branchwise.model.budget import DEFAULT_RESOURCE, UNLIMITED, Limit
from branchwise.model.condition import quoted
from branchwise.model.problem import Problem

__all__ = ["ProfileParameter", "profile_parameters"]


class ProfileParameter(NamedTuple):
    """
    A number that may be another one for each individual.

    Parameters
    ----------
    name
        How it is told.
    parameter
        Which number of the problem it is; None for its budget.
    resource
        Of a budget: of what.
    """

    name: str
    parameter: Parameter | None
    resource: str = ""

    def value(self, problem: Problem) -> Limit:
        """Give what it is in the problem itself."""
        if self.parameter is None:
            return problem.budget[self.resource]
        return self.parameter.value(problem)

    def bounds(self, problem: Problem) -> tuple[Limit, Limit]:
        """Give the least and the most that it may be."""
        if self.parameter is None:
            return Fraction(0), UNLIMITED
        return self.parameter.bounds(problem)


def profile_parameters(problem: Problem) -> Iterator[ProfileParameter]:
    """Give every number of a problem that an individual may have another of."""
    for parameter in parameters(problem, with_certain=True):
        yield ProfileParameter(parameter.name, parameter)
    for resource in problem.budget:
        counted = "" if resource == DEFAULT_RESOURCE else f" of {quoted(resource)}"
        yield ProfileParameter(f"budget{counted}", None, resource)
