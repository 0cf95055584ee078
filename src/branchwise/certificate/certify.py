"""Certifying: an answer, and a proof that can be checked independently."""

from __future__ import annotations

from threading import Event

from branchwise.certificate.certificate import Certificate
from branchwise.certificate.proof import Proof
from branchwise.engine.limits import Limits
from branchwise.engines import Task
from branchwise.model.checks.validate import checked
from branchwise.model.problem import Problem
from branchwise.space.own_space import OwnSpace
from branchwise.tree.progress import Listener, silent
from branchwise.tree.solution import Solution


def certify(
    problem: Problem | OwnSpace,
    *,
    gap: float = 0.0,
    time_limit_seconds: float | None = None,
    memory_limit_bytes: int | None = None,
    progress: Listener = silent,
    cancel: Event | None = None,
) -> Certificate:
    """
    Solve a problem, and prove how good the answer is.

    Where there are few enough states, the proof is exact: the plan is worth as much as
    no plan can exceed. Otherwise the certificate proves two bounds, and says so.

    Parameters
    ----------
    problem
        What to solve. Intervals of probabilities and defenses, where it has any, are
        left aside: the certificate is about the nominal problem. Of a state space of
        your own every state is written down, so it has to be small: past 200,000 states
        or a limit there is a `LimitError`.
    gap
        Be content with bounds that differ by no more than this share of the upper one.
    time_limit_seconds, memory_limit_bytes
        Look no further for a proof when so much time has passed, or the process holds
        so much memory; writing down what was found takes some more.
    progress
        Called with how far it has come.
    cancel
        Set this event, from any thread, to stop.

    Returns
    -------
    Certificate
        The bounds and their proof.

    Examples
    --------
    >>> from branchwise.model.action import Action
    >>> from branchwise.model.problem import Reward
    >>> toss = Action("toss", outcomes={"heads": 0.5, "tails": 0.5}, attempts=2)
    >>> certificate = certify(Problem([toss], [Reward(toss["heads"], 10)]))
    >>> certificate.lower_bound, certificate.upper_bound
    (Fraction(15, 2), Fraction(15, 2))
    """
    limits = Limits(gap, time_limit_seconds, memory_limit_bytes, cancel)
    if isinstance(problem, Problem):
        checked(problem)

    def plan(limits: Limits) -> Solution:
        return Task(problem, limits=limits, progress=progress).solve()

    return Proof(problem, limits, progress).find(plan)
