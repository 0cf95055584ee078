"""A plan as a decision tree of SilverDecisions, which draws and edits such trees."""

from __future__ import annotations

import heapq
import json
from collections.abc import Hashable, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, Final

from branchwise.model.numbers.number import number_text
from branchwise.report.text.outline import Place
from branchwise.report.tree_drawing.drawing import title_of
from branchwise.report.tree_drawing.lettering import legible
from branchwise.space.state_space import Real
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.solution import Solution

_VERSION: Final = "0.7.0"  # the first whose trees stand in `data`, as they do since
_MOST_DECISIONS: Final = 1_000
_DEEPEST: Final = 100
# SilverDecisions adds up fractions of whole numbers below 2 ** 53, and refuses those of
# chance that do not sum to one: of larger ones the sum is rounded.
_MOST_PARTS: Final = 9 * 10**7
_ROUNDED: Final = 10**7
_MOST_OF_A_FLOAT: Final = 1_000
_DIGITS: Final = 9
_NOISE: Final = 1e-12  # what rounding adds to a number
_WIDTH: Final = 150
_HEIGHT: Final = 75
_MARGIN: Final = 20
_SHARE: Final = "#"  # what the other branches leave


def solution_silver_decisions(solution: Solution) -> str:
    """
    Write the tree of a solution for SilverDecisions.

    A payoff stands at each choice for what it costs, and at each end for what is earned
    there. Of a tree with more than 1,000 decisions the most probable ones are written,
    and none past 100 in a row; what is left out is an end that is worth as much.
    """
    drawn = _Drawn(solution.tree)
    document = {
        "SilverDecisions": _VERSION,
        "lng": "en",
        "rule": "expected-value-maximization",
        "title": legible(title_of(solution)),
        "description": "Written by branchwise",
        "data": {
            "code": "",
            "expressionScope": {},
            "trees": [drawn.node(drawn.root, 0)],
            "texts": [],
        },
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


class _Drawn:
    """Lays a tree out from left to right, each parent halfway down its children."""

    def __init__(self, tree: DecisionTree) -> None:
        self._policy = tree.policy
        self.root = Place(tree.root.key)
        self._num_ends = 0
        self._unroll()

    def _unroll(self) -> None:
        """Find the most probable decisions; a place without children is an end."""
        pending = [(-1.0, 0, 0, self.root)]
        num_seen = 1
        for _ in range(_MOST_DECISIONS):
            if not pending:
                return
            _, _, depth, place = heapq.heappop(pending)
            for outcome, probability, state in self._policy[place.key].branches:
                share = float(probability)
                child = Place(state, place.probability * share, outcome, share, place)
                place.children.append(child)
                if depth < _DEEPEST and self._policy[state].action is not None:
                    waiting = (-child.probability, num_seen, depth + 1, child)
                    heapq.heappush(pending, waiting)
                    num_seen += 1

    def node(self, place: Place, depth: int) -> dict[str, Any]:
        """Return a node and all that is below it."""
        decision = self._policy[place.key]
        if not place.children:
            self._num_ends += 1
            is_cut = decision.action is not None
            name = f"goes on with {legible(str(decision.action))}" if is_cut else ""
            return _shaped("terminal", name, [], depth, self._num_ends - 1)
        branches = [self._branch(child, depth + 2) for child in place.children]
        chances = _chances([each.probability for each in decision.branches])
        for branch, probability in zip(branches, chances, strict=True):
            branch["probability"] = probability
        height = _middle(branches)
        chance = _shaped("chance", "", branches, depth + 1, height)
        edge = {
            "name": legible(str(decision.action)),
            "payoff": _text(decision.value - self._expected(place.key)),
            "childNode": chance,
        }
        return _shaped("decision", "", [edge], depth, height)

    def _branch(self, child: Place, depth: int) -> dict[str, Any]:
        decision = self._policy[child.key]
        node = self.node(child, depth)
        is_end = node["type"] == "terminal"
        return {
            "name": legible(child.outcome),
            "payoff": _text(decision.value) if is_end else "0",
            "childNode": node,
        }

    def _expected(self, key: Hashable) -> Real:
        """Return what follows an action is worth on average: more, where it costs."""
        policy = self._policy
        parts = (b.probability * policy[b.state].value for b in policy[key].branches)
        total: Real = sum(parts)
        return total


def _shaped(
    kind: str, name: str, edges: list[dict[str, Any]], depth: int, height: float
) -> dict[str, Any]:
    place = {"x": _MARGIN + depth * _WIDTH, "y": _MARGIN + height * _HEIGHT}
    return {
        "type": kind,
        "name": name,
        "code": "",
        "expressionScope": {},
        "location": place,
        "childEdges": edges,
    }


def _middle(branches: list[dict[str, Any]]) -> float:
    """Return halfway between the first and the last of some branches, in rows."""
    first, last = (branches[i]["childNode"]["location"]["y"] for i in (0, -1))
    middle: float = ((first + last) / 2 - _MARGIN) / _HEIGHT
    return middle


def _chances(probabilities: Sequence[Real]) -> list[str]:
    """
    Write probabilities so that SilverDecisions adds them up to one: the last as `#`.

    >>> _chances([0.1 + 0.2, 0.7]), _chances([3 / 7, 12 / 35, 8 / 35])
    (['0.3', '#'], ['3/7', '12/35', '#'])
    """
    written = probabilities[:-1]
    near = [_plain(each, _MOST_OF_A_FLOAT) for each in written]
    plain = [each for each in near if each is not None]
    if len(plain) < len(near) or lcm(*(p.denominator for p in plain)) > _MOST_PARTS:
        wholes = (round(Fraction(each) * _ROUNDED) for each in written)
        plain = [Fraction(whole, _ROUNDED) for whole in wholes]
    return [*map(number_text, plain), _SHARE]


def _text(number: Real) -> str:
    """Write a number as it is, or a float without what rounding adds to it."""
    plain = _plain(number, _MOST_PARTS)
    if plain is None:
        plain = Fraction(f"{float(number):.{_DIGITS}g}")
    return number_text(plain)


def _plain(number: Real, most: int) -> Fraction | None:
    """Return the fraction that a number is; a float has so many parts at most."""
    exact = Fraction(number)
    near = exact.limit_denominator(most)
    if not isinstance(number, float):
        return exact
    is_near = abs(float(near - exact)) <= _NOISE * max(1.0, abs(float(near)))
    return near if is_near else None
