"""What can ever happen: which actions can be taken, and which outcomes come up.

The answer errs on one side only. What is called impossible is impossible in every
plan; what is called possible may still be ruled out by reasons not looked into.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping

from branchwise.model.action import Action
from branchwise.model.budget import Amounts
from branchwise.model.condition import Attempted, Condition, Happened
from branchwise.model.demands import Wanted, conjuncts, forced
from branchwise.model.expenses import Expenses, Shortfall, options
from branchwise.model.problem import Problem

__all__ = ["Reachability"]


class Reachability:
    """
    What can ever happen in a problem without contradictions.

    Examples
    --------
    >>> scan = Action("scan", outcomes={"open": 1, "closed": 0})
    >>> wait = Action("wait", outcomes={"done": 1}, requires="scan=closed")
    >>> reachability = Reachability(Problem([scan, wait]))
    >>> sorted(reachability.outcomes["scan"]), sorted(reachability.outcomes["wait"])
    (['open'], [])
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._actions = {action.name: action for action in problem.actions}
        self._options = {a.name: tuple(options(a)) for a in problem.actions}
        self._labels = {a.name: set(a.labels) for a in problem.actions}
        self.outcomes = self._spread(frozenset())
        """The outcomes that each action can have; none if it cannot be taken."""
        self._expenses = Expenses(problem)
        unpaid = self._expenses.unpaid(n for n, found in self.outcomes.items() if found)
        if unpaid:
            self.outcomes = self._spread(unpaid)

    def is_available(self, action: str) -> bool:
        """Tell whether an action can ever be taken."""
        return bool(self.outcomes[action])

    def can_hold(self, *wanted: Wanted) -> bool:
        """Tell whether the conditions can ever hold, or not hold, all at once."""
        return _Facts(self.outcomes, self._actions).admit(wanted)

    def is_consistent(self, *wanted: Wanted) -> bool:
        """Tell whether they could hold if every outcome of every action could be."""
        return _Facts(self._labels, self._actions).admit(wanted)

    def affords(self, action: str) -> bool:
        """Tell whether the whole budget pays for an action, at its cheapest."""
        return any(self._fits(option.cost) for option in self._options[action])

    def shortfall(self, *wanted: Wanted) -> Shortfall | None:
        """Find a resource that cannot pay for all that this cannot do without."""
        needed = [known.action for known, truth in forced(wanted) if truth]
        return self._expenses.shortfall(needed)

    def _fits(self, cost: Amounts) -> bool:
        return all(n <= self._problem.budget[r] for r, n in cost.items())

    def _spread(self, unpaid: Iterable[str]) -> dict[str, set[str]]:
        """Find the outcomes that can come up, starting from nothing."""
        reached: dict[str, set[str]] = {name: set() for name in self._actions}
        found: dict[str, set[str]] = {}
        dependents = _dependents(self._problem.actions)
        queue = deque(name for name in self._actions if name not in unpaid)
        waiting = {*queue, *unpaid}  # What nobody pays for waits for ever.
        while queue:
            name = queue.popleft()
            waiting.discard(name)
            new = self._possible(name, reached) - reached[name]
            if new:
                reached[name] |= new
                found[name] = reached[name]
                again = [user for user in dependents[name] if user not in waiting]
                waiting.update(again)
                queue.extend(again)
        # In the order found: each action comes after all it cannot do without.
        return {**found, **reached}

    def _possible(self, name: str, reached: Mapping[str, set[str]]) -> set[str]:
        action = self._actions[name]
        available = ((action.requires, True), (action.precluded_by, False))
        if not _Facts(reached, self._actions).admit(available):
            return set()
        labels: set[str] = set()
        for option in self._options[name]:
            new = option.labels - labels
            if new and self._fits(option.cost):
                wanted = (*available, (option.when, True))
                if _Facts(reached, self._actions).admit(wanted):
                    labels |= new
        return labels


class _Facts:
    """What must be so at one moment, as far as conditions leave no choice."""

    def __init__(
        self, reached: Mapping[str, set[str]], actions: Mapping[str, Action]
    ) -> None:
        self._reached = reached
        self._actions = actions
        self._happened: defaultdict[str, set[str]] = defaultdict(set)
        self._denied: defaultdict[str, set[str]] = defaultdict(set)
        self._attempted: set[str] = set()
        self._untouched: set[str] = set()

    def admit(self, wanted: Iterable[Wanted]) -> bool:
        """Take these conditions on; tell whether all of it can be so at once."""
        choices = []
        for condition, truth in conjuncts(wanted):
            if isinstance(condition, Happened | Attempted):
                if not self._allows(condition, truth=truth):
                    return False
                self._note(condition, truth=truth)
            else:
                choices.append((condition.parts(), truth))
        return all(
            any(self._allows_choice(part, truth=truth) for part in parts)
            for parts, truth in choices
        )

    def _allows_choice(self, part: Condition, *, truth: bool) -> bool:
        if isinstance(part, Happened | Attempted):
            return self._allows(part, truth=truth)
        return self._copy().admit([(part, truth)])

    def _allows(self, known: Happened | Attempted, *, truth: bool) -> bool:
        name = known.action
        happened, denied = self._happened[name], self._denied[name]
        open_outcomes = self._reached[name] - denied
        if isinstance(known, Attempted):
            if truth:
                return name not in self._untouched and bool(open_outcomes)
            return name not in self._attempted and not happened
        if not truth:
            settled = happened or name not in self._attempted
            still_open = bool(settled or open_outcomes - {known.outcome})
            return known.outcome not in happened and still_open
        if name in self._untouched or known.outcome not in open_outcomes:
            return False
        return len(happened | {known.outcome}) <= self._actions[name].attempts

    def _note(self, known: Happened | Attempted, *, truth: bool) -> None:
        if isinstance(known, Attempted):
            (self._attempted if truth else self._untouched).add(known.action)
        else:
            outcomes = self._happened if truth else self._denied
            outcomes[known.action].add(known.outcome)

    def _copy(self) -> _Facts:
        facts = _Facts(self._reached, self._actions)
        for mine, theirs in (
            (self._happened, facts._happened),
            (self._denied, facts._denied),
        ):
            theirs.update((name, set(labels)) for name, labels in mine.items())
        facts._attempted |= self._attempted
        facts._untouched |= self._untouched
        return facts


def _dependents(actions: Iterable[Action]) -> dict[str, list[str]]:
    """Give, for each action, those whose conditions mention it."""
    dependents: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for action in actions:
        whens = (clause.when for clause in action.given)
        for condition in (action.requires, action.precluded_by, *whens):
            for mention in condition.mentions():
                dependents[mention.action][action.name] = None
    return defaultdict(list, {name: list(users) for name, users in dependents.items()})
