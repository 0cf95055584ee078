"""A second opinion: the answer of an engine, judged by a certificate of its own."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import fields, replace
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Final

from branchwise.certificate.certificate import Certificate, short_number
from branchwise.certificate.checker import RejectedError, judge
from branchwise.certificate.proof import Proof
from branchwise.certificate.proof_rows import Watch
from branchwise.engine.limits import Limits, watched
from branchwise.engines import Task
from branchwise.errors import LimitError, PlanError, VerificationError
from branchwise.model.problem import Problem
from branchwise.tree.evaluate import evaluate
from branchwise.tree.progress import Progress, Stage
from branchwise.tree.solution import Solution, Status, Verification

if TYPE_CHECKING:
    from branchwise.space.own_space import OwnSpace

# A check that was not asked for takes less than half as long as starting does: solving
# a small problem is to take no longer than with programs that check nothing. Exploring
# may take half of that; the arithmetic takes no more, as it goes over the same states.
_MOST_SECONDS: Final = 0.04
_SECONDS_TO_EXPLORE: Final = 0.02

# What takes longer for sure: as a rule the checker has no fewer states than the engine,
# and it takes some 25 microseconds for each action at each of them.
_MOST_STATES_TIMES_ACTIONS: Final = 1_200
_MOST_ACTIONS: Final = 200
_MOST_WORDS: Final = 1_000  # outcomes, and mentions of outcomes in conditions

# What takes half of that for sure, so that no clock is needed: whether a small
# answer is checked does not depend on what else the machine is doing.
_SURE_STATES_TIMES_ACTIONS: Final = 640

_ROUNDING: Final = Fraction(1, 10**9)  # of all rewards, where numbers are floats

_TAKES_LONGER: Final = (
    f"it would take longer than {_MOST_SECONDS} s; --verify (verify=True) does it"
)
# Probabilities of a state space of one's own may miss one by 1e-9 at every step.
_ROUNDING_OF_OWN: Final = Fraction(1, 10**6)

_ONLY_IF_ASKED: Final = "a state space of your own is checked only with verify=True"
_TIME_LIMIT: Final = "the time limit was met"
_INTERRUPTED: Final = "it was interrupted"


class _Wrong(Exception):  # noqa: N818  # it is the answer that is wrong
    """What the checker has against an answer, and the certificate that shows it."""

    def __init__(self, what: str, certificate: Certificate | None = None) -> None:
        super().__init__(what)
        self.certificate = certificate


class SecondOpinion:
    """Checks an answer before it is given."""

    # The limits of the task are for solving and checking together, from now on.
    # `wanted` is True to check however long that takes, within the limits; None where
    # it is quick; False for not at all.

    def __init__(self, task: Task, *, wanted: bool | None) -> None:
        self._task, self._wanted = task, wanted
        self._began = time.perf_counter()

    def on(self, solution: Solution) -> Solution:
        """Return the solution with what the checker says of it."""
        # A `VerificationError` says that the checker proves the answer wrong.
        if self._wanted is False:
            return solution
        began = time.perf_counter()
        num_rows, reason = self._opinion(solution)
        verification = Verification(
            is_checked=not reason,
            num_rows=num_rows,
            seconds=time.perf_counter() - began,
            reason=reason,
            is_asked=self._wanted is True,
        )
        return replace(solution, verification=verification)

    def _opinion(self, solution: Solution) -> tuple[int, str]:
        """How many rows prove the answer, or why it is not proven."""
        problem = self._task.problem
        if solution.adversary is not None:
            return 0, "certificates know no adversary"
        if not isinstance(problem, Problem):
            if self._wanted is None:
                return 0, _ONLY_IF_ASKED
            return self._opinion_on_own(solution, problem)
        if self._wanted is None and _is_large(problem, solution):
            return 0, _TAKES_LONGER
        limits = self._limits_left()
        if limits.is_cancelled:
            return 0, _INTERRUPTED
        left = limits.time_limit_seconds
        if self._wanted is None and left is not None and left < _MOST_SECONDS:
            return 0, _TIME_LIMIT
        try:
            return self._judged(solution, problem, limits)
        except _Wrong as wrong:
            # Start-up is felt, and this is not to happen.
            from branchwise.certificate.bundle import disagreement  # noqa: PLC0415

            raise disagreement(
                str(wrong), problem, solution, wrong.certificate, self._options()
            ) from None

    def _opinion_on_own(self, solution: Solution, space: OwnSpace) -> tuple[int, str]:
        """How many rows prove an answer about a state space of one's own."""
        if solution.status is not Status.OPTIMAL:
            return 0, "of a state space of your own only an optimum can be proven"
        try:
            proof = Proof(space, self._limits_left(), self._report)
            certificate = proof.find(lambda _: solution)
            worth = evaluate(solution.tree, space)
        except LimitError as error:
            return 0, str(error)
        except KeyboardInterrupt:
            return 0, _INTERRUPTED
        judge(
            proof.read,
            certificate.lower_bound,
            certificate.upper_bound,
            certificate.policy,
            certificate.bounds,
        )
        said, best = Fraction(solution.expected_reward), certificate.upper_bound
        scale = max(map(abs, (said, *proof.read.space.values)))
        room = 0 if solution.is_exact else scale * _ROUNDING_OF_OWN
        if max(abs(worth - said), abs(best - said)) > room:
            what = f"{short_number(said)} is said, the plan is worth"
            shown = f"{what} {short_number(worth)}, and the best {short_number(best)}"
            raise VerificationError(shown, None)
        return len(certificate.policy) + len(certificate.bounds), ""

    def _judged(
        self, solution: Solution, problem: Problem, limits: Limits
    ) -> tuple[int, str]:
        narrowed = replace(limits, gap=_gap(solution))
        try:
            proof = Proof(problem, narrowed, self._report)
        except (RejectedError, RecursionError, ValueError) as error:
            # Numbers of thousands of digits, or conditions in each other as often.
            return 0, f"the checker cannot read the problem: {error}"
        try:
            worth = _worth(solution, problem, self._watch(problem))
            certificate = self._certificate(solution, problem, proof)
        except LimitError:
            return 0, _TIME_LIMIT if self._wanted else _TAKES_LONGER
        except KeyboardInterrupt:
            if self._wanted:  # The plan is there, and is not to be lost.
                return 0, _INTERRUPTED
            raise
        num_rows = len(certificate.policy) + len(certificate.bounds)
        return num_rows, _compared(solution, problem, certificate, worth)

    def _certificate(
        self, solution: Solution, problem: Problem, proof: Proof
    ) -> Certificate:
        if self._wanted:
            certificate = proof.find(lambda _: solution)
        else:
            certificate = proof.exact(self._watch(problem))
        low, high = certificate.lower_bound, certificate.upper_bound
        try:
            judge(proof.read, low, high, certificate.policy, certificate.bounds)
        except RejectedError as error:
            raise _Wrong(f"the certificate is rejected: {error}", certificate) from None
        return certificate

    def _watch(self, problem: Problem) -> Watch:
        if not self._wanted:
            return _clock(problem)
        listen = watched(self._report, self._limits_left())

        def watch(number: int) -> None:
            listen(Progress(Stage.CHECKING, number))

        return watch

    def _limits_left(self) -> Limits:
        return self._task.limits.less(time.perf_counter() - self._began)

    def _report(self, progress: Progress) -> None:
        """Pass on how far a check has come; what is proven is reported in the end."""
        self._task.progress(Progress(Stage.CHECKING, progress.num_states))

    def _options(self) -> dict[str, object]:
        """How the engine was asked, for a closer look at a disagreement."""
        said = {each.name: getattr(self._task, each.name) for each in fields(Task)}
        limits = said.pop("limits")
        said |= {each.name: getattr(limits, each.name) for each in fields(Limits)}
        aside = ("problem", "adversary", "progress", "cancel")
        return {name: value for name, value in said.items() if name not in aside}


