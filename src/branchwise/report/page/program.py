"""The solution of a score program as a page: what to do first, and what is visited."""

from collections import defaultdict
from itertools import islice
from typing import Final

from branchwise.program.program_solution import ProgramSolution
from branchwise.report.answers.program import (
    Choice,
    adds_up,
    choice_columns,
    choices,
    is_cost,
    steps,
    visit_columns,
    worth_in,
)
from branchwise.report.charts.canvas import for_screens
from branchwise.report.charts.span_chart import Bar, Row, span_chart
from branchwise.report.charts.upright_bars import distribution_svg
from branchwise.report.column import MOST_BARS, table_html
from branchwise.report.page.templates import page_from
from branchwise.report.text.wording import problem_name, short, short_change

_MOST_ROWS: Final = 15  # in view; further ones are folded
_MOST: Final = 500


def program_page(solution: ProgramSolution) -> str:
    """Return the solution of a score program as one page."""
    first, *others = sorted(choices(solution), key=_rank)
    visited = list(islice(solution.visited(), _MOST))
    columns = visit_columns(solution)
    label = "Visited states"
    values = {
        "solution": solution,
        "worth": worth_in(solution, solution.expected_reward),
        "is_cost": is_cost(solution),
        "first": first,
        "as_good": [each.name for each in others if not each.slack],
        "next": next((each for each in others if each.slack), None),
        "choices": table_html(choice_columns(solution), [first, *others], "First"),
        "chart": _chart(solution, [first, *others]) if others else "",
        "visited": table_html(columns, visited[:_MOST_ROWS], label, is_wordy=True),
        "more": table_html(columns, visited[_MOST_ROWS:], label, is_wordy=True),
        "num_more": len(visited[_MOST_ROWS:]),
        "num_left_out": solution.num_visited - len(visited),
        "is_left": adds_up(solution),
        "endings": _endings(solution),
        "steps": steps(solution),
    }
    return page_from("program", problem_name(solution.problem), values)


def _rank(choice: Choice) -> tuple[float, float]:
    """Put the best choices first, and of those the one that the plan makes."""
    return choice.slack, -choice.probability


def _chart(solution: ProgramSolution, starts: list[Choice]) -> str:
    """Draw what is lost by starting with each action, the best one first."""
    base = worth_in(solution, solution.expected_reward)
    rows = [Row(each.name, (_bar(solution, each),)) for each in starts[:MOST_BARS]]
    title = "What each start is worth, beside the best"
    return for_screens(
        lambda width: span_chart(rows, base, title, base_word="best", width=width),
        "What each start is worth",
    )


def _bar(solution: ProgramSolution, choice: Choice) -> Bar:
    base = worth_in(solution, solution.expected_reward)
    worth = worth_in(solution, choice.value)
    lost = short_change(worth - base) if choice.slack else ""
    return Bar(base, worth, "loss", f"{choice.name}: {short(worth)}", lost)


def _endings(solution: ProgramSolution) -> str:
    """Draw how likely the plan ends with what, where that can be told of a state."""
    if adds_up(solution) or is_cost(solution):
        return ""
    shares: defaultdict[float, float] = defaultdict(float)
    for state in solution.visited():
        if state.stops and state.reward is not None:
            shares[state.reward] += state.stops
    return distribution_svg(sorted(shares.items())) if len(shares) > 1 else ""
