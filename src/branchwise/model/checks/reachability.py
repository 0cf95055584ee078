"""What can ever happen: which actions can be taken, and which outcomes come up.

The answer errs on one side only. What is called impossible is impossible in every
plan; what is called possible may still be ruled out by reasons not looked into.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence, Set

from branchwise.model.action import Action
from branchwise.model.budget import Amounts
from branchwise.model.checks.demands import (
    LITERALS,
    Wanted,
    conditions_of,
    conjuncts,
    demands_of,
    forced,
    num_needed,
)
from branchwise.model.checks.expenses import Expenses, Shortfall
from branchwise.model.checks.features.ranges import Ranges
from branchwise.model.conditions.condition import (
    ALWAYS,
    Attempted,
    Comparison,
    Condition,
    Happened,
)
from branchwise.model.problem import Problem
from branchwise.model.spread import label_set

# A long search may end early: what is not looked into is called possible.
_MOST_STEPS = 1_000_000


class Reachability:
    """
    What can ever happen in a problem without contradictions.

    >>> scan = Action("scan", outcomes={"open": 1, "closed": 0})
    >>> wait = Action("wait", outcomes={"done": 1}, requires="scan=closed")
    >>> reachability = Reachability(Problem([scan, wait]))
    >>> sorted(reachability.outcomes["scan"]), sorted(reachability.outcomes["wait"])
    (['open'], [])
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._room = [_MOST_STEPS]
        self._affordable: dict[int, bool] = {}
        self._actions = {action.name: action for action in problem.actions}
        self._labels: dict[str, Set[str]] = {
            a.name: label_set(a.labels) for a in problem.actions
        }
        self._facts_of = {fact.name: frozenset(fact.labels) for fact in problem.hidden}
        self._labels |= self._facts_of
        self._ranges = Ranges(problem)
        self._wanted = {a.name: demands_of(a) for a in problem.actions}
        self._dependents = _dependents(problem.actions)
        self._expenses = Expenses(problem)
        self._options = self._expenses.options
        self.outcomes = self._found()
        """The outcomes that each action can have; none if it cannot be taken."""

    def _found(self) -> dict[str, Set[str]]:
        found = self._spread(frozenset())
        if found is None:
            return self._labels
        taken = [n for n, labels in found.items() if labels and n in self._actions]
        unpaid = self._expenses.unpaid(taken)
        return (self._spread(unpaid) if unpaid else found) or self._labels

    def is_available(self, action: str) -> bool:
        """Return whether an action can ever be taken."""
        return bool(self.outcomes[action])

    def can_hold(self, *wanted: Wanted) -> bool:
        """Return whether the conditions can ever hold, or not hold, all at once."""
        return self._facts(self.outcomes).admit(wanted)

    def is_consistent(self, *wanted: Wanted) -> bool:
        """Return whether they could hold if every outcome of every action could be."""
        return self._facts(self._labels).admit(wanted)

    def affords(self, action: str) -> bool:
        """Return whether the whole budget pays for an action, at its cheapest."""
        return any(self._fits(option.needed) for option in self._options[action])

    def shortfall(self, *wanted: Wanted) -> Shortfall | None:
        """Find a resource that cannot pay for all that this cannot do without."""
        named = (known.action for known, truth in forced(wanted) if truth)
        needed = [name for name in named if name in self._actions]
        return self._expenses.shortfall(needed)

    def _fits(self, cost: Amounts) -> bool:
        fits = self._affordable.get(id(cost))
        if fits is None:
            fits = all(n <= self._problem.budget[r] for r, n in cost.items())
            self._affordable[id(cost)] = fits
        return fits

    def _spread(self, unpaid: Iterable[str]) -> dict[str, Set[str]] | None:
        """Find what can come up, starting from nothing; None where that takes long."""
        reached: dict[str, Set[str]] = dict.fromkeys(self._actions, frozenset[str]())
        reached |= self._facts_of  # They are settled from the start.
        found: dict[str, Set[str]] = {}
        queue = deque(name for name in self._actions if name not in unpaid)
        waiting = {*queue, *unpaid}  # What is never paid for waits for ever.
        while queue:
            name = queue.popleft()
            waiting.discard(name)
            if self._room[0] < 0:
                return None
            before, possible = reached[name], self._possible(name, reached)
            if not possible <= before:
                found[name] = reached[name] = before | possible if before else possible
                again = [user for user in self._dependents[name] if user not in waiting]
                waiting.update(again)
                queue.extend(again)
        # In the order found: each action comes after all it cannot do without.
        return {**self._facts_of, **found, **reached}

    def _possible(self, name: str, reached: Mapping[str, Set[str]]) -> Set[str]:
        wanted = self._wanted[name]
        if not self._admits(wanted, reached):
            return frozenset()
        labels: Set[str] = frozenset()
        # Clauses without probabilities of their own share the labels.
        taken: set[int] = set()
        for option in self._options[name]:
            self._room[0] -= 1
            if id(option.labels) in taken or not self._fits(option.needed):
                continue
            if option.when is ALWAYS or self._facts(reached).admit(
                (*wanted, (option.when, True))
            ):
                taken.add(id(option.labels))
                self._room[0] -= len(option.labels)
                labels = labels | option.labels if labels else option.labels
        return labels

    def _facts(self, reached: Mapping[str, Set[str]]) -> _Facts:
        return _Facts(reached, self._ranges, self._room)

    def _admits(
        self, wanted: Sequence[Wanted], reached: Mapping[str, Set[str]]
    ) -> bool:
        """Return whether an action may be taken; one literal needs no bookkeeping."""
        if len(wanted) == 1 and isinstance(wanted[0][0], LITERALS):
            known, truth = wanted[0]
            return not truth or known.holds(reached)
        return self._facts(reached).admit(wanted)


