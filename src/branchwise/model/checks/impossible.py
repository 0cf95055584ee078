"""Actions and rewards that no plan can reach, and what stops them."""

from collections.abc import Iterator, Sequence

from branchwise.errors import Issue, Path
from branchwise.model.action import Action
from branchwise.model.budget import Amounts, counted
from branchwise.model.checks.demands import literals, wanted_by
from branchwise.model.checks.expenses import Shortfall
from branchwise.model.checks.issue import listed, shortened, shown, ticked, warning
from branchwise.model.checks.reachability import Reachability
from branchwise.model.conditions.condition import NEVER, Attempted, Condition, Happened
from branchwise.model.problem import Problem

_MOST_NAMED = 5
# Past these, what stops an action is not looked for: so many are counted, not read.
_MOST_REASONS = 1_000
_NO_REASON = ("this can never be taken", "put right those above, then check again")


class Impossible:
    """Find what no plan can reach, in a problem without contradictions."""

    def __init__(self, problem: Problem, reachability: Reachability) -> None:
        self._problem = problem
        self._actions = {action.name: action for action in problem.actions}
        self._places = {name: place for place, name in enumerate(self._actions)}
        self._reachability = reachability
        self._budget_pays = any(map(reachability.affords, self._actions))

    def find(self) -> Iterator[Issue]:
        """Return a warning for each, or one for a budget that pays for nothing."""
        if not self._budget_pays:
            yield self._poor()
        circles = self._circles()
        in_circle = {name for circle in circles for name in circle}
        for circle in circles:
            yield self._circle(circle)
        reasons_left = _MOST_REASONS
        for action in self._problem.actions:
            is_explained = action.name in in_circle
            if is_explained or self._reachability.is_available(action.name):
                continue
            reasons_left -= 1
            if reasons_left >= 0:
                yield from self._action(action)
            elif self._budget_pays:
                yield warning(("actions", action.name), *_NO_REASON)
        for index, reward in enumerate(self._problem.rewards):
            if not self._reachability.can_hold((reward.when, True)):
                yield from self._reward(index)
            elif lack := self._reachability.shortfall((reward.when, True)):
                what = f"nothing can reach this reward: {self._lacking(lack)}"
                yield warning(("rewards", index, "when"), what, self._raise(lack))

    def _poor(self) -> Issue:
        costs = [cost for action in self._problem.actions for cost in action.costs()]
        cheapest = min(costs, key=Amounts.total)
        what = f"the budget of {self._problem.budget} cannot pay for any action"
        fix = f"raise it: the cheapest action costs {_cost_text(cheapest)}"
        return warning(("budget",), what, fix)

    def _action(self, action: Action) -> Iterator[Issue]:
        place, what, fix = self._reason(action)
        if place == "cost" and not self._budget_pays:
            return
        path: Path = ("actions", action.name, place)
        what = f"{ticked(action.name)} can never be taken: {what}"
        yield warning(path, what, fix)

    def _reason(self, action: Action) -> tuple[str, str, str]:
        """Return where the obstacle is, what it is, and how to remove it."""
        requires = shortened(action.requires)
        precluded_by = shortened(action.precluded_by)
        required, allowed = wanted_by(action)
        always = (f"{precluded_by} always holds", "change `precluded_by`")
        if not self._reachability.is_consistent(required):
            return "requires", _contradiction(action.requires), "change `requires`"
        if not self._reachability.is_consistent(allowed):
            return "precluded_by", *always
        if not self._reachability.is_consistent(required, allowed):
            what = f"{precluded_by} rules it out whenever {requires} holds"
            return "precluded_by", what, "change `precluded_by` or `requires`"
        is_possible = self._reachability.can_hold(required, allowed)
        if is_possible or not self._reachability.affords(action.name):
            return self._unpaid(action)
        if blocked := self._blocked(action.requires):
            return "requires", *self._vain(blocked, "requires")
        if self._blocked(action.precluded_by, truth=False):
            return "precluded_by", *always
        return "requires", f"{requires} can never hold", "change `requires`"

    def _unpaid(self, action: Action) -> tuple[str, str, str]:
        lack = self._reachability.shortfall((Attempted(action.name), True))
        if lack is None:
            what = "no cost that it can have fits the whole budget"
            return "cost", what, "lower it, or raise the budget"
        place = "cost" if len(lack.actions) == 1 else "requires"
        return place, self._lacking(lack, "it"), self._raise(lack)

    def _reward(self, index: int) -> Iterator[Issue]:
        when = self._problem.rewards[index].when
        blocked = self._blocked(when)
        fix = "change `when`, or remove the reward"
        if not self._reachability.is_consistent((when, True)):
            what = _contradiction(when)
        elif not blocked:
            what = f"{shortened(when)} can never hold"
        elif self._budget_pays:
            what, fix = self._vain(blocked, "when")
        else:
            return
        what = f"nothing can reach this reward: {what}"
        yield warning(("rewards", index, "when"), what, fix)

    def _blocked(
        self, condition: Condition, *, truth: bool = True
    ) -> list[Happened | Attempted]:
        hopes = dict.fromkeys(literals(condition, truth=truth))
        reached = self._reachability.outcomes
        return [known for known, wanted in hopes if wanted and not known.holds(reached)]

    def _vain(
        self, blocked: Sequence[Happened | Attempted], key: str
    ) -> tuple[str, str]:
        """Say what is waited for in vain, and how to change that."""
        barred = [k for k in blocked if not self._reachability.is_available(k.action)]
        names = list(dict.fromkeys(known.action for known in barred))
        others = [str(k) for k in blocked if self._reachability.is_available(k.action)]
        reasons = [f"on {listed(names)}, which can never be taken"] if names else []
        reasons += [f"on {listed(others)}, which can never happen"] if others else []
        fix = f"make {listed(map(str, blocked), 'or')} possible, or change `{key}`"
        return "it depends " + ", and ".join(reasons), fix

    def _lacking(self, lack: Shortfall, subject: str = "") -> str:
        budget = shown(self._problem.budget[lack.resource])
        of = "" if self._problem.budget.is_plain else f" {lack.resource}"
        actions = lack.actions[::-1]  # What is needed first comes first.
        if len(actions) == 1:
            first = f"{subject or ticked(actions[0])} costs {shown(lack.cost)}{of}"
        elif len(actions) <= _MOST_NAMED:
            first = f"{listed(actions)} cost {shown(lack.cost)}{of} together"
        else:
            first = f"it takes {len(actions)} actions, which cost "
            first += f"{shown(lack.cost)}{of}"
        return f"{first}, more than the whole budget of {budget}{of}"

    def _raise(self, lack: Shortfall) -> str:
        of = "" if self._problem.budget.is_plain else f" of {ticked(lack.resource)}"
        return f"raise the budget{of} to {shown(lack.cost)} or more, or lower the costs"

    def _circles(self) -> list[list[str]]:
        """Follow each action that waits in vain to the one it waits for."""
        circles, seen = [], set[str]()
        for action in self._problem.actions:
            if self._reachability.is_available(action.name):
                continue
            trail: dict[str, None] = {}
            name: str | None = action.name
            while name is not None and name not in seen:
                seen.add(name)
                trail[name] = None
                name = self._waits_for(name)
            if name in trail:
                names = list(trail)
                circles.append(names[names.index(name) :])
        return circles

    def _waits_for(self, name: str) -> str | None:
        action, known = self._actions[name], self._reachability
        if known.is_available(name) or not known.affords(name):
            return None
        if not known.is_consistent(*wanted_by(action)):
            return None
        needed = (literal.action for literal in self._blocked(action.requires))
        return next((each for each in needed if not known.is_available(each)), None)

    def _circle(self, names: Sequence[str]) -> Issue:
        first = min(names, key=self._places.__getitem__)
        start = names.index(first)
        names = [*names[start:], *names[:start]]
        what = f"{ticked(first)} can never be taken: it needs itself first"
        if len(names) > 1:
            more = ["..."] if len(names) > _MOST_NAMED else []
            circle = ticked(" -> ".join([*names[:_MOST_NAMED], *more, first]))
            what = f"{circle} can never be taken: each needs another first"
        needed = ticked(names[1 % len(names)])
        fix = f"take {needed} out of the `requires` of {ticked(first)}, say"
        return warning(("actions", first, "requires"), what, fix)


def _contradiction(condition: Condition) -> str:
    if condition == NEVER:
        return "`never` is never so"
    return f"{shortened(condition)} contradicts itself"


def _cost_text(cost: Amounts) -> str:
    if list(cost) == ["budget"]:
        return shown(cost["budget"])
    return " and ".join(f"{shown(n)} {counted(r, n)}" for r, n in cost.items()) or "0"
