"""Uses: which actions can matter to a reward, or to where a plan may stop."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from branchwise.model.action import Action
from branchwise.model.checks.demands import (
    LITERALS,
    conditions_of,
    joined_conditions,
)
from branchwise.model.conditions.condition import Condition
from branchwise.model.conditions.quantity import CounterValue, Left
from branchwise.model.problem import Problem


def used_actions(problem: Problem) -> set[str]:
    """
    Return the actions that rewards name, those that their conditions name, ...

    An action that changes a counter is used if something used compares it, one that
    costs of a resource if something compares what is left of it, and one that tells of
    hidden facts if something depends on any of them: what is learned of one may tell of
    another.
    """
    uses = _Uses(problem)
    uses.ask(reward.when for reward in problem.rewards)
    uses.ask([] if problem.finish is None else [problem.finish])
    uses.follow(f"counter {each.per}" for each in problem.rewards if each.per)
    return uses.found


class _Uses:
    def __init__(self, problem: Problem) -> None:
        self._actions = {action.name: action for action in problem.actions}
        self._facts = {fact.name for fact in problem.hidden}
        # Who changes a counter, spends of a resource or tells of hidden facts.
        self._sources: defaultdict[str, list[str]] = defaultdict(list)
        compared = (
            each for _, c in joined_conditions(problem) for each in c.comparisons()
        )
        if self._facts or problem.counters or any(True for _ in compared):
            for action in problem.actions:
                for source in self._provided(action):
                    self._sources[source].append(action.name)
        self._followed: set[str] = set()
        self.found: set[str] = set()

    def _provided(self, action: Action) -> set[str]:
        effects = [action.effects, *(outcome.effects for outcome in action.outcomes)]
        counters = {f"counter {name}" for changed in effects for name in changed}
        spent = {f"left {r}" for cost in action.every_cost() for r in cost}
        whens = (mention for c in action.given for mention in c.when.mentions())
        tells = {"hidden" for mention in whens if mention.action in self._facts}
        return counters | spent | tells

    def ask(self, conditions: Iterable[Condition]) -> None:
        """Follow everything that conditions depend on."""
        pending = list(conditions)
        while pending:
            condition = pending.pop()
            for mention in condition.mentions():
                if mention.action in self._facts:
                    pending += self._taken(self._of("hidden"))
                else:
                    pending += self._taken([mention.action])
            if isinstance(condition, LITERALS):
                continue
            for compared in condition.comparisons():
                quantity = compared.quantity
                if isinstance(quantity, CounterValue):
                    pending += self._taken(self._of(f"counter {quantity.counter}"))
                elif isinstance(quantity, Left):
                    pending += self._taken(self._of(f"left {quantity.resource}"))

    def follow(self, sources: Iterable[str]) -> None:
        """Follow those who provide something."""
        for source in sources:
            self.ask(self._taken(self._of(source)))

    def _of(self, source: str) -> list[str]:
        is_new = source not in self._followed
        self._followed.add(source)
        return self._sources[source] if is_new else []

    def _taken(self, names: Iterable[str]) -> list[Condition]:
        """Note actions as used; return the conditions of those that are new."""
        new = [name for name in names if name not in self.found]
        self.found.update(new)
        return [c for name in new for c in conditions_of(self._actions[name])]
