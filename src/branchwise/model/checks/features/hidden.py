"""Hidden facts that contradict themselves, and what may not depend on them."""

from collections.abc import Iterator, Set

from branchwise.errors import Issue, Path
from branchwise.model.action import Action, Given
from branchwise.model.checks.issue import about, listed, shown, ticked
from branchwise.model.checks.naming import Mentions, name_issues, repeated_issues
from branchwise.model.checks.probability import outcomes_issues
from branchwise.model.conditions.condition import Condition
from branchwise.model.hidden import Hidden
from branchwise.model.outcome import Outcome
from branchwise.model.problem import Problem


def hidden_issues(problem: Problem) -> Iterator[Issue]:
    """Find everything that keeps the hidden facts from meaning something."""
    yield from repeated_issues(problem.hidden, "hidden fact", "hidden")
    for place, fact in enumerate(problem.hidden):
        path: Path = ("hidden", fact.name)
        inside = (*path, "outcomes") if fact.given else path
        yield from name_issues(path, fact.name, "hidden fact")
        yield from outcomes_issues(inside, fact.outcomes)
        yield from plain_issues(inside, fact.outcomes, "a hidden fact")
        for label in fact.labels:
            yield from name_issues((*inside, label), label, "outcome")
        above = Mentions((), hidden=problem.hidden[:place])
        for index in range(len(fact.given)):
            yield from _Clause(problem, fact, index).issues(above)


class _Clause:
    """A clause of a hidden fact."""

    def __init__(self, problem: Problem, fact: Hidden, index: int) -> None:
        self._problem, self._fact, self._clause = problem, fact, fact.given[index]
        self._path: Path = ("hidden", fact.name, "given", index)

    def issues(self, above: Mentions) -> Iterator[Issue]:
        when = (*self._path, "when")
        misplaced = set(self._misplaced(when))
        yield from misplaced
        if not misplaced:
            yield from above.condition_issues(when, self._clause.when)
        outcomes = self._clause.outcomes
        if outcomes is None:
            fix = "add `outcomes` to it, or remove it"
            yield about(self._path, "this clause changes nothing", fix)
            return
        inside = (*self._path, "outcomes")
        yield from outcomes_issues(inside, outcomes)
        yield from plain_issues(inside, outcomes, "a clause of `given`")
        for outcome in outcomes:
            if self._fact.labels and outcome.label not in self._fact.labels:
                what = f"{ticked(self._fact.name)} is never {ticked(outcome.label)}"
                fix = f"write {listed(self._fact.labels, 'or')}"
                place = (*inside, outcome.label)
                yield about(place, what, fix, culprit=outcome.label)

    def _misplaced(self, path: Path) -> Iterator[Issue]:
        """Find what is known, but not before this fact is settled."""
        name = self._fact.name
        facts = [fact.name for fact in self._problem.hidden]
        later = facts[facts.index(name) :]
        actions = {action.name for action in self._problem.actions}
        counters = {counter.name for counter in self._problem.counters}
        for compared in self._clause.when.comparisons():
            what = f"{ticked(compared)} is not settled from the start, as "
            what += f"{ticked(name)} is"
            yield about(path, what, "name hidden facts listed above it only")
        for mention in self._clause.when.mentions():
            other = mention.action
            if other in later:
                what = f"{ticked(name)} depends on itself"
                if other != name:
                    what = f"{ticked(name)} depends on {ticked(other)}, which is "
                    what += "listed below it"
                fix = f"move {ticked(other)} above {ticked(name)}"
                fix = "name facts listed above it" if other == name else fix
                yield about(path, what, fix, culprit=other)
            elif other in actions | counters:
                what = f"{ticked(name)} is settled from the start: it cannot depend "
                what += f"on {ticked(other)}, which comes later"
                fix = "name hidden facts listed above it only"
                yield about(path, what, fix, culprit=other)


def plain_issues(
    path: Path, outcomes: tuple[Outcome, ...], whose: str
) -> Iterator[Issue]:
    """Find outcomes with consequences where only probabilities can stand."""
    for outcome in outcomes:
        found = {
            "effects": bool(outcome.effects),
            "cost": bool(outcome.cost.named),
            "ends": outcome.ends is not None,
        }
        for key in (key for key, is_there in found.items() if is_there):
            what = f"{whose} gives probabilities: {ticked(outcome.label)} cannot have "
            what += f"`{key}` here"
            alone = f"{outcome.label}: {shown(outcome.probability)}"
            fix = f"write the probability alone: {ticked(alone)}"
            if "given" in path and path[0] == "actions":
                fix = f"write `{key}` in the `outcomes` of the action"
            yield about((*path, outcome.label, key), what, fix)


def names_hidden(condition: Condition, facts: Set[str]) -> bool:
    """Whether a condition depends on a hidden fact."""
    return bool(facts) and any(m.action in facts for m in condition.mentions())


def clause_issues(action: Action, facts: Set[str]) -> Iterator[Issue]:
    """Find costs and distances that would depend on hidden facts."""
    first: int | None = None
    for index, clause in enumerate(action.given):
        path: Path = ("actions", action.name, "given", index)
        if names_hidden(clause.when, facts):
            first = index if first is None else first
            yield from _unseen_issues(path, clause, facts)
        elif first is not None and clause.cost is not None:
            what = "which cost counts would depend on a hidden fact: clause "
            what += f"{first + 1} comes before it"
            fix = "move this clause above those that name hidden facts"
            yield about((*path, "cost"), what, fix)


def _unseen_issues(path: Path, clause: Given, facts: Set[str]) -> Iterator[Issue]:
    named = next(m.action for m in clause.when.mentions() if m.action in facts)
    said = {"cost": clause.cost, "distance": clause.distance}
    for key in (key for key, number in said.items() if number is not None):
        what = f"the {key} cannot depend on the hidden fact {ticked(named)}, which is "
        what += "never seen"
        fix = f"remove the `{key}`, or write it in a clause that names no hidden fact"
        if key == "cost":
            fix = "remove the `cost`; what an outcome costs can be written with it"
        yield about((*path, key), what, fix)
