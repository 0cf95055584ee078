"""A solution as a JSON document that other programs can rely on."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from typing import Final

from branchwise.errors import LimitError
from branchwise.model.budget import DEFAULT_RESOURCE, Budget, Limit
from branchwise.model.condition import Happened
from branchwise.model.problem import Problem
from branchwise.model.state import State
from branchwise.report.answers.robust_json import robust_document
from branchwise.report.page.json_layout import (
    Object,
    json_events,
    json_lines,
    json_number,
    json_text,
)
from branchwise.report.text.wording import exact_text
from branchwise.space.state_space import Real
from branchwise.tree.alternatives import alternatives
from branchwise.tree.deadline import watch
from branchwise.tree.decision_tree import DecisionTree, Path
from branchwise.tree.policy import Branch
from branchwise.tree.solution import AimMet, Solution, Statistics, Verification

__all__ = ["FORMAT", "VERSION", "solution_document", "solution_json"]

FORMAT: Final = "branchwise-solution"
"""What the document calls itself."""

VERSION: Final = 1
"""The version of the layout; it changes only when a reader would have to."""

# So that a large policy does not grow by what few will read: its alternatives stand
# in the document near the root, and only those that come close.
_STATES_WITH_ALTERNATIVES: Final = 1000
_MOST_ALTERNATIVES: Final = 5

# So many are there even if there is no time at all.
_LEAST_STATES: Final = 100


def solution_document(solution: Solution) -> Object:
    """
    Give a solution as plain data, laid out as `solution_schema` says.

    The policy holds every state once, however often the tree comes to it; the first
    one is the root. Where the solution is exact, every number that may not be a
    float stands there a second time, as the text of a fraction.
    """
    tree, layout = solution.tree, _Layout(is_exact=solution.is_exact)
    value = solution.expected_reward
    return {
        "format": FORMAT,
        "version": VERSION,
        "problem": layout.problem(solution.problem),
        "after": json_events(solution.history),
        "status": str(solution.status),
        "expected_reward": json_number(value),
        "exact": exact_text(value) if solution.is_exact else None,
        **layout.aim(solution.aim),
        "upper_bound": json_number(solution.upper_bound),
        "first_action": solution.first_action,
        "engine": solution.engine,
        "reason": solution.reason,
        "prefer": solution.prefer,
        **robust_document(solution),
        "ties_settled": solution.is_tie_settled,
        "tree": _size(solution),
        "statistics": _statistics(solution.statistics),
        "verification": _verification(solution.verification),
        "policy": _without_loose_ends(list(layout.states(tree))),
    }


def solution_json(solution: Solution) -> str:
    """Give the document as text, each state of the policy on a line of its own."""
    document = solution_document(solution)
    states = document.pop("policy")
    head = json_text(document).removesuffix("\n}")
    policy = ",\n    ".join(json_lines(states))
    return f'{head},\n  "policy": [\n    {policy}\n  ]\n}}\n'


def _size(solution: Solution) -> Object:
    """Say how large the tree is; null where there was no time to find out."""
    tree, nodes = solution.tree, solution.statistics.tree_nodes
    try:
        return {"nodes": nodes, "leaves": tree.num_leaves, "depth": tree.depth}
    except LimitError:
        return {"nodes": nodes, "leaves": None, "depth": None}


def _without_loose_ends(states: list[Object]) -> list[Object]:
    """Let outcomes lead nowhere whose states there was no time for."""
    for state in states:
        for outcome in state["outcomes"]:
            outcome["to"] = outcome["to"] if outcome["to"] < len(states) else None
    return states


def _statistics(statistics: Statistics) -> Object:
    spent = statistics.seconds
    return {
        "rewarding_sets": statistics.rewarding_sets,
        "full_graph_states": statistics.full_graph_states,
        "reduced_graph_states": statistics.reduced_graph_states,
        "tree_nodes": statistics.tree_nodes,
        "expanded_states": statistics.expanded_states,
        "bytes": statistics.num_bytes,
        "seconds": {
            "rewarding_sets": spent.rewarding_sets,
            "full_graph": spent.full_graph,
            "reduced_graph": spent.reduced_graph,
            "tree": spent.tree,
            "total": spent.total,
        },
    }


def _verification(verification: Verification) -> Object:
    return {
        "checked": verification.is_checked,
        "rows": verification.num_rows,
        "seconds": verification.seconds,
        "reason": verification.reason,
    }


def _is_in_time(look: Callable[[], None]) -> bool:
    try:
        look()
    except LimitError:
        return False
    return True


class _Layout:
    """Lays out what may be said twice: as a number, and as an exact text."""

    def __init__(self, *, is_exact: bool) -> None:
        self._is_exact = is_exact

    def problem(self, problem: Problem | None) -> Object | None:
        if problem is None:
            return None
        return {"name": problem.name, **self._amounts("budget", problem.budget)}

    def aim(self, aim: AimMet | None) -> Object:
        """Say what the plan makes the most of, where it is not the expected reward."""
        if aim is None:
            return {}
        met = {"title": aim.title, **self._real("worth", aim.worth)}
        if aim.certainty_equivalent is not None:
            met |= self._real("certainty_equivalent", aim.certainty_equivalent)
        return {"aim": met | self._real("upper_bound", aim.upper_bound)}

    def states(self, tree: DecisionTree) -> Iterator[Object]:
        """Return the states of the policy, nearest to the root first, while in time."""
        order: list[tuple[Hashable, Path]] = [(tree.root.key, ())]
        ids = {tree.root.key: 0}
        look = watch()
        for number, (key, path) in enumerate(order):
            if number >= _LEAST_STATES and not _is_in_time(look):
                return
            decision = tree.policy[key]
            for branch in decision.branches:
                if branch.state not in ids:
                    ids[branch.state] = len(order)
                    event = Happened(str(decision.action), branch.outcome)
                    order.append((branch.state, (*path, event)))
            yield {
                "id": ids[key],
                "action": decision.action,
                **self._real("value", decision.value),
                **self._real("reward", decision.reward),
                **self._known(tree.describe(key, path)),
                "outcomes": [
                    self._outcome(b, nominal, ids)
                    for b, nominal in zip(
                        decision.branches, decision.nominal, strict=True
                    )
                ],
                **self._alternatives(tree, key, ids[key]),
            }

    def _known(self, state: object) -> Object:
        """Say what has happened and what is left; a state of your own says itself."""
        if not isinstance(state, State):
            return {"happened": None, "left": None, "state": str(state)}
        happened = [
            {"action": event.action, "outcome": event.outcome, "count": count}
            for event, count in state.counts
        ]
        return {"happened": happened, **self._amounts("left", state.left)}

    def _alternatives(self, tree: DecisionTree, key: Hashable, number: int) -> Object:
        """Say what else could be done, where the engine can tell."""
        is_near = number < _STATES_WITH_ALTERNATIVES
        considered = tree.considered(key) if is_near else None
        if considered is None:
            return {}
        others = alternatives(considered, tree.policy[key].action)
        return {
            "alternatives": [
                {
                    "action": other.action,
                    **self._real("value", other.value),
                    "is_bound": other.is_bound,
                }
                for other in others[:_MOST_ALTERNATIVES]
            ]
        }

    def _outcome(
        self, branch: Branch, nominal: Real, ids: Mapping[Hashable, int]
    ) -> Object:
        chance = self._real("probability", branch.probability)
        if nominal != branch.probability:
            chance |= self._real("nominal", nominal)
        return {"outcome": branch.outcome, **chance, "to": ids[branch.state]}

    def _real(self, name: str, number: Real) -> Object:
        if not self._is_exact:
            return {name: json_number(number)}
        return {name: json_number(number), f"{name}_exact": exact_text(number)}

    def _amounts(self, name: str, amounts: Budget) -> Object:
        numbers = {resource: _limit(limit) for resource, limit in amounts.items()}
        entries: Object = {name: numbers}
        if self._is_exact:
            texts = {r: _exact_limit(limit) for r, limit in amounts.items()}
            entries[f"{name}_exact"] = texts
        if amounts.is_plain:
            return {key: each[DEFAULT_RESOURCE] for key, each in entries.items()}
        return entries


def _limit(limit: Limit) -> int | float | str:
    return json_number(limit) if isinstance(limit, Fraction) else "unlimited"


def _exact_limit(limit: Limit) -> str:
    return exact_text(limit) if isinstance(limit, Fraction) else "unlimited"
