"""The posterior: hidden facts as likely as they are by now, as hidden facts again."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from branchwise.model.action import Given
from branchwise.model.conditions.condition import Happened, all_of
from branchwise.model.execution.turn import start_of, ways_of
from branchwise.model.hidden import Hidden, Knowledge
from branchwise.model.problem import Problem

_Labels = tuple[str, ...]


def posterior(problem: Problem, knowledge: Knowledge) -> tuple[Hidden, ...]:
    """
    Return the hidden facts of a problem with what is known by now as their prior.

    What was found out may tie facts to each other that were independent. Each one then
    depends on those above it, by a clause for each way these may be.
    """
    if knowledge == start_of(problem).knowledge:
        return problem.hidden
    ways = zip(ways_of(problem), knowledge, strict=True)
    weights = {tuple(way.labels.values()): weight for way, weight in ways if weight}
    return tuple(_fact(problem, place, weights) for place in range(len(problem.hidden)))


def _fact(problem: Problem, place: int, weights: Mapping[_Labels, int]) -> Hidden:
    fact, above = problem.hidden[place], problem.hidden[:place]

    def shares(prefix: _Labels) -> dict[str, Fraction]:
        """Return how likely the fact is what it may be, if those above it are so."""
        found = dict.fromkeys(fact.labels, Fraction(0))
        for labels, weight in weights.items():
            if labels[: len(prefix)] == prefix:
                found[labels[place]] += weight
        whole = sum(found.values())
        return {label: weight / whole for label, weight in found.items()}

    overall = shares(())
    clauses = []
    for prefix in dict.fromkeys(labels[:place] for labels in weights):
        if (now := shares(prefix)) != overall:
            pairs = zip(above, prefix, strict=True)
            named = (Happened(other.name, label) for other, label in pairs)
            clauses.append(Given(all_of(*named), outcomes=now))
    return Hidden(fact.name, outcomes=overall, given=clauses)
