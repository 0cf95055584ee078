"""The problem in a page: what depends on what, its actions and its rewards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Final

from branchwise.model.action import Action, Given, Outcome
from branchwise.model.budget import DEFAULT_RESOURCE, UNLIMITED, Amounts
from branchwise.model.condition import ALWAYS, NEVER, Condition
from branchwise.model.interval import interval_text
from branchwise.model.number import number_text
from branchwise.model.problem import Problem, Reward
from branchwise.report.dependency_graph.dependency_picture import dependency_svg
from branchwise.report.page.markup import NONE, Column, name, scrollable, table, words
from branchwise.report.text.wording import count, plural

__all__ = ["problem_section"]

_MAX_ROWS: Final = 500
_MAX_OPEN: Final = 40
_MAX_DRAWN: Final = 200


def problem_section(problem: Problem) -> str:
    """Show what was asked."""
    actions, rewards = problem.actions, problem.rewards
    is_open = " open" if len(actions) <= _MAX_OPEN else ""
    summary = f"{plural(len(actions), 'action')}, {plural(len(rewards), 'reward')}"
    return f"""<section aria-labelledby="problem">
<h2 id="problem">The problem</h2>
<p class="hint">{_question(problem)}</p>
<details{is_open}>
<summary>{summary}</summary>
{_picture(problem)}
<h3>Actions</h3>
{_actions(actions)}
<h3>Rewards</h3>
{_rewards(problem)}
</details>
</section>"""


def _picture(problem: Problem) -> str:
    """Draw what depends on what, as long as anybody could find anything there."""
    if len(problem.actions) > _MAX_DRAWN:
        return ""
    svg = dependency_svg(problem).rstrip()
    return f"<figure>{scrollable(svg, 'Picture of what depends on what')}</figure>"


def _question(problem: Problem) -> str:
    budget = words(str(problem.budget))
    parts = [f"What may be done, with a budget of {budget}, and what it is worth."]
    if any(problem.cost_weight.values()):
        weight = _amounts(problem.cost_weight)
        parts.append(f"What is spent counts against the reward, with weight {weight}.")
    return " ".join(parts)


def _actions(actions: tuple[Action, ...]) -> str:
    """Show the actions; columns in which nothing is said are left out."""
    cells: Mapping[str, Callable[[Action], str]] = {
        "Requires": lambda action: _condition(action.requires),
        "Precluded by": lambda action: _condition(action.precluded_by),
        "Cost": lambda action: _amounts(action.cost),
        "Outcomes": lambda action: _outcomes(action.outcomes, action),
        "Attempts": _attempts,
        "Given": _clauses,
    }
    shown = actions[:_MAX_ROWS]
    spoken = {
        title: cell
        for title, cell in cells.items()
        if any(cell(action) not in {NONE, ""} for action in shown)
    }
    columns = [Column("Action", is_head=True)]
    columns += [Column(title, _style(title)) for title in spoken]
    rows = ([name(a.name), *(cell(a) for cell in spoken.values())] for a in shown)
    content = table(columns, rows, style="wide")
    return scrollable(content, "Actions") + _rest(len(actions), "action")


def _style(title: str) -> str:
    return "number" if title in {"Cost", "Attempts"} else ""


def _rewards(problem: Problem) -> str:
    columns = [Column("When", is_head=True), Column("Reward", "number")]
    shown = problem.rewards[:_MAX_ROWS]
    rows = ([name(str(r.when)), words(_worth(r))] for r in shown)
    content = table(columns, rows, style="narrow") + _rest(
        len(problem.rewards), "reward"
    )
    if len(problem.rewards) > 1:
        rule = "they add up" if problem.combine == "sum" else "the best one counts"
        content += f'\n<p class="hint">Where several hold, {rule}.</p>'
    return content


def _rest(number: int, noun: str) -> str:
    hidden = number - _MAX_ROWS
    if hidden <= 0:
        return ""
    more = plural(hidden, f"more {noun}")
    return f'\n<p class="hint">\N{HORIZONTAL ELLIPSIS} {more}, left out here.</p>'


def _condition(condition: Condition) -> str:
    return NONE if condition in {ALWAYS, NEVER} else name(str(condition))


def _attempts(action: Action) -> str:
    if action.attempts == UNLIMITED:
        return "unlimited"
    return count(int(action.attempts)) if action.attempts != 1 else NONE


def _amounts(amounts: Amounts) -> str:
    texts = [
        words(amounts.text(resource))
        if resource == DEFAULT_RESOURCE
        else f"{words(amounts.text(resource))} {name(resource)}"
        for resource in amounts.named
    ]
    return ", ".join(texts) or "0"


def _outcomes(outcomes: Iterable[Outcome], known: Action | Given) -> str:
    listed = ", ".join(_outcome(o.label, _odds(o)) for o in outcomes)
    return "; ".join((listed, *_known(known)))


def _known(odds: Action | Given) -> Iterator[str]:
    """Say how well odds are known."""
    if odds.distance is not None:
        yield f"distance {words(number_text(odds.distance))}"
    if odds.sample_size is not None:
        yield f"sample size {words(number_text(odds.sample_size))}"


def _odds(outcome: Outcome) -> str:
    return _measured(outcome.probability, outcome.low, outcome.high)


def _worth(reward: Reward) -> str:
    return _measured(reward.value, reward.low, reward.high)


def _measured(number: Fraction, low: Fraction | None, high: Fraction | None) -> str:
    if low is None or high is None or low == high:
        return number_text(number)
    return interval_text(number, low, high)


def _outcome(label: str, text: str) -> str:
    odds = f'<span class="odds">{words(text)}</span>'
    # A long label may be broken, a short one stays with its odds.
    style = ' class="pair"' if len(label) <= 24 else ""
    return f"<span{style}>{name(label)} {odds}</span>"


def _clauses(action: Action) -> str:
    items = "".join(f"<li>{_clause(clause)}</li>" for clause in action.given)
    return f'<ul class="plain">{items}</ul>' if items else NONE


def _clause(clause: Given) -> str:
    changes = []
    if clause.outcomes is not None:
        changes.append(_outcomes(clause.outcomes, clause))
    else:
        changes.extend(_known(clause))
    if clause.cost is not None:
        changes.append(f"cost {_amounts(clause.cost)}")
    return f"{name(str(clause.when))}: {'; '.join(changes)}"
