"""Decision rules: a plan as people write it, what to do when."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Self

from branchwise.errors import PlanError
from branchwise.model.conditions.condition import ALWAYS, Condition
from branchwise.model.conditions.condition_text import as_condition
from branchwise.space.problem_space import PackedState, ProblemSpace
from branchwise.tree.choices.choosers import Choices, objection_to


@dataclass(frozen=True, slots=True)
class DecisionRule:
    """
    What to do where a condition holds.

    Parameters
    ----------
    when
        Where the rule counts.
    do
        The action to take there; None to stop.
    place
        Where the rule is written: ``plan.yaml:3:5 rules.1``.
    """

    when: Condition = ALWAYS
    do: str | None = None
    place: str = ""


@dataclass(frozen=True, slots=True)
class DecisionRules:
    """
    A plan written by hand: the first rule whose condition holds decides, else stop.

    After an outcome that ends everything, no rule is asked.

    Parameters
    ----------
    rules
        The rules, in the order in which they are looked at.
    skips_unavailable
        Whether a rule is passed over where its action cannot be taken. Otherwise such
        a rule is an error, so that no plan does something else than it says.

    Examples
    --------
    >>> rules = DecisionRules.of([("test=good", "drill"), ("not test", "test")])
    >>> [rule.do for rule in rules.rules]
    ['drill', 'test']
    """

    rules: tuple[DecisionRule, ...]
    skips_unavailable: bool = False

    @classmethod
    def of(
        cls,
        rules: Iterable[tuple[Condition | str, str | None]],
        *,
        skips_unavailable: bool = False,
    ) -> Self:
        """Return the rules of pairs: a condition, and the action to take or None."""
        made = (
            DecisionRule(as_condition(when), do, f"rule {number}")
            for number, (when, do) in enumerate(rules, 1)
        )
        return cls(tuple(made), skips_unavailable)


class RulesChooser:
    """Does what decision rules say, each state once."""

    start = None

    def __init__(self, space: ProblemSpace, rules: DecisionRules) -> None:
        self._space = space
        self._rules = rules
        self._known: dict[PackedState, Choices] = {}

    def choices(self, mind: Hashable, state: PackedState) -> Choices:  # noqa: ARG002
        """Follow the first rule that holds."""
        known = self._known.get(state)
        if known is None:
            known = self._known[state] = ((1.0, self._chosen(state)),)
        return known

    def after(self, mind: Hashable, action: str, outcome: str) -> Hashable:  # noqa: ARG002
        """Keep nothing in mind: what has happened is part of the state."""
        return None

    def _chosen(self, state: PackedState) -> str | None:
        known = self._space.describe(state)
        # After an ending no rule is asked: people write what to do while they can.
        rules = () if known.ended else self._rules.rules
        for rule in rules:
            if not rule.when.holds(known.facts):
                continue
            if rule.do is None or self._space.action(state, rule.do) is not None:
                return rule.do
            if not self._rules.skips_unavailable:
                raise self._refusal(rule, state)
        return None

    def _refusal(self, rule: DecisionRule, state: PackedState) -> PlanError:
        why = objection_to(self._space, state, str(rule.do))
        what = f"`{rule.do}` cannot be taken where the rule says so"
        others = [f"`{each.name}`" for each in self._space.actions(state)]
        can = "nothing can be done there, so let it stop"
        if others:
            can = f"what can be done there is {', '.join(others)}"
        fix = "narrow its `when`, or write `unavailable: skip` to pass such rules over"
        place = f"{self._space.describe(state)} ({why})"
        return PlanError(f"{rule.place}: {what}: {place}\n    fix: {fix}; {can}")
