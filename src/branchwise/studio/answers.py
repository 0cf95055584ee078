"""Answers: what the page says of a solution, in the words of the report."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any, Final

from branchwise.analysis.parameter import Parameter, parameters
from branchwise.model.budget import DEFAULT_RESOURCE, UNLIMITED
from branchwise.model.problem import Problem
from branchwise.report.charts.upright_bars import distribution_svg
from branchwise.report.page.solution import answer_text
from branchwise.report.text.wording import short
from branchwise.tree.nearest_thresholds import NearestThresholds
from branchwise.tree.prospects.distribution import final_rewards
from branchwise.tree.solution import Solution, Status

_MOST_ENDINGS: Final = 12
_LARGEST_DRAWN: Final = 1e300
_LEAST_MOST: Final = 4.0
"""How far the slider of a budget goes at least."""

Runs = list[tuple[str, bool]]
"""A paragraph: pieces of text, and whether each is emphasized."""


class _Paragraphs(HTMLParser):
    """Takes the words out of a piece of a page, and what of them is emphasized."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[Runs] = []
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: Any) -> None:  # noqa: ARG002
        if tag == "p":
            self.found.append([])
        self._depth += tag == "strong"

    def handle_endtag(self, tag: str) -> None:
        self._depth -= tag == "strong"

    def handle_data(self, data: str) -> None:
        if self.found:
            self.found[-1].append((data, self._depth > 0))


def paragraphs(markup: str) -> list[Runs]:
    """
    Return the paragraphs of a piece of a page as plain text.

    >>> paragraphs("<p>Start with <strong>a &amp; b</strong>.</p>")
    [[('Start with ', False), ('a & b', True), ('.', False)]]
    """
    parser = _Paragraphs()
    parser.feed(markup)
    return parser.found


def answer_document(solution: Solution) -> dict[str, Any]:
    """Return what the page shows beside a plan."""
    is_cost = solution.expected_cost is not None
    worth = solution.expected_cost if is_cost else solution.expected_reward
    assert worth is not None
    return {
        "status": str(solution.status),
        "is_optimal": solution.status is Status.OPTIMAL,
        "is_cost": is_cost,
        "worth": float(worth),
        "shown": short(worth),
        "first": solution.first_action,
        "aim": None if solution.aim is None else short(solution.aim.worth),
        "bound": short(solution.upper_bound),
        "sentences": paragraphs(answer_text(solution, "beside")),
        "nodes": solution.tree.num_nodes,
        "endings": [*_endings(solution)],
        "chart": _chart(solution),
    }


def _endings(solution: Solution) -> Iterator[tuple[str, float]]:
    """Return the likeliest final rewards, the highest first."""
    chances = final_rewards(solution.tree, solution.problem).chances
    likely = sorted(chances, key=lambda pair: -pair[1])[:_MOST_ENDINGS]
    for reward, share in sorted(likely, reverse=True):
        yield short(reward), float(share)


def _chart(solution: Solution) -> str:
    """Return the risk profile as a picture; nothing where there is none."""
    chances = final_rewards(solution.tree, solution.problem).chances
    plain = [(float(reward), float(share)) for reward, share in chances]
    is_drawn = len(plain) > 1 and all(
        -_LARGEST_DRAWN < reward < _LARGEST_DRAWN for reward, _ in plain
    )
    return distribution_svg(plain) if is_drawn else ""


def threshold_documents(
    found: NearestThresholds | None, problem: Problem
) -> list[dict[str, Any]]:
    """Return what would change the start, with where the numbers stand."""
    if found is None:
        return []
    known = {each.name: each for each in parameters(problem)}
    return [
        {
            "name": each.parameter,
            "value": float(each.value),
            "shown": short(each.value),
            "at": float(each.at),
            "at_shown": short(each.at),
            "is_above": each.is_above,
            "first": each.first_action,
            "path": path_of(known.get(each.parameter)),
            "is_probability": _is_probability(known.get(each.parameter)),
        }
        for each in found.thresholds
    ]


def _is_probability(parameter: Parameter | None) -> bool:
    return parameter is not None and parameter.kind == "probability"


def path_of(parameter: Parameter | None) -> list[str | int] | None:
    """Return where a number stands in the document; None where it is not known."""
    if parameter is None:
        return None
    whose: list[str | int] = ["actions", parameter.action]
    if parameter.clause is not None:
        whose += ["given", parameter.clause]
    match parameter.kind:
        case "parameter":
            return ["parameters", parameter.name]
        case "probability":
            return [*whose, "outcomes", parameter.outcome]
        case "cost" if not parameter.outcome:
            resource = parameter.resource
            is_plain = resource == DEFAULT_RESOURCE
            return [*whose, "cost"] if is_plain else [*whose, "cost", resource]
        case "reward":
            return ["rewards", parameter.number, "value"]
    return None


def budgets_of(problem: Problem) -> list[dict[str, Any]]:
    """Return every finite budget, with how far its slider may go."""
    return [
        {
            "resource": "" if resource == DEFAULT_RESOURCE else resource,
            "limit": float(limit),
            "most": max(2 * float(limit), _LEAST_MOST),
            "shown": short(limit),
            "is_whole": float(limit).is_integer(),
        }
        for resource, limit in problem.budget.items()
        if limit != UNLIMITED
    ]
