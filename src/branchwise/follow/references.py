"""What people refer to: an action, an outcome or a reward."""

from __future__ import annotations

from branchwise.errors import HistoryError, Issue
from branchwise.model.action import Action
from branchwise.model.checks.issue import listed, ticked
from branchwise.model.condition import Condition, Happened
from branchwise.model.condition_text import ConditionSyntaxError, as_condition
from branchwise.model.history import as_history
from branchwise.model.problem import Problem


def action_called(problem: Problem, name: str) -> Action:
    """Find an action by its name."""
    try:
        return problem.action(name)
    except KeyError as error:
        fix = f"write {listed([a.name for a in problem.actions], 'or')}"
        raise _refused(f"action {ticked(name)}", str(error.args[0]), fix) from None


def one_outcome(outcome: str | Happened) -> Happened:
    """Read one outcome, such as ``a1=ok``."""
    events = as_history(outcome)
    if len(events) != 1:
        what = f"{ticked(outcome)} is not one outcome"
        raise _refused("here", what, "write one, such as `a1=ok`")
    return events[0]


def reward_number(problem: Problem, which: int | str | Condition) -> int:
    """Find a reward by its number, from 1 on, or by its condition."""
    conditions = [reward.when for reward in problem.rewards]
    where = f"reward {ticked(which)}"
    if isinstance(which, int):
        if not 1 <= which <= len(conditions):
            fix = f"there are {len(conditions)}, and the first is 1"
            raise _refused(where, "there is no such reward", fix)
        return which
    try:
        wanted = as_condition(which)
    except ConditionSyntaxError as error:
        raise _refused(where, error.what, error.fix) from None
    if wanted not in conditions:
        known = listed(map(str, conditions), "or") if conditions else "another file"
        raise _refused(where, "there is no such reward", f"write {known}")
    return conditions.index(wanted) + 1


def _refused(where: str, what: str, fix: str) -> HistoryError:
    return HistoryError([Issue(where, what, fix)])
