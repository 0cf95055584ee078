"""What can hardly be meant of counters, hidden facts and comparisons: warnings."""

from collections.abc import Iterator
from fractions import Fraction

from branchwise.errors import Issue, Path
from branchwise.model.checks.features.hidden import names_hidden
from branchwise.model.checks.features.ranges import Ranges
from branchwise.model.checks.issue import listed, shortened, shown, ticked, warning
from branchwise.model.checks.reachability import Reachability
from branchwise.model.conditions.condition import Comparison, Condition
from branchwise.model.conditions.quantity import CounterValue
from branchwise.model.problem import Problem

Placed = tuple[Path, Condition]


def feature_doubts(
    problem: Problem, conditions: list[Placed], reachability: Reachability
) -> Iterator[Issue]:
    """Find what can hardly be meant, in a problem without contradictions."""
    yield from _comparison_doubts(problem, conditions)
    yield from _counter_doubts(problem, conditions)
    yield from _hidden_doubts(problem)
    finish = problem.finish
    if finish is not None and not reachability.can_hold((finish, True)):
        what = f"no plan can finish: {shortened(finish)} can never hold"
        yield warning(("finish",), what, "change `finish`, or what stands in its way")


def _comparison_doubts(problem: Problem, conditions: list[Placed]) -> Iterator[Issue]:
    ranges = Ranges(problem)
    labels = {action.name: frozenset(action.labels) for action in problem.actions}
    seen: set[tuple[int, Comparison]] = set()
    for path, condition in conditions:
        for compared in condition.comparisons():
            if (id(condition), compared) in seen:
                continue
            seen.add((id(condition), compared))
            low, high = ranges.of(compared.quantity, labels)
            for truth, word in ((True, "can never hold"), (False, "always holds")):
                if not ranges.allows(compared, labels, truth=truth):
                    what = f"{ticked(compared)} {word}: {ticked(compared.quantity)} is "
                    what += f"{_between(low, high)}"
                    fix = "compare with another number, or leave it out"
                    yield warning(path, what, fix, str(compared.quantity))


def _between(low: Fraction | float, high: Fraction | float) -> str:
    return shown(low) if low == high else f"from {shown(low)} to {shown(high)}"


def _counter_doubts(problem: Problem, conditions: list[Placed]) -> Iterator[Issue]:
    if not problem.counters:
        return
    quantities = [
        c.quantity for _, condition in conditions for c in condition.comparisons()
    ]
    read = {q.counter for q in quantities if isinstance(q, CounterValue)}
    read |= {reward.per for reward in problem.rewards if reward.per is not None}
    changes = [o.effects for action in problem.actions for o in action.outcomes]
    changes += [action.effects for action in problem.actions]
    changed = {name for each in changes for name, change in each.items() if change}
    for counter in problem.counters:
        name = ticked(counter.name)
        if counter.name not in read:
            what = f"nothing reads the counter {name}"
            fix = f"compare it in a condition ({ticked(f'{counter.name} >= 1')}), "
            fix += (
                f"count it in a reward ({ticked(f'per: {counter.name}')}), or remove it"
            )
        elif counter.name not in changed:
            what = f"nothing changes the counter {name}: it stays at {counter.start}"
            fix = f"add {ticked(f'effects: {{{counter.name}: 1}}')} to an action or an "
            fix += "outcome, or remove the counter"
        else:
            continue
        yield warning(("counters", counter.name), what, fix, counter.name)


def _hidden_doubts(problem: Problem) -> Iterator[Issue]:
    for related in _related(problem):
        whens = [c.when for action in problem.actions for c in action.given]
        is_told = any(names_hidden(when, related) for when in whens)
        rewards = [reward.when for reward in problem.rewards]
        is_asked = any(names_hidden(when, related) for when in rewards)
        first = next(f.name for f in problem.hidden if f.name in related)
        names = listed(f.name for f in problem.hidden if f.name in related)
        path: Path = ("hidden", first)
        if not is_told and not is_asked:
            what = f"nothing depends on the hidden fact {names}"
            fix = "name it in the `given` of an action or in a reward, or remove it"
            yield warning(path, what, fix, first)
        elif not is_told:
            what = f"nothing can find out about the hidden fact {names}: no action's "
            what += "probabilities depend on it"
            fix = "name it in the `given` of an action that tells something about it"
            yield warning(path, what, fix, first)


def _related(problem: Problem) -> list[set[str]]:
    """Return the hidden facts, those together of which one depends on another."""
    groups: list[set[str]] = []
    for fact in problem.hidden:
        named = {m.action for clause in fact.given for m in clause.when.mentions()}
        joined = [group for group in groups if group & named]
        groups = [group for group in groups if not group & named]
        groups.append({fact.name}.union(*joined))
    return groups
