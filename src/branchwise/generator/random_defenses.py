"""Random defenses for a random problem."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from branchwise.generator.dice import Dice
from branchwise.generator.recipe import Recipe
from branchwise.model.action import Action
from branchwise.model.budget import Amounts, Limit
from branchwise.model.defense import Defense

_KINDS: Final = ("forbids", "raises", "scales", "changes")
_SHARES: Final = tuple(Fraction(share, 4) for share in (1, 2, 3))


def random_defenses(
    recipe: Recipe, actions: Sequence[Action], dice: Dice
) -> Iterator[Defense]:
    """
    Draw as many defenses as asked for, each of one kind and for one unit.

    What they leave of an action fails more often, so that all of them hurt.

    Parameters
    ----------
    recipe
        How many there are to be.
    actions
        What they may touch; the first outcome of each is its failure.
    dice
        What decides.
    """
    unchanged = dice.shuffled(actions)
    for number in range(recipe.defenses):
        kind = dice.pick(_KINDS)
        touched = dice.shuffled(actions)[: dice.within(1, 2)]
        if kind == "changes" and unchanged:
            # Two that change one action would have to exclude each other.
            yield Defense(
                _name(number), changes=dict([_changed(unchanged.pop(), dice)])
            )
        elif kind == "forbids":
            yield Defense(_name(number), forbids=[touched[0].name])
        elif kind == "raises":
            raises = {action.name: _more(action, dice) for action in touched}
            yield Defense(_name(number), raises=raises)
        else:
            share = dice.pick(_SHARES)
            scales = {a.name: dict.fromkeys(a.labels[1:], share) for a in touched}
            yield Defense(_name(number), scales=scales)


def random_budget(recipe: Recipe) -> Limit:
    """Return the defender's budget: as asked for, or a quarter of the defenses."""
    if recipe.defense_budget is not None:
        return recipe.defense_budget
    return Fraction(max(1, recipe.defenses // 4))


def _name(number: int) -> str:
    return f"d{number + 1}"


def _more(action: Action, dice: Dice) -> Amounts:
    """Raise a cost by once or twice itself."""
    times = dice.within(1, 2)
    return Amounts({resource: times * n for resource, n in action.cost.items()})


def _changed(action: Action, dice: Dice) -> tuple[str, dict[str, Fraction]]:
    """Leave a share of every success; all else is failure."""
    share = dice.pick(_SHARES)
    probabilities = {o.label: share * o.probability for o in action.outcomes[1:]}
    failure = action.labels[0]
    return action.name, {
        failure: 1 - sum(probabilities.values(), Fraction(0)),
        **probabilities,
    }
