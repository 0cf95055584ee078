"""Criticality: what each action, prerequisite and preclusion means to the value."""

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, Unpack

from branchwise.analysis.critical_actions.lifting import Kind, lift_gains, lifts
from branchwise.analysis.lots import certain, with_outcomes
from branchwise.analysis.options import AnalysisOptions
from branchwise.analysis.table import Table, Tabular, find
from branchwise.analysis.what_if import WhatIfLimits, WhatIfs
from branchwise.engine.plan_curve import PlanCurve
from branchwise.errors import PlanError
from branchwise.model.action import Action
from branchwise.model.conditions.condition import NEVER
from branchwise.model.problem import Problem
from branchwise.space.state_space import Real
from branchwise.tree.choices.policy import children_first
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.evaluate import evaluate


class Flow(NamedTuple):
    """What goes through an action when a plan is carried out."""

    probability: Real  # how likely the plan takes it at all
    num_uses: Real  # how often it takes it, on average
    # What is earned on the ways that take it: the reward of each ending, times how
    # likely it is. Weighted cost is left out.
    reward: Real


_UNUSED: Final = Flow(0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class ActionCriticality:
    """
    What an action means to the value of the best plan.

    Each number compares optimal plans: after the change, one plans anew. Where a plan
    is kept instead, since it is not proven optimal, it compares what that is worth.

    Parameters
    ----------
    action
        Its name.
    loss_removed
        What is lost where it cannot be taken; None where a plan is kept, as that does
        not say what to do instead, and where it is needed to finish.
    loss_failing
        What is lost where it always fails: always comes out as is worst for the value.
        Below zero where even that would be better than chance.
    worst_outcome
        The outcome that is; None, like the loss and the gain, where a plan that is kept
        does not say how to go on. The loss is None as well where it keeps every plan
        from being sure to finish.
    gain_certain
        What is gained where it always succeeds: always comes out as is best.
    best_outcome
        The outcome that is.
    probability_used, num_uses
        How likely the plan takes it at all, and how often on average.
    reward_through
        What is earned on the ways that take it: the reward of each ending, times how
        likely it is.
    is_needed
        Whether no plan is sure to finish without it.
    """

    action: str
    loss_removed: float | None
    loss_failing: float | None
    worst_outcome: str | None
    gain_certain: float | None
    best_outcome: str | None
    probability_used: float
    num_uses: float
    reward_through: float
    is_needed: bool = False


@dataclass(frozen=True, slots=True)
class LiftedCondition:
    """
    What it is worth to lift a prerequisite or a preclusion.

    Parameters
    ----------
    action
        What it stands in the way of.
    kind
        ``requires`` or ``precluded_by``.
    condition
        What is lifted, as text: all of it, or one fact in it.
    is_whole
        Whether it is all of it.
    gain, gain_at_most
        How much more the best plan is worth without it, at least and at most. The two
        differ where that takes more states than were allowed, or more time.
    """

    action: str
    kind: Kind
    condition: str
    is_whole: bool
    gain: float
    gain_at_most: float

    @property
    def is_proven(self) -> bool:
        """Whether the gain is known exactly."""
        return self.gain == self.gain_at_most


@dataclass(frozen=True, slots=True)
class Criticality(Tabular):
    """
    What matters in a problem, ranked.

    Parameters
    ----------
    expected_reward
        What the best plan is worth as things are.
    actions
        Every action, by falling loss where it cannot be taken, then by falling gain
        where it is certain.
    conditions
        Every prerequisite and preclusion, by falling gain where it is lifted; those
        of which nothing is known but that no more can be gained come last. None where
        a plan is kept.
    is_plan_kept
        Whether the plan in hand, which is not proven optimal, is kept after each
        change; actions are then ranked by what is lost where they fail.
    """

    expected_reward: float
    actions: tuple[ActionCriticality, ...]
    conditions: tuple[LiftedCondition, ...]
    is_plan_kept: bool = False

    def action(self, name: str) -> ActionCriticality:
        """Return what an action means."""
        return find(self.actions, "action", name)

    def tables(self) -> tuple[Table, ...]:
        """Return the rows: of actions, and of conditions."""
        return (
            Table.of_records("actions", ActionCriticality, self.actions),
            Table.of_records("conditions", LiftedCondition, self.conditions),
        )


def criticality(problem: Problem, **limits: Unpack[WhatIfLimits]) -> Criticality:
    """
    Work out what each action, prerequisite and preclusion means to the value.

    Parameters
    ----------
    problem
        What to look into.
    limits
        How long it may take, and on how many threads; see `WhatIfs`.

    Examples
    --------
    >>> from branchwise import Reward
    >>> scan = Action("scan", outcomes={"open": 0.5, "shut": 0.5})
    >>> enter = Action("enter", outcomes={"ok": 0.8, "no": 0.2}, requires=scan["open"])
    >>> problem = Problem([scan, enter], [Reward(enter["ok"], 10)], budget=2)
    >>> found = criticality(problem)
    >>> found.action("scan").loss_removed, found.action("scan").gain_certain
    (4.0, 4.0)
    >>> found.conditions[0].condition, found.conditions[0].gain
    ('scan=open', 4.0)
    """
    return criticality_section(WhatIfs(problem, **limits), AnalysisOptions())


def criticality_section(what_ifs: WhatIfs, options: AnalysisOptions) -> Criticality:
    """Work criticality out with what-ifs that are at hand."""
    if not what_ifs.is_proven:
        return _kept(what_ifs)
    problem, tree = what_ifs.problem, what_ifs.solution.tree
    through = flows(tree)
    # Without an action that the plan does not take, the plan is as good as it was.
    removed = {
        action.name: problem.with_action(replace(action, requires=NEVER))
        for action in problem.actions
        if action.name in through
    }
    fixed = [
        (action, label, always(problem, action, label))
        for action in problem.actions
        for label in _possible(action)
    ]
    lifted = list(lifts(problem))
    # Without an action no plan may be sure to finish: then nothing is worse.
    gains = iter(_gains(what_ifs, [*removed.values(), *(p for *_, p in fixed)]))
    losses = {name: 0.0 - next(gains) for name in removed}
    sure: dict[str, dict[str, float]] = {action.name: {} for action in problem.actions}
    for action, label, _ in fixed:
        sure[action.name][label] = next(gains)
    weights = {name: float(flow.reward) for name, flow in through.items()}
    lifting = lift_gains(what_ifs, lifted, weights, options.most_states)
    conditions = [
        LiftedCondition(e.action, e.kind, str(e.condition), e.is_whole, *gain)
        for e, gain in zip(lifted, lifting, strict=True)
    ]
    found = criticality_of(what_ifs.expected_reward, losses, sure, through)
    ranked = sorted(conditions, key=lambda c: (-c.gain, not c.is_whole))
    return replace(found, conditions=tuple(ranked))


def _gains(what_ifs: WhatIfs, problems: Iterable[Problem]) -> list[float]:
    """Return what variations gain; without end below where a plan may get stuck."""
    values = what_ifs.values_or_stuck(problems)
    return [-math.inf if v is None else what_ifs.gain(v) for v in values]


def criticality_of(
    expected_reward: float,
    losses: Mapping[str, float],
    sure: Mapping[str, Mapping[str, float]],
    through: Mapping[str, Flow],
) -> Criticality:
    """
    Rank actions by what is lost without them, and what is gained where they are sure.

    Every action is in ``sure``, with what each of its outcomes gains if it is certain;
    only those that the plan takes need be in the others.
    """
    actions = [
        _action(name, losses.get(name, 0.0), gains, through.get(name, _UNUSED))
        for name, gains in sure.items()
    ]
    return Criticality(expected_reward, tuple(sorted(actions, key=_rank)), ())


def _kept(what_ifs: WhatIfs) -> Criticality:
    """Work out what each action means to the plan in hand, which is kept."""
    problem, solution = what_ifs.problem, what_ifs.solution
    through, worth = flows(solution.tree), _worth_of_plan(problem, solution.tree)
    actions = []
    for action in problem.actions:
        what_ifs.check_time()
        values = {
            label: worth(always(problem, action, label)) for label in _foreseen(action)
        }
        sure = {o: what_ifs.gain(v) for o, v in values.items() if v is not None}
        flow = through.get(action.name, _UNUSED)
        actions.append(_action(action.name, None, sure, flow))
    actions.sort(key=_rank)
    return Criticality(what_ifs.expected_reward, tuple(actions), (), is_plan_kept=True)


def _worth_of_plan(
    problem: Problem, tree: DecisionTree
) -> Callable[[Problem], float | None]:
    """Return what says what a plan is worth with other probabilities, if it goes on."""
    if not problem.hidden:
        return PlanCurve(problem, tree.policy).value

    def worth(changed: Problem) -> float | None:
        # What outcomes tell is another thing then, so the plan is carried out anew.
        try:
            return float(evaluate(tree, changed))
        except PlanError:  # It does not foresee an outcome that it ruled out.
            return None

    return worth


def _rank(each: ActionCriticality) -> tuple[bool, float, float]:
    """Rank what is needed first, then by loss without it or if it fails, by gain."""
    loss = each.loss_failing if each.loss_removed is None else each.loss_removed
    return not each.is_needed, -(loss or 0.0), -(each.gain_certain or 0.0)


def _foreseen(action: Action) -> list[str]:
    """Return the outcomes that are always possible: a plan says what follows them."""
    tables = (action.outcomes, *(c.outcomes for c in action.given if c.outcomes))
    possible = [{o.label for o in table if o.probability} for table in tables]
    return [label for label in action.labels if all(label in each for each in possible)]


def always(problem: Problem, action: Action, label: str) -> Problem:
    """Return the problem in which an action always comes out in one way."""
    return problem.with_action(with_outcomes(action, lambda _: certain(action, label)))


def _possible(action: Action) -> list[str]:
    """Return the outcomes that an action may have, at one time or another."""
    clauses = (clause.outcomes or () for clause in action.given)
    tables = (action.outcomes, *clauses)
    possible = {each.label for table in tables for each in table if each.probability}
    return [label for label in action.labels if label in possible]


def _action(
    name: str, loss: float | None, sure: Mapping[str, float], flow: Flow
) -> ActionCriticality:
    worst = min(sure, key=sure.__getitem__, default=None)
    best = max(sure, key=sure.__getitem__, default=None)
    return ActionCriticality(
        action=name,
        loss_removed=None if loss is None else _bounded(loss),
        loss_failing=None if worst is None else _bounded(0.0 - sure[worst]),
        worst_outcome=worst,
        gain_certain=None if best is None else _bounded(sure[best]),
        best_outcome=best,
        probability_used=float(flow.probability),
        num_uses=float(flow.num_uses),
        reward_through=float(flow.reward),
        is_needed=loss == math.inf,
    )


def _bounded(number: float) -> float | None:
    return number if math.isfinite(number) else None


def visits(tree: DecisionTree) -> dict[Hashable, Real]:
    """Return how likely a plan comes to each of its states."""
    policy, root = tree.policy, tree.root.key
    reached: dict[Hashable, Real] = {root: 1}
    for state in reversed(list(children_first(policy, root))):
        for _, probability, child in policy[state].branches:
            reached[child] = reached.get(child, 0) + reached[state] * probability
    return reached


def flows(tree: DecisionTree) -> Mapping[str, Flow]:
    """
    Return the flow through every action that a plan may take.

    The policy is walked as a graph, each state once.
    """
    num_uses: dict[str, Real] = {}
    for state, probability in visits(tree).items():
        action = tree.policy[state].action
        if action is not None:
            num_uses[action] = num_uses.get(action, 0) + probability
    found = _ahead(tree)
    return {n: Flow(found[n][0], uses, found[n][1]) for n, uses in num_uses.items()}


def _ahead(tree: DecisionTree) -> Mapping[str, tuple[Real, Real]]:
    """
    Give, of each action, how likely it is taken and what is earned if so.

    Seen from the end: where an action is taken, all that follows counts for it; before
    that, what its children know of it.
    """
    policy, root = tree.policy, tree.root.key
    earned: dict[Hashable, Real] = {}
    known: dict[Hashable, dict[str, tuple[Real, Real]]] = {}
    for state in children_first(policy, root):
        decision = policy[state]
        if decision.action is None:
            earned[state], known[state] = decision.reward, {}
            continue
        total: Real = 0
        sums: dict[str, tuple[Real, Real]] = {}
        for _, share, child in decision.branches:
            total += share * earned[child]
            for name, (probability, reward) in known[child].items():
                had = sums.get(name, (0, 0))
                sums[name] = had[0] + share * probability, had[1] + share * reward
        sums[decision.action] = 1, total
        earned[state], known[state] = total, sums
    return known[root]
