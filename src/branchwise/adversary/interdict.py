"""Interdiction: which defenses leave an attacker least, with proof."""

from __future__ import annotations

from dataclasses import replace
from threading import Event
from typing import Final

from branchwise.adversary.interdict_run import Run
from branchwise.adversary.interdiction import Interdiction, Method
from branchwise.engine.limits import Limits
from branchwise.errors import ProblemError
from branchwise.model.budget import as_limit
from branchwise.model.checks.issue import about
from branchwise.model.checks.validate import checked
from branchwise.model.number import Number
from branchwise.model.problem import Problem, a_problem
from branchwise.tree.progress import Listener, silent

__all__ = ["DEFENSE_METHODS", "defend"]

DEFENSE_METHODS: Final[tuple[Method, ...]] = ("search", "program")
"""How the best defenses may be found; the first is the default."""


# Every argument past the first has a name and a default, so many do no harm.
def defend(  # noqa: PLR0913
    problem: Problem,
    *,
    budget: Number | None = None,
    method: Method = "search",
    gap: float = 0.0,
    time_limit_seconds: float | None = None,
    memory_limit_bytes: int | None = None,
    exact: bool = False,
    worths: bool = True,
    progress: Listener = silent,
    cancel: Event | None = None,
) -> Interdiction:
    """
    Find the defenses that leave the attacker least.

    The attacker sees which defenses are in place, and has the best plan against them.

    Parameters
    ----------
    problem
        A problem with defenses.
    budget
        What may be spent on defenses; the problem's own unless said.
    method
        ``search`` proposes sets and learns from the attacker's answers. ``program`` is
        a mixed-integer program solved by HiGHS, for small problems.
    gap
        Stop when no other set can be better by more than this share.
    time_limit_seconds, memory_limit_bytes
        Stop when so much time has passed, or the process holds so much memory, with
        the best defenses so far and a bound.
    exact
        Compute with fractions; for small problems, and not for ``program``.
    worths
        Whether to work out the frontier and what every defense is worth.
    progress
        Called with how many attacker's problems were solved, and the bounds.
    cancel
        Set this event, from any thread, to stop with the best defenses so far.

    Raises
    ------
    ProblemError
        The problem contradicts itself; the error lists every issue.
    LimitError
        The problem is too large for ``program``, or HiGHS is not installed.

    Examples
    --------
    >>> from branchwise.model.action import Action
    >>> from branchwise.model.defense import Defense
    >>> from branchwise.model.problem import Reward
    >>> phish = Action("phish", outcomes={"clicked": 0.4, "ignored": 0.6})
    >>> call = Action("call", outcomes={"told": 0.1, "refused": 0.9})
    >>> training = Defense("training", cost=2, scales={"phish": {"clicked": 0.5}})
    >>> filter = Defense("filter", forbids=["phish"])
    >>> rewards = [Reward("phish=clicked", 10), Reward("call=told", 10)]
    >>> problem = Problem([phish, call], rewards, budget=1, defenses=[training, filter])
    >>> answer = defend(problem, budget=2)
    >>> answer.value_before, answer.chosen, answer.value
    (4.0, ('filter',), 1.0)
    """
    a_problem(problem)
    if budget is not None:
        problem = replace(problem, defense_budget=as_limit(budget))
    if method not in DEFENSE_METHODS:
        known = ", ".join(DEFENSE_METHODS)
        raise ValueError(f"there is no method `{method}`; there are {known}")
    if exact and method == "program":
        raise ValueError("the method `program` cannot compute with fractions")
    if not problem.defenses:
        fix = "add some: `defenses: {patch: {cost: 2, forbids: [a1]}}`"
        issue = about(("defenses",), "there are no defenses to choose from", fix)
        raise ProblemError([issue])
    limits = Limits(gap, time_limit_seconds, memory_limit_bytes, cancel)
    run = Run(checked(problem), method, limits, exact=exact, progress=progress)
    return run.interdiction(worths=worths)
