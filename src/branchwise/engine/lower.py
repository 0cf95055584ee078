"""Lowering: a problem in numbers, as the C++ engines want it."""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction

import branchwise._core as core
from branchwise.engine.hidden_groups import Signals, Telling
from branchwise.engine.payments import Payment, adds_up, gate, payments
from branchwise.engine.quantities import MOST_UNITS, Quantities, thresholds_of
from branchwise.engine.running_out import attempt_bounds, most_moved
from branchwise.errors import LimitError
from branchwise.model.action import Action, Given
from branchwise.model.budget import Amounts
from branchwise.model.conditions.condition import (
    ALWAYS,
    NEVER,
    AllOf,
    AnyOf,
    AtLeast,
    Attempted,
    Comparison,
    Condition,
    Happened,
    Not,
    Quantity,
    joined_at_least,
)
from branchwise.model.conditions.quantity import CounterValue, Left
from branchwise.model.outcome import Outcome
from branchwise.model.problem import Problem
from branchwise.model.spread import possible_labels, spread_of
from branchwise.space.packed import most_attempts
from branchwise.space.problem_space import clauses
from branchwise.tree.choices.objectives import checked_objective


def scales_of(problem: Problem, *, every_resource: bool) -> dict[str, int]:
    """Find, for each resource that can run out, how many units make one of it."""
    # A budget that pays for everything at once never binds, and may be left out. A
    # `LimitError` says that the costs are too fine for the budget to be counted in 64
    # bits.
    scales = {}
    for resource, limit in problem.budget.items():
        if not isinstance(limit, Fraction):
            continue
        if not every_resource and _pays_for_all(problem, resource, limit):
            continue
        every = [cost for action in problem.actions for cost in action.every_cost()]
        costs = [cost.of(resource).as_integer_ratio() for cost in every]
        had, of_it = limit.as_integer_ratio()
        # As whole numbers, which takes a fifth of the time that fractions take.
        affordable = {part for whole, part in costs if whole * of_it <= had * part}
        scale = math.lcm(*affordable)
        if limit * scale >= MOST_UNITS:
            raise LimitError(
                f"the costs of {resource} are too fine to be counted in 64 bits, "
                "which only the engine `reference` does not do"
            )
        scales[resource] = scale
    return scales


def _pays_for_all(problem: Problem, resource: str, limit: Fraction) -> bool:
    total = Fraction(0)
    for action in problem.actions:
        dearest = max(cost.of(resource) for cost in action.costs())
        dearest += max(outcome.cost.of(resource) for outcome in action.outcomes)
        if dearest:
            total += dearest * most_attempts(problem, action)
        if total > limit:
            return False
    return True


def is_narrower(problem: Problem, wider: Problem) -> bool:
    """
    Whether a problem is another one in which at most less can happen.

    Probabilities and cost weights may differ, outcomes may have become impossible, and
    actions may require what never holds; the budget is not looked at.

    Examples
    --------
    >>> toss = Action("toss", outcomes={"heads": 0.5, "tails": 0.5})
    >>> trick = Action("toss", outcomes={"heads": 1, "tails": 0})
    >>> is_narrower(Problem([trick]), Problem([toss]))
    True
    >>> is_narrower(Problem([toss]), Problem([trick]))
    False
    """
    return (
        problem.rewards == wider.rewards
        and problem.combine == wider.combine
        and _is_held_alike(problem, wider)
        and len(problem.actions) == len(wider.actions)
        and all(map(_is_narrower, problem.actions, wider.actions))
    )


def _is_narrower(action: Action, wider: Action) -> bool:
    if action is wider:
        return True
    return (
        (action.requires in {NEVER, wider.requires})
        and action.name == wider.name
        and action.cost == wider.cost
        and action.precluded_by == wider.precluded_by
        and action.attempts == wider.attempts
        and _has_same_outcomes(action, wider)
        and _is_within(action.outcomes, wider.outcomes)
        and [(clause.when, clause.cost) for clause in action.given]
        == [(clause.when, clause.cost) for clause in wider.given]
        and all(
            _is_within(clause.outcomes, other.outcomes)
            for clause, other in zip(action.given, wider.given, strict=True)
        )
    )


