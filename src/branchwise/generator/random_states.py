"""What states of a random problem hold besides outcomes, where it is asked for."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Final

from branchwise.generator.dice import Dice
from branchwise.generator.recipe import Recipe
from branchwise.model.action import Action, Given
from branchwise.model.budget import Amounts, ByName
from branchwise.model.counter import Counter
from branchwise.model.hidden import Hidden
from branchwise.model.outcome import ENDINGS, Outcome
from branchwise.model.problem import Problem

_LIMIT: Final = 2  # So many failures, and a counter stops what looks at it.
_RAISERS: Final = 3
_PERCENT: Final = Fraction(1, 100)


class RandomStates:
    """
    Hidden facts, counters, endings and costs of outcomes for a problem that has none.

    Whatever could be reached remains so: only failures, which no reward waits for, cost
    more, end the plan or move a counter, and no action takes more of the budget.
    """

    def __init__(
        self, problem: Problem, recipe: Recipe, dice: Callable[[str], Dice]
    ) -> None:
        self._problem, self._recipe, self._dice = problem, recipe, dice
        self._actions = {action.name: action for action in problem.actions}

    def problem(self) -> Problem:
        """Return the problem with all that the recipe asks for."""
        for name in self._some("outcome_costs", self._recipe.outcome_costs):
            self._actions[name] = _with_costly_failure(self._actions[name])
        endings = self._dice("endings how")
        for name in self._some("endings", self._recipe.endings):
            ending = endings.pick(ENDINGS)
            self._fail(name, replace(self._failure(name), ends=ending))
        counters = [self._counter(n + 1) for n in range(self._recipe.counters)]
        hidden = [self._hidden(n + 1) for n in range(self._recipe.hidden)]
        return replace(
            self._problem,
            actions=tuple(self._actions.values()),
            counters=tuple(counters),
            hidden=tuple(hidden),
        )

    def _some(self, knob: str, share: Fraction) -> list[str]:
        """Draw a share of the actions; at least one where any are asked for."""
        names = self._dice(knob).shuffled(list(self._actions))
        return names[: max(1, round(share * len(names)))] if share else []

    def _failure(self, name: str) -> Outcome:
        """Return the first outcome of an action, which is its failure."""
        return self._actions[name].outcomes[0]

    def _fail(self, name: str, failure: Outcome) -> None:
        """Let an action fail in another way."""
        outcomes = (failure, *self._actions[name].outcomes[1:])
        self._actions[name] = replace(self._actions[name], outcomes=outcomes)

    def _counter(self, number: int) -> Counter:
        """Let failures of some actions raise a counter that stops another one."""
        counter = Counter(f"c{number}", low=0, high=_LIMIT)
        gated, *others = self._dice(counter.name).shuffled(list(self._actions))
        action = self._actions[gated]
        requires = action.requires & (counter < _LIMIT)
        self._actions[gated] = replace(action, requires=requires)
        for name in others[:_RAISERS]:
            failure = self._failure(name)
            effects = ByName({**failure.effects, counter.name: 1})
            self._fail(name, replace(failure, effects=effects))
        return counter

    def _hidden(self, number: int) -> Hidden:
        """Let a fact decide how likely an action fails, and a test tell of it."""
        name, dice = f"h{number}", self._dice(f"h{number}")
        good = dice.within(20, 80) * _PERCENT
        fact = Hidden(name, outcomes={"good": good, "bad": 1 - good})
        told = dice.pick(self._problem.actions)
        clause = Given(fact["good"], outcomes=_less_failing(told))
        action = self._actions[told.name]
        self._actions[told.name] = replace(action, given=(*action.given, clause))
        right, wrong = (dice.within(*span) * _PERCENT for span in ((70, 95), (5, 30)))
        cost = dict.fromkeys(self._problem.budget, self._recipe.cost.low)
        sensitive = Given(fact["good"], outcomes={"no": 1 - right, "yes": right})
        self._actions[f"t{number}"] = Action(
            f"t{number}",
            outcomes={"no": 1 - wrong, "yes": wrong},
            cost=cost,
            given=[sensitive],
        )
        return fact


def _with_costly_failure(action: Action) -> Action:
    """Let half of the cost be due only where the action fails."""
    failure, *others = action.outcomes
    extra = _half(action.cost)
    given = (
        each if each.cost is None else replace(each, cost=_half(each.cost))
        for each in action.given
    )
    outcomes = (replace(failure, cost=extra), *others)
    return replace(action, cost=extra, outcomes=outcomes, given=tuple(given))


def _half(cost: Amounts) -> Amounts:
    return Amounts({resource: amount / 2 for resource, amount in cost.items()})


def _less_failing(action: Action) -> list[Outcome]:
    """Return the probabilities of an action that fails half as often."""
    failure, *others = action.outcomes
    fails = failure.probability / 2
    more = (1 - fails) / (1 - failure.probability)
    successes = [Outcome(o.label, o.probability * more) for o in others]
    return [Outcome(failure.label, fails), *successes]
