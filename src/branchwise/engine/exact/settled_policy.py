"""The plan over canonical states whose ties were settled outside the core."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cached_property

import branchwise._core as core
from branchwise.engine.canonical_policy import CanonicalPolicy, CanonicalState
from branchwise.engine.exact.contenders import Contender
from branchwise.engine.exact.settlement import Settlement
from branchwise.engine.exact.tree_choice import Standing
from branchwise.model.numbers.number import Real
from branchwise.model.problem import Problem
from branchwise.space.problem_space import ProblemSpace
from branchwise.tree.alternatives import Alternative, Prospect
from branchwise.tree.choices.policy import Branch, Decision, KnownPolicy, Step


class SettledPolicy(CanonicalPolicy):
    """The decisions of a plan over contenders; exact where their numbers are."""

    # `whole` works out all options there are, for what else could be done.

    def __init__(
        self,
        plan: core.Plan,
        problem: Problem,
        settlement: Settlement,
        choices: Sequence[int | None],
        whole: Callable[[], Settlement] | None = None,
    ) -> None:
        super().__init__(plan, problem)
        self._settlement, self._choices = settlement, choices
        self._places = settlement.contenders.places()
        self._whole = whole

    def place(self, state: CanonicalState) -> int:
        """Return where a state is among the contenders."""
        return self._places[state.number]

    def _decision(self, state: CanonicalState) -> Decision:
        place = self._places[state.number]
        return self.decision(state, place, self._choices[place])

    def decision(
        self, state: CanonicalState, place: int, choice: int | None
    ) -> Decision:
        """Return the decision to take an option at a state; None is to stop."""
        contenders = self._settlement.contenders
        score = self._total(self._settlement.scores[place], state)
        reward = self._total(contenders.rewards[place], state)
        if choice is None:
            return Decision(None, (), score, reward)
        option = contenders.options[place][choice]
        branches = self._branches(state, option)
        return Decision(option.action.name, branches, score, reward)

    def _branches(self, state: CanonicalState, option: Contender) -> tuple[Branch, ...]:
        numbers = self._settlement.contenders.numbers
        return tuple(
            Branch(
                transition.outcome,
                transition.probability,
                CanonicalState(
                    numbers[link.child], state.secured + self._value([*link.gained])
                ),
            )
            for transition, link in zip(
                option.action.transitions, option.links, strict=True
            )
        )

    @staticmethod
    def _total(number: Real, state: CanonicalState) -> Real:
        if isinstance(number, float):
            return number + float(state.secured) if state.secured else number
        return number + state.secured

    def steps(self, state: Hashable) -> Iterator[Step]:
        """Return the contenders at a state, and where they lead."""
        assert isinstance(state, CanonicalState)
        place = self._places[state.number]
        worths = self._settlement.worths[place]
        options = self._settlement.contenders.options[place]
        for option, worth in zip(options, worths, strict=True):
            yield self._step(state, option, self._total(worth, state))

    def step_taken(self, state: Hashable) -> Step | None:
        """Return what the plan does at a state, as a step; None where it stops."""
        assert isinstance(state, CanonicalState)
        place = self._places[state.number]
        choice = self._choices[place]
        if choice is None:
            return None
        option = self._settlement.contenders.options[place][choice]
        return self._step(state, option, self[state].value)

    def _step(self, state: CanonicalState, option: Contender, value: Real) -> Step:
        action = self._problem.actions[option.number]
        clause = self._clause(action, (option.number, option.variant, []))
        return Step(action.name, clause, self._branches(state, option), value)

    def considered(self, state: Hashable) -> tuple[Alternative, ...] | None:
        """Return all actions weighed at a state; of contenders the very values."""
        assert isinstance(state, CanonicalState)
        found = super().considered(state)
        if found is None:
            return None
        exact = {each.action: each for each in self._weighed_contenders(state)}
        return tuple(exact.get(each.action, each) for each in found)

    @cached_property
    def _weighing(self) -> tuple[Settlement, dict[int, int]]:
        """All options with their scores, if that is no great work; or contenders."""
        if self._whole is None:
            return self._settlement, self._places
        whole = self._whole()
        return whole, whole.contenders.places()

    def _weighed_contenders(self, state: CanonicalState) -> Iterator[Alternative]:
        settlement, places = self._weighing
        place, scores = places[state.number], settlement.scores
        options = settlement.contenders.options[place]
        worths = settlement.worths[place]
        for option, worth in zip(options, worths, strict=True):
            prospects = tuple(
                Prospect(*step[:2], self._total(link.gain + scores[link.child], state))
                for step, link in zip(
                    option.action.transitions, option.links, strict=True
                )
            )
            value = self._total(worth, state)
            yield Alternative(option.action.name, value, prospects=prospects)


def policy_by_state(
    policy: SettledPolicy,
    choices: dict[Standing, int | None],
    space: ProblemSpace,
) -> KnownPolicy:
    """Return the policy that chooses by states of the problem, not by their futures."""
    decisions: dict[Hashable, Decision] = {}
    weighed: dict[Hashable, tuple[Alternative, ...] | None] = {}
    root = policy.root
    pending = [(Standing(policy.place(root), space.root), root)]
    while pending:
        at, state = pending.pop()
        if at.state in decisions:
            continue
        decision = policy.decision(state, at.place, choices[at])
        weighed[at.state] = policy.considered(state)
        branches = []
        steps = space.action(at.state, decision.action) if decision.action else None
        transitions = steps.transitions if steps else ()
        for branch, step in zip(decision.branches, transitions, strict=True):
            assert isinstance(branch.state, CanonicalState)
            branches.append(branch._replace(state=step.state))
            standing = Standing(policy.place(branch.state), step.state)
            pending.append((standing, branch.state))
        decisions[at.state] = decision._replace(branches=tuple(branches))
    return KnownPolicy(decisions, weighed)
