"""What a random problem may have beyond the paper's kind, where it is asked for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, NamedTuple

from branchwise.generator.dice import Dice
from branchwise.generator.random_graph import DependencyGraph, UnluckyError
from branchwise.generator.recipe import Recipe
from branchwise.generator.witness import Event, Witness
from branchwise.model.action import Action
from branchwise.model.budget import Amounts, Limit
from branchwise.model.defense import Defense

_KINDS: Final = ("forbids", "raises", "scales", "changes")
_SHARES: Final = tuple(Fraction(share, 4) for share in (1, 2, 3))


class Clause(NamedTuple):
    """Conditioning: after an event, other probabilities (in percent), a lower price."""

    when: Event
    probabilities: tuple[int, ...]
    price: tuple[int, ...]


@dataclass(slots=True)
class Extras:
    """Preclusions, repeats and conditioning; what was reachable remains so."""

    graph: DependencyGraph
    spared: list[Witness]  # Rewarding sets that preclusions must not break.
    probabilities: list[tuple[int, ...]] = field(init=False)
    attempts: dict[int, int] = field(init=False, default_factory=dict)
    preclusions: dict[int, Event] = field(init=False, default_factory=dict)
    clauses: dict[int, Clause] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        recipe, dice = self.graph.recipe, self.graph.dice
        low, high = (int(100 * end) for end in recipe.success)
        # The name of a draw is part of its seed. With any other word here, every seed
        # would make another problem, so this one stays, though probabilities are drawn.
        probabilities = dice("odds")
        self.probabilities = [
            draw_probabilities(probabilities, probabilities.within(low, high), number)
            for number in self.graph.num_outcomes
        ]
        repeats = dice("repeats")
        numbers = repeats.shuffled(range(recipe.actions))
        for action in numbers[: self._count(recipe.repeats)]:
            self.attempts[action] = repeats.within(2, 3)
        self._preclude(dice("preclusions"), recipe.preclusions)
        self._condition(dice("conditioning"), recipe.conditioning)

    def _count(self, share: Fraction) -> int:
        """How many actions a share is; at least one where any are asked for."""
        return max(1, round(share * self.graph.recipe.actions)) if share else 0

    def _preclude(self, dice: Dice, share: Fraction) -> None:
        """Let actions rule each other out, as often as asked or as can be."""
        if not share:
            return
        numbers = range(self.graph.recipe.actions)
        spared = self.spared + [self.graph.witnesses.before(n) for n in numbers]
        for action in dice.shuffled(numbers):
            if len(self.preclusions) == self._count(share):
                return
            rivals = [n for n in self._rivals(action) if _keeps(spared, action, n)]
            if rivals:
                rival = dice.pick(rivals)
                # Outcome -1 is any: the attempt alone rules it out.
                outcome = dice.within(-1, self.graph.num_outcomes[rival] - 1)
                self.preclusions[action] = Event(rival, outcome)
        if not self.preclusions:
            what = "every preclusion would make something unreachable"
            raise UnluckyError(what, "ask for more actions")

    def _rivals(self, action: int) -> Iterator[int]:
        """Return actions that do not wait for this one, nor this one for them."""
        needed = {event.action for event in self.graph.needs[action].events}
        for rival in range(self.graph.recipe.actions):
            waits = {event.action for event in self.graph.needs[rival].events}
            if rival != action and rival not in needed and action not in waits:
                yield rival

    def _condition(self, dice: Dice, share: Fraction) -> None:
        """Let events change the probabilities of actions, as often as asked."""
        if not share:
            return
        for action in dice.shuffled(range(self.graph.recipe.actions)):
            if len(self.clauses) == self._count(share):
                return
            events = list(self._influences(action))
            if events:
                self.clauses[action] = self._clause(dice, action, dice.pick(events))
        if not self.clauses:
            what = "no action can be afforded after an outcome that it does not need"
            raise UnluckyError(what, "raise the budget, or ask for more actions")

    def _influences(self, action: int) -> Iterator[Event]:
        """Return events that may come before an action that does not need them."""
        layer = next(layer for layer in self.graph.layers if action in layer)
        taken = {event.action for event in self.graph.needs[action].events} | {action}
        taken |= {event.action for event in [self.preclusions.get(action)] if event}
        for other in range(layer[-1] + 1):
            if other in taken or self.preclusions.get(other, (-1,))[0] in taken:
                continue
            for outcome in range(self.graph.num_outcomes[other]):
                event = Event(other, outcome)
                if self.graph.witnesses.goes_with(action, event):
                    yield event

    def _clause(self, dice: Dice, action: int, when: Event) -> Clause:
        low, high = (int(100 * end) for end in self.graph.recipe.success)
        before = 100 - self.probabilities[action][0]
        success = dice.within(low, high)
        if success == before:  # What changes nothing would be no conditioning.
            success = (before + 100) // 2 if before < 99 else 50
        number = len(self.probabilities[action])
        probabilities = draw_probabilities(dice, success, number)
        return Clause(when, probabilities, self._lower_price(dice, action))

    def _lower_price(self, dice: Dice, action: int) -> tuple[int, ...]:
        """Draw a price that is never higher, so that what was affordable remains so."""
        least = int(self.graph.recipe.cost.low * self.graph.scale)
        prices = self.graph.prices[action]
        return tuple(price and dice.within(least, price) for price in prices)


def draw_probabilities(dice: Dice, success: int, num_outcomes: int) -> tuple[int, ...]:
    """
    Split 100 among the outcomes: first the failure, then the successes.

    >>> draw_probabilities(Dice(1), 60, 3)
    (40, 59, 1)
    """
    parts = num_outcomes - 1
    success = max(success, parts)
    cuts = sorted(dice.shuffled(range(1, success))[: parts - 1])
    ends = zip([0, *cuts], [*cuts, success], strict=True)
    return (100 - success, *(end - start for start, end in ends))


def _keeps(spared: list[Witness], action: int, rival: int) -> bool:
    """Return whether no set takes the rival before the action it would rule out."""
    if rival > action:
        return True
    both = 1 << action | 1 << rival
    return all(witness.actions & both != both for witness in spared)


def random_defenses(
    recipe: Recipe, actions: Sequence[Action], dice: Dice
) -> Iterator[Defense]:
    """
    Draw as many defenses as asked for, each of one kind and for one unit.

    What they leave of an action fails more often, so that all of them hurt; the first
    outcome of each action is its failure.
    """
    unchanged = dice.shuffled(actions)
    for number in range(recipe.defenses):
        name, kind = f"d{number + 1}", dice.pick(_KINDS)
        touched = dice.shuffled(actions)[: dice.within(1, 2)]
        if kind == "changes" and unchanged:
            # Two that change one action would have to exclude each other.
            action = unchanged.pop()
            yield Defense(name, changes={action.name: _worsened(action, dice)})
        elif kind == "forbids":
            yield Defense(name, forbids=[touched[0].name])
        elif kind == "raises":
            raises = {action.name: _more(action, dice) for action in touched}
            yield Defense(name, raises=raises)
        else:
            share = dice.pick(_SHARES)
            scales = {a.name: dict.fromkeys(a.labels[1:], share) for a in touched}
            yield Defense(name, scales=scales)


def random_budget(recipe: Recipe) -> Limit:
    """Return the defender's budget: as asked for, or a quarter of the defenses."""
    if recipe.defense_budget is not None:
        return recipe.defense_budget
    return Fraction(max(1, recipe.defenses // 4))


def _more(action: Action, dice: Dice) -> Amounts:
    """Raise a cost by once or twice itself."""
    times = dice.within(1, 2)
    return Amounts({resource: times * n for resource, n in action.cost.items()})


def _worsened(action: Action, dice: Dice) -> dict[str, Fraction]:
    """Leave a share of every success; all else is failure."""
    share = dice.pick(_SHARES)
    probabilities = {o.label: share * o.probability for o in action.outcomes[1:]}
    failure = 1 - sum(probabilities.values(), Fraction(0))
    return {action.labels[0]: failure, **probabilities}
