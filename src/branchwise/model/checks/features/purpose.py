"""Where plans may stop and what they make the least of: what contradicts itself."""

from collections.abc import Iterator

from branchwise.errors import Issue
from branchwise.model.checks.issue import about, listed, shown, ticked
from branchwise.model.checks.naming import Mentions
from branchwise.model.problem import Problem


def purpose_issues(problem: Problem, mentions: Mentions) -> Iterator[Issue]:
    """Find what does not go together in `finish`, `objective` and `unfinished`."""
    if problem.finish is not None:
        yield from mentions.condition_issues(("finish",), problem.finish, is_seen=True)
    if problem.objective not in {"most-reward", "least-cost"}:
        what = f"{ticked(problem.objective)} is no objective"
        fix = "write `least-cost`, or leave it out to make the most of the rewards"
        yield about(("objective",), what, fix, culprit=str(problem.objective))
    elif problem.objective == "least-cost":
        yield from _least_cost_issues(problem)
    elif problem.unfinished is not None:
        what = "`unfinished` counts as a cost, and the objective is the reward"
        fix = "write `objective: least-cost`, or remove `unfinished`"
        yield about(("unfinished",), what, fix)
    if problem.unfinished is not None and problem.unfinished < 0:
        what = f"to end unfinished counts {shown(problem.unfinished)}, less than 0"
        fix = "write what it costs to end unfinished: a number of at least 0"
        yield about(("unfinished",), what, fix)


def _least_cost_issues(problem: Problem) -> Iterator[Issue]:
    path = ("objective",)
    if problem.finish is None:
        what = "the cost is least if nothing is done: no `finish` says what has to be"
        action = problem.actions[0] if problem.actions else None
        done = f"{action.name}={action.labels[0]}" if action and action.labels else "a"
        yield about(path, what, f"add what has to be reached: `finish: {done}`, say")
    if problem.rewards:
        what = "rewards do not count under `objective: least-cost`"
        fix = "remove `rewards` (`finish` says what has to be reached), "
        fix += "or remove the objective"
        yield about(path, what, fix)
    if len(problem.budget) > 1 and not any(problem.cost_weight.values()):
        what = f"there are several resources, {listed(problem.budget)}, and no weight "
        what += "says what each counts"
        example = f"cost_weight: {{{next(iter(problem.budget))}: 1}}"
        yield about(path, what, f"add {ticked(example)}, say")
