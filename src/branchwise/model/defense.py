"""Defenses: what an opponent may do beforehand to make actions harder."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from branchwise.model.action import Cost, as_cost
from branchwise.model.budget import Amounts, ByName
from branchwise.model.numbers.expression import Renewal
from branchwise.model.numbers.number import Number, exact
from branchwise.model.outcome import Outcome, Outcomes, as_outcomes
from branchwise.records import dataclass


@dataclass(frozen=True, slots=True, init=False)
class Defense:
    """
    Something an opponent may do beforehand, and what it does to actions.

    Parameters
    ----------
    name
        Unique among the defenses.
    cost
        What it takes from the defender's budget; one unit unless said otherwise.
    excludes
        The defenses that cannot be chosen together with it; it is enough that one of
        two says so.
    forbids
        The actions that can no longer be taken.
    raises
        What is added to the cost of actions, whatever clause holds.
    changes
        What replaces probabilities of actions, whatever clause holds; a label left out
        cannot happen.
    scales
        The share that is left of the probability of outcomes: what is lost goes to the
        outcomes that no chosen defense names, in proportion.

    Examples
    --------
    >>> filter = Defense("filter", cost=2, scales={"phish": {"clicked": 0.5}})
    >>> filter.touched
    ('phish',)
    """

    name: str
    cost: Fraction
    excludes: tuple[str, ...]
    forbids: tuple[str, ...]
    raises: ByName[Amounts]
    changes: ByName[tuple[Outcome, ...]]
    scales: ByName[ByName[Fraction]]

    def __init__(
        self,
        name: str,
        *,
        cost: Number = 1,
        excludes: Iterable[str] = (),
        forbids: Iterable[str] = (),
        raises: Mapping[str, Cost] | None = None,
        changes: Mapping[str, Outcomes] | None = None,
        scales: Mapping[str, Mapping[str, Number]] | None = None,
    ) -> None:
        raised = {action: as_cost(more) for action, more in (raises or {}).items()}
        changed = {action: as_outcomes(new) for action, new in (changes or {}).items()}
        shares = {
            action: ByName({label: exact(share) for label, share in left.items()})
            for action, left in (scales or {}).items()
        }
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "cost", exact(cost))
        object.__setattr__(self, "excludes", tuple(excludes))
        object.__setattr__(self, "forbids", tuple(forbids))
        object.__setattr__(self, "raises", ByName(raised))
        object.__setattr__(self, "changes", ByName(changed))
        object.__setattr__(self, "scales", ByName(shares))

    @property
    def touched(self) -> tuple[str, ...]:
        """The actions that it has an effect on, each once."""
        named = (*self.forbids, *self.raises, *self.changes, *self.scales)
        return tuple(dict.fromkeys(named))

    def is_compatible(self, other: Defense) -> bool:
        """Whether both can be chosen."""
        return other.name not in self.excludes and self.name not in other.excludes

    def paid_in(self, resource: str) -> Defense:
        """Count raises that name no resource in this one."""
        paid = ((name, more.paid_in(resource)) for name, more in self.raises.items())
        return replace(self, raises=ByName(paid))

    def renewed(self, renew: Renewal) -> Defense:
        """Return the same defense with its numbers computed again."""
        return replace(
            self,
            cost=renew(self.cost),
            raises=ByName((n, more.renewed(renew)) for n, more in self.raises.items()),
            changes=ByName(
                (name, tuple(outcome.renewed(renew) for outcome in new))
                for name, new in self.changes.items()
            ),
            scales=ByName(
                (name, ByName((label, renew(share)) for label, share in left.items()))
                for name, left in self.scales.items()
            ),
        )

    def numbers(self) -> Iterator[Fraction | int]:
        """Return every number that may come from an expression."""
        yield self.cost
        for more in self.raises.values():
            yield from more.numbers()
        for new in self.changes.values():
            for outcome in new:
                yield from outcome.numbers()
        for left in self.scales.values():
            yield from left.values()

    def among(self, actions: Collection[str], defenses: Collection[str]) -> Defense:
        """Keep what it says about these actions and defenses."""
        return Defense(
            self.name,
            cost=self.cost,
            excludes=[name for name in self.excludes if name in defenses],
            forbids=[name for name in self.forbids if name in actions],
            raises={n: more for n, more in self.raises.items() if n in actions},
            changes={n: new for n, new in self.changes.items() if n in actions},
            scales={n: left for n, left in self.scales.items() if n in actions},
        )