class _Facts:
    """What must be so at one moment, as far as conditions leave no choice."""

    def __init__(
        self,
        reached: Mapping[str, Set[str]],
        ranges: Ranges,
        room: list[int],
    ) -> None:
        self._reached, self._ranges = reached, ranges
        self._happened: defaultdict[str, set[str]] = defaultdict(set)
        self._denied: defaultdict[str, set[str]] = defaultdict(set)
        self._attempted: set[str] = set()
        self._untouched: set[str] = set()
        self._room = room  # how much may still be looked into, all in all

    def admit(self, wanted: Iterable[Wanted]) -> bool:
        """Take these conditions on; tell whether all of it can be so at once."""
        choices = []
        for condition, truth in conjuncts(wanted):
            self._room[0] -= 1
            if self._room[0] < 0:
                return True
            if isinstance(condition, LITERALS):
                if not self._allows(condition, truth=truth):
                    return False
                self._note(condition, truth=truth)
            elif isinstance(condition, Comparison):
                if not self._ranges.allows(condition, self._reached, truth=truth):
                    return False
            else:
                choices.append((condition, truth))
        return all(self._leaves(condition, truth=truth) for condition, truth in choices)

    def _leaves(self, condition: Condition, *, truth: bool) -> bool:
        """Return whether enough parts of a condition can be so, each by itself."""
        needed = num_needed(condition, truth=truth)
        for part in condition.parts():
            needed -= self._allows_choice(part, truth=truth)
            if needed == 0:
                return True
        return False

    def _allows_choice(self, part: Condition, *, truth: bool) -> bool:
        if isinstance(part, LITERALS):
            return self._allows(part, truth=truth)
        if isinstance(part, Comparison):
            return self._ranges.allows(part, self._reached, truth=truth)
        self._room[0] -= len(self._happened) + len(self._denied)
        return self._room[0] < 0 or self._copy().admit([(part, truth)])

    def _allows(self, known: Happened | Attempted, *, truth: bool) -> bool:
        name = known.action
        happened, denied = self._happened[name], self._denied[name]
        reached = self._reached[name]
        if isinstance(known, Attempted):
            if truth:
                return name not in self._untouched and not reached <= denied
            return name not in self._attempted and not happened
        outcome = known.outcome
        if not truth:
            if outcome in happened:
                return False
            if happened or name not in self._attempted:
                return True
            # Something else must be able to come of it; sizes mostly tell.
            is_clear = len(reached) > len(denied) + 1
            return is_clear or any(o not in denied and o != outcome for o in reached)
        if name in self._untouched or outcome not in reached or outcome in denied:
            return False
        num_happened = len(happened) + (outcome not in happened)
        return num_happened <= self._ranges.attempts(name)

    def _note(self, known: Happened | Attempted, *, truth: bool) -> None:
        if isinstance(known, Attempted):
            (self._attempted if truth else self._untouched).add(known.action)
        else:
            outcomes = self._happened if truth else self._denied
            outcomes[known.action].add(known.outcome)

    def _copy(self) -> _Facts:
        facts = _Facts(self._reached, self._ranges, self._room)
        facts._happened.update((n, {*labels}) for n, labels in self._happened.items())
        facts._denied.update((n, {*labels}) for n, labels in self._denied.items())
        facts._attempted |= self._attempted
        facts._untouched |= self._untouched
        return facts


def _dependents(actions: Iterable[Action]) -> dict[str, list[str]]:
    """Give, for each action, those whose conditions mention it."""
    dependents: defaultdict[str, list[str]] = defaultdict(list)
    for action in actions:
        for condition in conditions_of(action):
            for mention in condition.mentions():
                users = dependents[mention.action]
                if not users or users[-1] != action.name:
                    users.append(action.name)
    return dependents