def _is_held_alike(problem: Problem, other: Problem) -> bool:
    """Whether the states of two problems hold the same besides outcomes."""
    has_same_charges = problem.charge_weight == other.charge_weight or not any(
        outcome.cost for action in problem.actions for outcome in action.outcomes
    )
    ends_alike = (problem.finish, problem.objective, problem.unfinished) == (
        other.finish,
        other.objective,
        other.unfinished,
    )
    # What is known decides probabilities, which are kept with the states.
    knows_same = not (problem.hidden or other.hidden) or (
        problem.hidden == other.hidden and problem.actions == other.actions
    )
    return (
        problem.counters == other.counters
        and has_same_charges
        and ends_alike
        and knows_same
    )


def _has_same_outcomes(action: Action, other: Action) -> bool:
    """Whether what outcomes do is the same, however likely they are."""
    return _consequences(action) == _consequences(other)


def _consequences(action: Action) -> tuple[object, ...]:
    return (
        action.effects,
        *((o.label, o.effects, o.cost, o.ends) for o in action.outcomes),
    )


def _is_within(
    outcomes: tuple[Outcome, ...] | None, wider: tuple[Outcome, ...] | None
) -> bool:
    if outcomes is None or wider is None:
        return outcomes is wider
    possible = {outcome.label for outcome in wider if outcome.probability}
    return all(o.label in possible for o in outcomes if o.probability)


def core_objective(prefer: str) -> core.Objective:
    """
    Return the objective of the core that has this name.

    Examples
    --------
    >>> core_objective("least-depth").name
    'LEAST_DEPTH'
    """
    return core.Objective[checked_objective(prefer).replace("-", "_").upper()]


# Of a condition, from how many parts on it is not to be numbered again.
_LARGE = 8

# So little that it vanishes beside any other probability.
_NEXT_TO_NOTHING = 2.0**-900

_Spread = tuple[list[float], list[float], float]

_Effects = list[list[tuple[int, int]]]

Look = Callable[[], object]
"""Called again and again while a problem is lowered; what it raises ends that."""

LoweredVariant = tuple[
    int, list[int], float, float, list[float], _Spread | None, _Effects
]
"""A clause: condition, price, cost, charge, probabilities, their bounds, effects."""