def _gap(solution: Solution) -> float:
    """How far apart the bounds of a proof may be; the answer must be a number."""
    said, bound = solution.expected_reward, solution.upper_bound
    if any(isinstance(n, float) and not math.isfinite(n) for n in (said, bound)):
        raise _Wrong(f"{said} and {bound} are no rewards")
    if not bound:
        return 0.0
    # A fraction may be larger than any float.
    return float(min(Fraction(solution.gap) / abs(Fraction(bound)), Fraction(1)))


def _is_large(problem: Problem, solution: Solution) -> bool:
    is_canonical, num_actions = solution.engine == "canonical", len(problem.actions)
    num_states = solution.statistics.full_graph_states if is_canonical else 1
    return (
        num_actions > _MOST_ACTIONS
        or num_states * num_actions > _MOST_STATES_TIMES_ACTIONS
        or next(islice(_words(problem), _MOST_WORDS, None), None) is not None
    )


def _words(problem: Problem) -> Iterator[object]:
    """Everything in a problem that the checker has to read."""
    for action in problem.actions:
        yield from action.outcomes
        yield from action.requires.mentions()
        yield from action.precluded_by.mentions()
        for clause in action.given:
            yield from clause.outcomes or ()
            yield from clause.when.mentions()
    for reward in problem.rewards:
        yield reward
        yield from reward.when.mentions()


def _clock(problem: Problem) -> Watch:
    """Return a watch that ends the work once it takes, or will take, too long."""
    # What other programs do meanwhile is not held against it.
    start, most = time.thread_time(), _SECONDS_TO_EXPLORE
    sure = _SURE_STATES_TIMES_ACTIONS // max(len(problem.actions), 1)
    looks = 0

    def watch(num_states: int) -> None:
        nonlocal looks
        looks += 1
        if looks <= sure:
            return
        # All the states that are known are still to be looked at.
        passed = time.thread_time() - start
        if passed > most or passed * num_states > 2 * most * looks:
            raise LimitError(_TAKES_LONGER)

    return watch


def _worth(solution: Solution, problem: Problem, watch: Watch) -> Fraction:
    try:
        return evaluate(solution.tree, problem, watch=watch)
    except PlanError as error:
        raise _Wrong(f"the problem does not allow the plan: {error}") from None


def _compared(
    solution: Solution, problem: Problem, certificate: Certificate, worth: Fraction
) -> str:
    """Compare an answer with what is proven; why it is not proven, if it is not."""
    said, bound = solution.expected_reward, solution.upper_bound
    room = Fraction(0)
    # The bound of an exact answer that goes by some sets only is a float, too.
    is_exact = solution.is_exact and not isinstance(bound, float)
    if not (is_exact and certificate.is_optimal):
        rewards = sum(abs(reward.value) for reward in problem.rewards)
        room = _ROUNDING * max(rewards, abs(worth))  # What is charged adds up, too.
    if abs(worth - Fraction(said)) > room:
        raise _Wrong(f"the plan is worth {short_number(worth)}", certificate)
    proven, most = certificate.lower_bound, certificate.upper_bound
    if proven > Fraction(bound) + room:
        raise _Wrong(f"another plan is worth {short_number(proven)}", certificate)
    if worth > most + room:
        raise _Wrong(f"no plan is worth more than {short_number(most)}", certificate)
    if most > Fraction(bound) + room:
        rows = f"{len(certificate.policy) + len(certificate.bounds)} rows"
        return f"{rows} prove only that no plan is worth more than {short_number(most)}"
    return ""
