"""The attacker's answer to defenses: the best plan, and what could make it worse."""

import math
from collections.abc import Mapping, Sequence
from threading import Event
from typing import Final, NamedTuple

from branchwise.adversary.defenses import Effects, numbers_in
from branchwise.engine.canonical import CanonicalSolver
from branchwise.engine.limits import Limits
from branchwise.errors import LimitError
from branchwise.model.defended_problem import left_by
from branchwise.model.defense import Defense
from branchwise.model.problem import Problem
from branchwise.solver import solve
from branchwise.space.state_space import Real
from branchwise.tree.choices.policy import Decision, children_first
from branchwise.tree.deadline import Deadline
from branchwise.tree.progress import Listener, silent
from branchwise.tree.solution import Solution, Status

# How many explored graphs are kept, for sets that only differ in their probabilities.
_MOST_KEPT: Final = 4


class _Stop(Event):
    """Set once the time is up, or a stop was asked for."""

    def __init__(self, deadline: Deadline, cancel: Event | None) -> None:
        super().__init__()
        self._deadline = deadline
        self._cancel = cancel

    def is_set(self) -> bool:
        return self.status is not None

    @property
    def status(self) -> Status | None:
        """Why to stop; None while there is no reason to."""
        if self._cancel is not None and self._cancel.is_set():
            return Status.INTERRUPTED
        return Status.TIME_LIMIT if self._deadline.is_over else None


class StoppedError(Exception):
    """A limit was met, or a stop was asked for, before the attacker had answered."""

    def __init__(self, status: Status) -> None:
        super().__init__(status)
        self.status = status


class Answer(NamedTuple):
    """The attacker's best plan against some defenses."""

    value: Real  # its expected reward
    # The defenses that have an effect on an action that the plan may take: no other one
    # can make this plan worse.
    touching: int
    losses: dict[int, float]  # about what each of these would take, by its number


class Attacker:
    """Answers sets of defenses, each only once."""

    def __init__(self, effects: Effects, limits: Limits, *, exact: bool) -> None:
        self.effects = effects
        self.answers: dict[int, Answer] = {}
        # Answers that were asked for elsewhere, and those that were needed here.
        self.foretold: dict[int, Answer] = {}
        self.heard: dict[int, Answer] = {}
        self.num_solved = 0
        self._exact = exact
        self._solvers: dict[int, CanonicalSolver] = {}
        self.limit(limits)

    def limit(self, limits: Limits) -> None:
        """Answer within these limits from now on."""
        self._memory_limit = limits.memory_limit_bytes
        self.deadline = Deadline.after(limits.time_limit_seconds)
        self.stop = _Stop(self.deadline, limits.cancel)

    def look(self) -> None:
        """End it all where a limit is met, or a stop was asked for."""
        status = self.stop.status
        if status is not None:
            raise StoppedError(status)

    def answer(self, defenses: int) -> Answer:
        """Return the best plan against a set of defenses."""
        known = self.answers.get(defenses)
        if known is None:
            known = self._known(defenses) or self._asked(defenses)
            self.answers[defenses] = known
        return known

    def _asked(self, defenses: int) -> Answer:
        """Solve what a set leaves to the attacker, unless it was done elsewhere."""
        answer = self.foretold.get(defenses) or self._found(defenses)
        self.num_solved += 1
        self.heard[defenses] = answer
        return answer

    def at_most(self, defenses: int) -> Real:
        """Bound the value of an answer by those to fewer defenses that only hurt."""
        hurting = self.effects.hurting
        return min(
            (
                answer.value
                for fewer, answer in self.answers.items()
                if not fewer & ~defenses and not defenses & ~fewer & ~hurting
            ),
            default=math.inf,
        )

    def _known(self, defenses: int) -> Answer | None:
        """
        Find an answer that is one to these defenses too.

        More of what can only hurt, and does not touch the plan, changes nothing.
        """
        for fewer, answer in self.answers.items():
            more = defenses & ~fewer
            harmless = self.effects.hurting & ~answer.touching
            if not fewer & ~defenses and not more & ~harmless:
                return answer
        return None

    def _found(self, defenses: int) -> Answer:
        effects = self.effects
        chosen = effects.chosen(defenses)
        solution = self.solution(left_by(effects.problem, chosen), self._kind(defenses))
        if solution.status is not Status.OPTIMAL:
            self.look()
            raise StoppedError(solution.status)
        plan = PlanActions(solution)
        touching = effects.touching_any(plan.taken)
        others = touching & ~defenses
        losses = {n: plan.loss(effects.defenses[n]) for n in numbers_in(others)}
        return Answer(solution.expected_reward, touching, losses)

    def _kind(self, defenses: int) -> int:
        """Return the defenses of a set that change more than probabilities."""
        known = ((n, self.effects.defenses[n]) for n in numbers_in(defenses))
        return sum(1 << n for n, each in known if each.forbids or each.raises)

    def solution(
        self, problem: Problem, kind: int = -1, progress: Listener = silent
    ) -> Solution:
        """Solve what is left to the attacker; problems of a kind share their states."""
        if self._exact:
            return self._exactly(problem)
        # A solver that knew of the deadline would explore for a share of it only.
        limits = Limits(memory_limit_bytes=self._memory_limit, cancel=self.stop)
        solver = self._solvers.pop(kind, None)
        try:
            solver = solver or CanonicalSolver(problem)
            found = solver.solve(problem, limits=limits, progress=progress)
        except LimitError:  # Only the reference engine counts as finely.
            return self._exactly(problem)
        self._solvers[kind] = solver
        while len(self._solvers) > _MOST_KEPT:
            del self._solvers[next(iter(self._solvers))]
        return found

    def _exactly(self, problem: Problem) -> Solution:
        exact, stop = self._exact, self.stop
        try:
            return solve(
                problem, engine="reference", exact=exact, verify=False, cancel=stop
            )
        except KeyboardInterrupt:  # So the reference engine ends when it is asked to.
            self.look()
            raise