class Lowered:
    """A valid problem in numbers."""

    # With `every_resource`, what is left of each finite resource is counted even where
    # it never runs out: the paper's states differ in it. With an adversary, actions
    # have their spreads: what no nominal probabilities but others let happen is
    # possible then. A `LimitError` says that the costs are too fine for 64 bits. `look`
    # is called for every action, twice, and may raise.

    def __init__(
        self,
        problem: Problem,
        *,
        every_resource: bool = False,
        has_adversary: bool = False,
        look: Look = lambda: None,
    ) -> None:
        self.problem = problem
        self._has_adversary = has_adversary
        self.scales = scales_of(problem, every_resource=every_resource)
        # By the identity of a condition, which lives as long as it is kept here.
        self._known: dict[int, tuple[Condition, int]] = {}
        self._action_ids = {a.name: i for i, a in enumerate(problem.actions)}
        self.outcome_ids = {event: i for i, event in enumerate(problem.events())}
        budget = [int(problem.budget[r] * scale) for r, scale in self.scales.items()]
        self._budget = dict(zip(self.scales, budget, strict=True))
        self.instance = core.Instance(budget, adds_up(problem))
        self._quantities = Quantities(problem, _conditions(problem, look))
        for _, size, start, _ in self._quantities.ranges.values():
            self.instance.add_counter(size, start)
        self._signals = Signals(problem, len(self._quantities.ranges))
        self._add_hidden()
        self._paid_on_the_way = {
            number: payment
            for number, payment in enumerate(payments(problem))
            if payment.per is not None
        }
        for payment in self._paid_on_the_way.values():
            self.instance.add_most_paid(self._most_paid(payment))
        for action in problem.actions:
            look()
            self._add_action(action)
        for payment in payments(problem):
            self._add_payment(payment)
        if problem.finish is not None:
            self._add_finish(problem.finish)

    def _add_finish(self, finish: Condition) -> None:
        """Let one stop only where it is finished, or where nothing can be done."""
        moves = [self.instance.again(each) for each in self._action_ids.values()]
        may_get_stuck = not self.problem.is_least_cost or (
            self.problem.unfinished is not None
        )
        self.instance.must_finish(self.condition(finish), moves, may_get_stuck)

    def _add_hidden(self) -> None:
        """Add groups of hidden facts, and a counter for each signal."""
        for number, group in enumerate(self._signals.groups.groups):
            weights = [_real(each.probability) for each in group.assignments]
            telling = self._signals.informers(number)
            again = [self.instance.again(self._action_ids[name]) for name in telling]
            self.instance.add_group(weights, again)
        for (number, signal), size in self._signals.sizes.items():
            self.instance.add_signal(size, number, list(map(_real, signal)))

    def _add_payment(self, payment: Payment) -> None:
        when, value = self.condition(payment.when), float(payment.value)
        if payment.group is None:
            self.instance.add_reward(when, value)
        else:
            given = list(map(float, payment.given))
            self.instance.add_hidden_reward(when, value, payment.group, given)

    @property
    def budget(self) -> list[int]:
        """The budget in units, for each resource that can run out."""
        return list(self._budget.values())

    def units_of(
        self, problem: Problem, *, has_adversary: bool = False
    ) -> list[int] | None:
        """Count the budget of another problem in the same units."""
        # None if it differs in more than its probabilities and their spreads, its cost
        # weights and a smaller budget: then it does not have the same states.
        ours = self.problem
        is_alike = (
            [(reward.when, reward.value, reward.per) for reward in problem.rewards]
            == [(reward.when, reward.value, reward.per) for reward in ours.rewards]
            and problem.combine == ours.combine
            and _is_held_alike(problem, ours)
            and len(problem.actions) == len(ours.actions)
            and all(
                self._is_alike(own, other, has_adversary=has_adversary)
                for own, other in zip(ours.actions, problem.actions, strict=True)
            )
        )
        return self._smaller_budget(problem) if is_alike else None

    def units_within(self, problem: Problem) -> list[int] | None:
        """Count the budget of a narrower problem; None if it is not narrower."""
        # An adversary's states have children that nominal probabilities rule out. Where
        # one must finish, what can be done must be done, so that nothing may be left in
        # that is only charged too much for.
        may_stop = problem.finish is None
        is_inside = (
            may_stop and not self._has_adversary and is_narrower(problem, self.problem)
        )
        return self._smaller_budget(problem) if is_inside else None

    def _smaller_budget(self, problem: Problem) -> list[int] | None:
        ours = self.problem.budget
        if list(ours) != list(problem.budget):
            return None
        compared = self._quantities.ranges
        if any(Left(r) in compared and ours[r] != problem.budget[r] for r in ours):
            return None
        for resource, limit in problem.budget.items():
            is_counted = resource in self.scales
            if limit > ours[resource] or (limit != ours[resource] and not is_counted):
                return None
        return [int(problem.budget[r] * scale) for r, scale in self.scales.items()]

    def _is_alike(self, own: Action, other: Action, *, has_adversary: bool) -> bool:
        if own is other and has_adversary == self._has_adversary:
            return True
        ours = _skeleton(own, has_adversary=self._has_adversary)
        return ours == _skeleton(other, has_adversary=has_adversary)

    def _add_action(self, action: Action) -> None:
        self.instance.add_action(
            min(most_attempts(self.problem, action), MOST_UNITS),
            self.condition(gate(self.problem, action)),
            self.variants(action, action),
        )
        self._add_attempt_bounds(action)
        self._add_payments(action)
        telling = self._signals.telling.get(action.name)
        if telling is not None:
            self.instance.add_likelihoods(
                telling.group,
                [
                    [list(map(_real, each)) for each in terms.likelihoods]
                    for terms in telling.terms
                ],
            )
        extra = [outcome.cost for outcome in action.outcomes]
        if any(extra):
            charge = self.problem.charge_weight.times
            self.instance.add_outcome_costs(
                [self._price(cost) for cost in extra],
                [_real(cost.total()) for cost in extra],
                [_real(charge(cost)) for cost in extra],
            )

    def _add_attempt_bounds(self, action: Action) -> None:
        ranges, numbers = self._quantities.ranges, self._quantities.numbers
        for bound in attempt_bounds(self.problem, action):
            quantity = CounterValue(bound.counter)
            threshold = bound.threshold - ranges[quantity].low
            self.instance.add_attempt_bound(
                numbers[quantity], threshold, bound.step, bound.is_falling
            )

    def _most_paid(self, payment: Payment) -> float:
        """Return what steps up may pay in the end; those down only take back."""
        assert payment.per is not None
        # By how far attempts can move it, and not by how wide its range is: what is
        # tied, and how far floats round, goes by how much there may be to pay.
        moved = sum(most_moved(self.problem, payment.per, sign) for sign in (1, -1))
        return moved * abs(float(payment.value)) if payment.sign > 0 else 0.0

    def _add_payments(self, action: Action) -> None:
        """Let outcomes pay what is paid for each step of a counter."""
        paid = [
            [
                number
                for number, payment in self._paid_on_the_way.items()
                for _ in range(payment.times(action, outcome))
            ]
            for outcome in range(len(action.outcomes))
        ]
        if any(paid):
            values = {n: each.value for n, each in self._paid_on_the_way.items()}
            is_worth_it = any(values[n] > 0 for found in paid for n in found)
            number = self._action_ids[action.name]
            again = [self.instance.again(number)] if is_worth_it else []
            self.instance.add_payments(paid, again)

    def variants(
        self,
        action: Action,
        wider: Action,
        *,
        weights: Amounts | None = None,
        has_adversary: bool | None = None,
    ) -> list[LoweredVariant]:
        """Return the probabilities and costs of an action, by its clauses."""
        # `wider` is the same action as it was lowered, see `is_narrower`. What only the
        # first one rules out is next to impossible, or costs more than there is to
        # earn, so the scores are its own all the same; trees are not, for they would
        # show what cannot happen.
        telling = self._signals.telling.get(action.name)
        if telling is not None:
            return self._told_variants(action, telling, weights)
        ban = _ban(self.problem) if action.requires != wider.requires else 0.0
        charged = self.problem.charge_weight if weights is None else weights
        faced = self._has_adversary if has_adversary is None else has_adversary
        found = []
        pairs = zip(clauses(action), clauses(wider), strict=True)
        for (clause, cost, outcomes), (_, _, possible) in pairs:
            variant = (
                self.condition(clause.when),
                self._price(cost),
                _real(cost.total()),
                _real(charged.times(cost)) + ban,
                _probabilities(action.labels, outcomes, possible),
                _spread(action, clause) if faced else None,
                self._quantities.effects(action, cost),
            )
            found.append(variant)
        return found

    def _told_variants(
        self, action: Action, telling: Telling, weights: Amounts | None
    ) -> list[LoweredVariant]:
        """Return the same of an action whose outcomes depend on hidden facts."""
        charged = self.problem.charge_weight if weights is None else weights
        group = self._signals.groups.groups[telling.group]
        found: list[LoweredVariant] = []
        for terms in telling.terms:
            given = None if terms.clause is None else action.given[terms.clause]
            cost, _ = action.under(given)
            signals = self._signals.effects(telling.group, terms)
            changes = self._quantities.effects(action, cost) or [[] for _ in signals]
            effects = [more + told for more, told in zip(changes, signals, strict=True)]
            variant = (
                self.condition(terms.when),
                self._price(cost),
                _real(cost.total()),
                _real(charged.times(cost)),
                list(map(_real, terms.chances(group))),
                None,
                effects,
            )
            found.append(variant)
        return found

    def _price(self, cost: Amounts) -> list[int]:
        """Count a cost in units; one that is never affordable need not be exact."""
        prices = []
        for resource, scale in self.scales.items():
            whole, part = cost.of(resource).as_integer_ratio()
            # Rounding down could make affordable what is not.
            prices.append(min(-(-whole * scale // part), self._budget[resource] + 1))
        return prices

    def condition(self, condition: Condition) -> int:
        """Number a condition as the core does."""
        # A large one may be shared by all actions.
        several = condition.parts() if isinstance(condition, AllOf | AnyOf) else ()
        if len(several) < _LARGE:
            return self._numbered(condition)
        known = self._known.get(id(condition))
        if known is None:
            known = condition, self._numbered(condition)
            self._known[id(condition)] = known
        return known[1]

    def _numbered(self, condition: Condition) -> int:
        match condition:
            case Happened():
                return self.instance.happened(self.outcome_ids[condition])
            case Attempted(action):
                return self.instance.attempted(self._action_ids[action])
            case AllOf(parts):
                return self.instance.all([self.condition(part) for part in parts])
            case AnyOf(parts):
                return self.instance.any([self.condition(part) for part in parts])
            case AtLeast(parts, count):
                inside = [self.condition(part) for part in parts]
                joins = self.instance.all, self.instance.any
                return joined_at_least(count, inside, *joins)
            case Not(inner):
                return self.instance.negation(self.condition(inner))
            case Comparison():
                return self._comparison(condition)
        raise TypeError(f"not a condition: {condition!r}")

    def _comparison(self, condition: Comparison) -> int:
        quantity = condition.quantity
        if quantity not in self._quantities.ranges:
            # More is left of what is unlimited than any number.
            return self.condition(ALWAYS if condition.sign in {">=", ">"} else NEVER)
        scale = self._quantities.ranges[quantity].scale
        asked = thresholds_of(condition, scale)
        if asked is None:
            return self.condition(NEVER)
        parts = []
        if asked.least is not None:
            parts.append(self._at_least(quantity, asked.least))
        if asked.above is not None:
            above = self._at_least(quantity, asked.above)
            parts.append(self.instance.negation(above))
        return self.instance.all(parts)

    def _at_least(self, quantity: Quantity, number: int) -> int:
        low, size, _, _ = self._quantities.ranges[quantity]
        if not low < number <= low + size:
            return self.condition(ALWAYS if number <= low else NEVER)
        again, negation = self.instance.again, self.instance.negation
        raising, lowering = self._quantities.changers(quantity)
        inside = [again(action) for action in raising]
        inside += [negation(again(action)) for action in lowering]
        counter = self._quantities.numbers[quantity]
        return self.instance.at_least(counter, number - low, inside)


def _conditions(problem: Problem, look: Look) -> Iterator[Condition]:
    """Return all conditions of a problem, as they are lowered."""
    for action in problem.actions:
        look()
        yield gate(problem, action)
        yield from (clause.when for clause in action.given)
    yield from (payment.when for payment in payments(problem))
    if problem.finish is not None:
        yield problem.finish


def _real(number: Fraction) -> float:
    """Return the nearest float, in half the time that `float` takes."""
    whole, part = number.as_integer_ratio()
    return whole / part


def _probabilities(
    labels: tuple[str, ...], outcomes: tuple[Outcome, ...], wider: tuple[Outcome, ...]
) -> list[float]:
    found = {o.label: _real(o.probability) for o in outcomes if o.probability}
    if wider is not outcomes:
        found = {o.label: _NEXT_TO_NOTHING for o in wider if o.probability} | found
    return [found.get(label, 0.0) for label in labels]


def _spread(action: Action, clause: Given) -> _Spread | None:
    spread = spread_of(action, clause)
    if spread.is_exact:
        return None
    lows, highs = (list(map(float, each)) for each in (spread.low, spread.high))
    return lows, highs, float(spread.distance)


def _skeleton(action: Action, *, has_adversary: bool) -> tuple[object, ...]:
    """Return all that two actions of problems with the same states have in common."""
    return (
        action.name,
        dict(action.cost),  # Whatever it lies between.
        action.requires,
        action.precluded_by,
        action.attempts,
        _consequences(action),
        _possible(action, None, has_adversary=has_adversary),
        tuple(
            (
                g.when,
                None if g.cost is None else dict(g.cost),
                _possible(action, g, has_adversary=has_adversary),
            )
            for g in action.given
        ),
    )


def _possible(
    action: Action, clause: Given | None, *, has_adversary: bool
) -> frozenset[str]:
    if has_adversary:
        return possible_labels(action, clause)
    own = None if clause is None else clause.outcomes
    outcomes = action.outcomes if own is None else own
    return frozenset(o.label for o in outcomes if o.probability > 0)


def _ban(problem: Problem) -> float:
    """Return a charge that nothing there is to earn makes up for."""
    return 1.0 + 2.0 * sum(abs(float(reward.value)) for reward in problem.rewards)
