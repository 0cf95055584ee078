"""What a problem may say but can hardly mean: warnings."""

from collections.abc import Iterable, Iterator
from fractions import Fraction

from branchwise.errors import Issue, Path
from branchwise.model.action import Action
from branchwise.model.checks.demands import joined_conditions, wanted_by
from branchwise.model.checks.expenses import possible_at_some_time
from branchwise.model.checks.features.doubts import feature_doubts
from branchwise.model.checks.features.mixtures import mixture_doubts
from branchwise.model.checks.impossible import Impossible
from branchwise.model.checks.issue import listed, shortened, shown, ticked, warning
from branchwise.model.checks.reachability import Reachability
from branchwise.model.checks.uses import used_actions
from branchwise.model.conditions.condition import ALWAYS, AtLeast, Condition
from branchwise.model.numbers.expression import parameter_text
from branchwise.model.problem import Problem


def doubts(problem: Problem) -> Iterator[Issue]:
    """Find what can hardly be meant, in a problem without contradictions."""
    yield from _unused_parameters(problem)
    reachability = Reachability(problem)
    yield from Impossible(problem, reachability).find()
    yield from _unused_actions(problem, reachability)
    likely: set[int] = set()  # Actions of one file share their outcomes.
    for action in problem.actions:
        if id(action.outcomes) not in likely:
            if all(outcome.probability > 0 for outcome in action.outcomes):
                likely.add(id(action.outcomes))
            else:
                yield from _outcome_doubts(action)
        if action.given:
            yield from _clause_doubts(action, reachability)
    yield from _reward_doubts(problem)
    conditions = list(joined_conditions(problem))
    yield from _repeated_parts(conditions)
    yield from feature_doubts(problem, conditions, reachability)
    yield from mixture_doubts(problem, reachability)


def _unused_parameters(problem: Problem) -> Iterator[Issue]:
    if not problem.parameters:
        return
    used = {each.name for each in problem.used_parameters()}
    for name in problem.parameters:
        if name not in used:
            what = f"no number is computed from the parameter {ticked(name)}"
            fix = f"write {ticked(parameter_text(name))} where it counts, or remove it"
            yield warning(("parameters", name), what, fix, name)


def _unused_actions(problem: Problem, reachability: Reachability) -> Iterator[Issue]:
    if not problem.rewards and problem.finish is None:
        return
    used = used_actions(problem)
    for action in problem.actions:
        if action.name not in used and reachability.is_available(action.name):
            aim = "no reward depends on it" if problem.rewards else "it does not help"
            what = f"{ticked(action.name)} is unused: {aim}"
            fix = "name it in a reward, or in a condition that leads to one, "
            fix += "or remove it"
            yield warning(("actions", action.name), what, fix, action.name)


def _outcome_doubts(action: Action) -> Iterator[Issue]:
    possible = possible_at_some_time(action)
    never = [label for label in action.labels if label not in possible]
    if not never:
        return
    path: Path = ("actions", action.name, "outcomes")
    if len(never) == len(action.labels) - 1:
        sure = next(label for label in action.labels if label not in set(never))
        what = f"{ticked(sure)} is certain: {listed(never)} cannot happen"
    else:
        what = f"{listed(never)} cannot happen: the probability is 0"
    it = "it" if len(never) == 1 else "them"
    fix = f"give {listed(never)} a probability above 0, or remove {it}"
    yield warning(path, what, fix, never[0])


def _clause_doubts(action: Action, reachability: Reachability) -> Iterator[Issue]:
    seen: dict[Condition, int] = {}
    for index, clause in enumerate(action.given):
        path: Path = ("actions", action.name, "given", index, "when")
        if clause.when in seen or ALWAYS in seen:
            first = seen.get(clause.when, seen.get(ALWAYS, 0)) + 1
            same = "has the same condition" if clause.when in seen else "always holds"
            what = f"this clause never counts: clause {first} comes before it and "
            what += same
            yield warning(path, what, "remove one of them, or change its `when`")
        elif reachability.is_available(action.name) and not reachability.can_hold(
            *wanted_by(action), (clause.when, True)
        ):
            what = f"this clause never counts: {shortened(clause.when)} cannot hold "
            what += "when the action is taken"
            yield warning(path, what, "change its `when`, or remove the clause")
        seen.setdefault(clause.when, index)


def _repeated_parts(conditions: Iterable[tuple[Path, Condition]]) -> Iterator[Issue]:
    seen: set[int] = set()
    for path, condition in conditions:
        for part in _parts_of(condition, seen):
            if isinstance(part, AtLeast) and part.repeated:
                several = listed(map(str, part.repeated))
                what = f"{shortened(part)} counts {several} as often as listed"
                fix = "list each condition once; an outcome that comes up twice is "
                yield warning(path, what, fix + "still one that has happened")


def _parts_of(condition: Condition, seen: set[int]) -> Iterator[Condition]:
    """Return a condition and all inside that have parts and were not seen yet."""
    pending = [condition]
    while pending:
        part = pending.pop()
        if part.parts() and id(part) not in seen:
            seen.add(id(part))
            yield part
            pending.extend(part.parts())


def _reward_doubts(problem: Problem) -> Iterator[Issue]:
    if not problem.rewards and problem.finish is None:
        action = problem.actions[0]
        example = f"{{when: {action.name}={action.labels[0]}, value: 100}}"
        fix = f"add one: `rewards: [{example}]`"
        what = "there are no rewards: the best plan is to do nothing"
        yield warning(("rewards",), what, fix)
    best: dict[Condition, tuple[Fraction, int]] = {}
    for index, reward in enumerate(problem.rewards):
        path: Path = ("rewards", index)
        if reward.value == 0:
            fix = "write what it is worth, or remove it"
            yield warning((*path, "value"), "a reward of 0 changes nothing", fix)
        elif reward.per is None and problem.combine == "max" and reward.when in best:
            value, first = best[reward.when]
            yield _repeated_reward(problem, index, first)
            if reward.value <= value:
                continue
        best[reward.when] = (reward.value, index)


def _repeated_reward(problem: Problem, second: int, first: int) -> Issue:
    rewards = problem.rewards
    is_less = rewards[second].value <= rewards[first].value
    loser, winner = (second, first) if is_less else (first, second)
    text = shortened(rewards[loser].when)
    what = f"{shown(rewards[loser].value)} never counts: {text} also pays "
    what += f"{shown(rewards[winner].value)}, and `combine: max` takes the best"
    fix = "remove it, or write `combine: sum`"
    return warning(("rewards", loser, "value"), what, fix)
