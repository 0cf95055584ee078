"""Random problems of the paper's kind, decided by a seed."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Final, Literal, Unpack

from branchwise.errors import ProblemError
from branchwise.generator.random_extras import (
    Clause,
    Extras,
    random_budget,
    random_defenses,
)
from branchwise.generator.random_graph import DependencyGraph, UnluckyError
from branchwise.generator.random_states import RandomStates
from branchwise.generator.recipe import DEFAULTS, Knobs, Recipe, recipe_of
from branchwise.generator.witness import MOST_OUTCOMES, Event, Needs, Witness
from branchwise.model.action import Action, Given, Outcome
from branchwise.model.budget import DEFAULT_RESOURCE, UNLIMITED, Amounts
from branchwise.model.checks.issue import about
from branchwise.model.checks.validate import validate
from branchwise.model.conditions.condition import (
    NEVER,
    Attempted,
    Condition,
    Happened,
    all_of,
    any_of,
)
from branchwise.model.numbers.number import Number
from branchwise.model.problem import Problem, Reward

_DRAWS: Final = 50
_LABELS: Final = ("fail", "ok", *(f"ok{n}" for n in range(2, MOST_OUTCOMES)))
_RESOURCES: Final = ("money", "days", "staff", "fuel", "risk")


def generate(
    actions: int = DEFAULTS["actions"],
    budget: Number = DEFAULTS["budget"],
    *,
    seed: int | str = DEFAULTS["seed"],
    **knobs: Unpack[Knobs],
) -> Problem:
    """
    Make a random problem of the paper's kind; the same for the same arguments.

    Actions stand in layers. Each needs outcomes of earlier ones, all of them or any of
    them, and the last layer leads to a reward. Its name is the command that makes it
    again.

    The problem is feasible: every action and every reward can be reached within the
    budget. It is not trivial: every plan that earns something takes several actions,
    the best reward can be reached in at least two ways (rewarding sets), and at least
    two actions are there to begin with. Where spending counts, some rewarding set is
    worth more than it costs. `validate` finds nothing to warn of, so every action is
    of use to some reward.

    Parameters
    ----------
    actions
        How many actions there are.
    budget
        How much may be spent; of each resource, where there are several.
    seed
        What decides all that is left to chance: a number or a text.
    layers
        How many layers of actions there are: what a plan takes at least. Unless said
        otherwise about the square root of the number of actions.
    prerequisites
        How many outcomes an action needs, those of the first layer apart: a number, or
        two for the least and the most. Where other actions would be unused, more.
    or_share
        How many of the actions with several prerequisites need just one of them;
        those that the budget would not pay for otherwise need just one, too.
    outcomes
        How many outcomes an action has: a number, or the least and the most.
    success
        How likely an action does not fail: the least and the most.
    cost
        What an action costs: a number, or the least and the most.
    rewards
        How many rewards there are; all but the last are lower and sooner reached.
    value
        What the last reward is worth.
    preclusions
        What share of the actions is ruled out by another one.
    repeats
        What share of the actions can be taken two or three times.
    conditioning
        What share of the actions has other probabilities after another's outcome.
    resources
        How many resources there are.
    cost_weight
        What one unit spent takes off the reward.
    combine
        Whether the best reward counts, ``max``, or all of them do, ``sum``.
    hidden
        How many hidden facts there are: each makes one action fail half as often, and
        an action of its own, besides the others, tells of it.
    counters
        How many counters there are: each counts failures of three actions, and stops
        another one after two.
    endings
        What share of the actions ends the plan by failing.
    outcome_costs
        What share of the actions has half of its cost due only where it fails.
    defenses
        How many defenses an opponent may choose from, each for one unit.
    defense_budget
        How much the opponent may spend; a quarter of their number unless said.

    Raises
    ------
    ProblemError
        There is no such problem; says why and what to change.

    Examples
    --------
    >>> problem = generate(25, 15, seed=7)
    >>> len(problem.actions), problem.name
    (25, 'branchwise generate --actions 25 --budget 15 --seed 7')
    """
    recipe = recipe_of({"actions": actions, "budget": budget, "seed": seed, **knobs})
    reasons = Counter[tuple[str, str]]()
    for draw in range(_DRAWS):
        try:
            return _drawn(recipe, draw)
        except UnluckyError as error:
            reasons[error.what, error.fix] += 1
    (((reason, fix), _),) = reasons.most_common(1)
    what = f"none of {_DRAWS} random problems will do: mostly, {reason}"
    raise ProblemError([about(("generate",), what, fix)])


def _drawn(recipe: Recipe, draw: int) -> Problem:
    graph = DependencyGraph(recipe, draw)
    pair = _two_ways(graph)
    others = [graph.smallest(reward)[0] for reward in range(recipe.rewards - 1)]
    problem = _Spelling(graph, Extras(graph, [*pair, *others])).problem()
    if recipe.cost_weight and all(_net(problem, graph, way) <= 0 for way in pair):
        fix = "lower the cost weight, or raise the value"
        raise UnluckyError("what a reward costs outweighs it", fix)
    if recipe.has_states:
        problem = RandomStates(problem, recipe, graph.dice).problem()
    if issues := validate(problem):
        raise UnluckyError(issues[0].what, "try another seed")
    return problem


def _two_ways(graph: DependencyGraph) -> tuple[Witness, Witness]:
    """Find two rewarding sets of the last reward, with a choice of where to begin."""
    first, *others = graph.smallest()
    begin = sum(1 << action for action in graph.layers[0])
    for other in others:
        if ((first.actions | other.actions) & begin).bit_count() > 1:
            return first, other
    what = "there is just one way to begin, or just one to the reward"
    raise UnluckyError(what, "raise the share of or, or the budget")


def _net(problem: Problem, graph: DependencyGraph, way: Witness) -> Fraction:
    """What it is worth to go for a rewarding set and stop at the first setback."""
    happened: dict[str, list[str]] = {}
    chance, spent = Fraction(1), Fraction(0)
    for number, action in enumerate(problem.actions):
        for outcome, label in enumerate(action.labels):
            if way.events & Event(number, outcome).bit:
                cost, probabilities = action.as_of(happened)
                spent += chance * cost.total()
                chance *= next(o.probability for o in probabilities if o.label == label)
                happened[action.name] = [label]
    return chance * graph.recipe.value - graph.recipe.cost_weight * spent


class _Spelling:
    def __init__(self, graph: DependencyGraph, extras: Extras) -> None:
        self._graph = graph
        self._extras = extras
        several = graph.recipe.resources > 1
        names = _RESOURCES[: graph.recipe.resources]
        self._resources = names if several else (DEFAULT_RESOURCE,)

    def problem(self) -> Problem:
        recipe = self._graph.recipe
        combine: Literal["max", "sum"] = "sum" if recipe.combine == "sum" else "max"
        actions = [self._action(number) for number in range(recipe.actions)]
        dice = self._graph.dice("defenses")
        return Problem(
            actions,
            self._rewards(),
            budget=dict.fromkeys(self._resources, recipe.budget),
            name=recipe.command(),
            combine=combine,
            cost_weight=recipe.cost_weight,
            defenses=random_defenses(recipe, actions, dice),
            defense_budget=random_budget(recipe) if recipe.defenses else UNLIMITED,
        )

    def _action(self, number: int) -> Action:
        precluded_by = self._extras.preclusions.get(number)
        clause = self._extras.clauses.get(number)
        return Action(
            _name(number),
            outcomes=_outcomes(self._extras.probabilities[number]),
            cost=self._amounts(self._graph.prices[number]),
            requires=_condition(self._graph.needs[number]),
            precluded_by=_event(precluded_by) if precluded_by else NEVER,
            attempts=self._extras.attempts.get(number, 1),
            given=[self._given(number, clause)] if clause else [],
        )

    def _given(self, number: int, clause: Clause) -> Given:
        is_other = clause.price != self._graph.prices[number]
        cost = self._amounts(clause.price) if is_other else None
        outcomes = _outcomes(clause.probabilities)
        return Given(_event(clause.when), outcomes=outcomes, cost=cost)

    def _rewards(self) -> Iterator[Reward]:
        """Spell out the rewards, each worth a like step more than the one before."""
        recipe = self._graph.recipe
        for number, needs in enumerate(self._graph.rewards, 1):
            percent = Fraction(round(100 * Fraction(number, recipe.rewards)), 100)
            yield Reward(_condition(needs), recipe.value * percent)

    def _amounts(self, price: tuple[int, ...]) -> Amounts:
        costs = (Fraction(units, self._graph.scale) for units in price)
        return Amounts(dict(zip(self._resources, costs, strict=True)))


def _name(number: int) -> str:
    return f"a{number + 1}"


def _outcomes(probabilities: tuple[int, ...]) -> list[Outcome]:
    chances = (Fraction(percent, 100) for percent in probabilities)
    return list(map(Outcome, _LABELS, chances))


def _condition(needs: Needs) -> Condition:
    events = [_event(event) for event in needs.events]
    return any_of(*events) if needs.is_or and events else all_of(*events)


def _event(event: Event) -> Condition:
    name, number = _name(event.action), event.outcome
    return Attempted(name) if number < 0 else Happened(name, _LABELS[number])