class PlanActions:
    """The decisions of a plan, gathered by action; `taken` are those it may take."""

    def __init__(self, solution: Solution) -> None:
        policy = solution.tree.policy
        order = list(children_first(policy, solution.tree.root.key))
        places = {state: place for place, state in enumerate(order)}
        self._values = [float(policy[state].value) for state in order]
        reach = [0.0] * len(order)
        reach[-1] = 1.0
        self._decisions: dict[str, list[tuple[float, Decision, list[int]]]] = {}
        for place in range(len(order) - 1, -1, -1):
            decision = policy[order[place]]
            if decision.action is None:
                continue
            children = [places[branch.state] for branch in decision.branches]
            for branch, child in zip(decision.branches, children, strict=True):
                reach[child] += reach[place] * float(branch.probability)
            made = self._decisions.setdefault(decision.action, [])
            made.append((reach[place], decision, children))
        self.taken = frozenset(self._decisions)

    def loss(self, defense: Defense) -> float:
        """
        Estimate what a defense takes from the plan; a guide, not a bound.

        Where an action is forbidden, the plan goes on as after its worst outcome.
        """
        return sum(
            reach * self._loss_at(decision, children, defense)
            for action in defense.touched
            for reach, decision, children in self._decisions.get(action, ())
        )

    def _loss_at(
        self, decision: Decision, children: Sequence[int], defense: Defense
    ) -> float:
        """Estimate what a defense takes from the plan at one decision."""
        action = decision.action
        assert action is not None
        outcomes = [branch.outcome for branch in decision.branches]
        values = [self._values[child] for child in children]
        worth = dict(zip(outcomes, values, strict=True))
        probabilities = {b.outcome: float(b.probability) for b in decision.branches}
        worst = min(values)
        mean = _mean(probabilities, worth, worst)
        if action in defense.forbids:
            return mean - worst
        lost = (mean - worst) / 2 if action in defense.raises else 0.0
        if action in defense.changes:
            changes = defense.changes[action]
            probabilities = {o.label: float(o.probability) for o in changes}
        for label, share in defense.scales.get(action, {}).items():
            probabilities[label] = probabilities.get(label, 0.0) * float(share)
        return lost + mean - _mean(probabilities, worth, worst)


def _mean(
    probabilities: Mapping[str, float], worth: Mapping[str, float], worst: float
) -> float:
    """Return the mean, where the worst happens if nothing else does."""
    known = sum(
        share * worth.get(label, worst) for label, share in probabilities.items()
    )
    return known + (1 - sum(probabilities.values())) * worst
