"""Random dependency graphs: which actions need which outcomes, layer by layer."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from branchwise.generator.dice import Dice
from branchwise.generator.recipe import Recipe
from branchwise.generator.witness import Event, Needs, Witness, Witnesses

_SKIPS: Final = 0.25
"""How often a prerequisite comes from any earlier layer, not from the one before."""

_MORE_BUDGET: Final = "raise the budget, or ask for fewer layers or lower costs"


class UnluckyError(Exception):
    """What was drawn makes no good problem: what is wrong, and what would help."""

    def __init__(self, what: str, fix: str) -> None:
        super().__init__(what, fix)
        self.what, self.fix = what, fix


@dataclass(slots=True)
class DependencyGraph:
    """A graph in the making: actions by number, layer after layer."""

    recipe: Recipe
    draw: int  # How many graphs were drawn and thrown away before.
    layers: list[list[int]] = field(init=False)
    num_outcomes: list[int] = field(init=False)
    prices: list[tuple[int, ...]] = field(init=False)
    needs: list[Needs] = field(init=False, default_factory=list)
    rewards: list[Needs] = field(init=False, default_factory=list)
    witnesses: Witnesses = field(init=False)

    def __post_init__(self) -> None:
        recipe = self.recipe
        numbers = range(recipe.actions)
        outcomes, costs = self.dice("outcomes"), self.dice("cost")
        low, high = map(int, recipe.outcomes)
        self.num_outcomes = [outcomes.within(low, high) for _ in numbers]
        self.prices = [self._price(costs) for _ in numbers]
        limit = recipe.budget * self.scale
        whole = math.floor(limit) if isinstance(limit, Fraction) else limit
        self.witnesses = Witnesses([whole] * recipe.resources)
        self._grow()

    def dice(self, aspect: str) -> Dice:
        """Give each aspect dice of its own, so that a knob changes no other aspect."""
        return Dice(self.recipe.seed, self.draw, aspect)

    @property
    def scale(self) -> int:
        """How many units of price make one of cost: those of the ends' decimals."""
        return math.lcm(*(end.denominator for end in self.recipe.cost))

    def smallest(self, reward: int = -1) -> list[Witness]:
        """Return some rewarding sets of a reward, the cheapest first."""
        return self.witnesses.smallest(self.rewards[reward])

    def _price(self, dice: Dice) -> tuple[int, ...]:
        low, high = (int(end * self.scale) for end in self.recipe.cost)
        resources = range(self.recipe.resources)
        paid = [r for r in resources if dice.comes_true(0.5)] or [dice.pick(resources)]
        price = [dice.within(low, high) for _ in resources]
        return tuple(p if r in paid else 0 for r, p in enumerate(price))

    def _grow(self) -> None:
        dice = self.dice("graph")
        self.layers = self._layers(dice)
        for before, layer in zip([[], *self.layers], self.layers, strict=False):
            deck = dice.shuffled(before)
            for start, action in enumerate(layer):
                # All of the layer before are dealt out, so that none remains unused.
                needs = self._draw_needs(dice, before, deck[start :: len(layer)])
                self._attach(action, needs, before)
        for number in range(1, self.recipe.rewards):
            height = (len(self.layers) - 1) * number // self.recipe.rewards
            layer = dice.shuffled(self.layers[max(1, height)])
            self._reward(dice, layer[: self._count(dice)])
        self._reward(dice, self.layers[-1])

    def _layers(self, dice: Dice) -> list[list[int]]:
        """Share the actions out, so that each layer can need all of the one before."""
        most = self.recipe.most_needs
        sizes = [2] + [1] * (self.recipe.depth - 1)
        for _ in range(self.recipe.actions - sum(sizes)):
            after = [*sizes[1:], 1]
            open_layers = [i for i, n in enumerate(sizes) if n < most * after[i]]
            sizes[dice.pick(open_layers)] += 1
        numbers = iter(range(self.recipe.actions))
        return [[next(numbers) for _ in range(size)] for size in sizes]

    def _count(self, dice: Dice) -> int:
        return dice.within(*map(int, self.recipe.prerequisites))

    def _draw_needs(self, dice: Dice, before: list[int], hand: list[int]) -> Needs:
        """Draw more prerequisites, mostly from the layer before."""
        count, is_or = self._count(dice), self._is_or(dice)
        if not before:
            return Needs()
        chosen = list(hand) or [dice.pick(before)]
        everything = range(before[-1] + 1)
        # Any one of an earlier layer would be a short cut past the layers between.
        skips = 0 if is_or else _SKIPS
        while len(chosen) < min(count, len(before)):
            pool = everything if dice.comes_true(skips) else before
            chosen.append(dice.pick([each for each in pool if each not in chosen]))
        return self._needs_of(dice, chosen, is_or=is_or)

    def _is_or(self, dice: Dice) -> bool:
        return dice.comes_true(float(self.recipe.or_share))

    def _needs_of(self, dice: Dice, chosen: Sequence[int], *, is_or: bool) -> Needs:
        events = [
            Event(action, dice.within(1, self.num_outcomes[action] - 1))
            for action in sorted(chosen)
        ]
        return Needs(tuple(events), is_or and len(events) > 1)

    def _attach(self, action: int, needs: Needs, before: Sequence[int]) -> None:
        """Add an action; where all it needs is too much, one of it will do."""
        if not self.witnesses.add(needs, self.prices[action]):
            self.witnesses.forget()
            events = tuple(event for event in needs.events if event.action in before)
            needs = Needs(events, is_or=len(events) > 1)
            if not self.witnesses.add(needs, self.prices[action]):
                raise UnluckyError("an action cannot be afforded", _MORE_BUDGET)
        self.needs.append(needs)

    def _reward(self, dice: Dice, chosen: Sequence[int]) -> None:
        """Add a reward; where all it needs is too much, one of it will do."""
        needs = self._needs_of(dice, chosen, is_or=self._is_or(dice))
        if not self.witnesses.of(needs):
            needs = needs._replace(is_or=len(needs.events) > 1)
        if not self.witnesses.of(needs):
            raise UnluckyError("a reward cannot be afforded", _MORE_BUDGET)
        if any(lower.imply(needs) for lower in self.rewards):
            what = "a lower reward always comes with a higher one"
            raise UnluckyError(what, "ask for fewer rewards, or for more layers")
        self.rewards.append(needs)
