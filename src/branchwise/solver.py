"""Solving: one door to every engine."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING, Final

from branchwise.certificate.second_opinion import SecondOpinion
from branchwise.engine.limits import Limits, Search, enough_memory
from branchwise.engines import ENGINES, TABLE, Task, refuse_with_spill
from branchwise.model.adversary import Adversary, checked_adversary
from branchwise.model.arguments import a_flag, a_function
from branchwise.model.checks.validate import checked
from branchwise.model.features import refuse_features
from branchwise.model.problem import Problem
from branchwise.tree.choices.preference import Prefer, Preference
from branchwise.tree.deadline import Deadline
from branchwise.tree.progress import Listener, silent
from branchwise.tree.solution import Solution
from branchwise.tree.start import Start

if TYPE_CHECKING:
    from os import PathLike

    from branchwise.executors.executor import Executor
    from branchwise.model.execution.history import History
    from branchwise.rewarding.choice import WantedSets
    from branchwise.risk.aims import Aim
    from branchwise.space.own_space import OwnSpace

__all__ = ["ENGINES", "Solver", "solve"]

_NOT_WITH_AIM: Final = "engine search num_threads naive rewarding_sets adversary"


# Every argument past the first has a name and a default, so many do no harm.
@enough_memory
def solve(  # noqa: PLR0913
    problem: Problem | OwnSpace,
    *,
    aim: Aim | None = None,
    after: History = (),
    engine: str = ENGINES[0],
    prefer: Prefer = "fewest-nodes",
    search: Search = "auto",
    gap: float = 0.0,
    time_limit_seconds: float | None = None,
    memory_limit_bytes: int | None = None,
    spill: str | PathLike[str] | None = None,
    executor: Executor | None = None,
    num_threads: int | None = None,
    naive: bool = False,
    exact: bool = False,
    rewarding_sets: WantedSets | None = None,
    adversary: Adversary | None = None,
    robustness: bool = False,
    verify: bool | None = None,
    progress: Listener = silent,
    cancel: Event | None = None,
) -> Solution:
    """
    Find the decision tree with the highest expected reward.

    Parameters
    ----------
    problem
        A problem, or any state space of your own: a `StateSpace` or an `ArraySpace`.
    aim
        Make the most of this instead of the expected reward: `ExponentialUtility`,
        `UtilityTable`, `AtLeast`, `AtMost` or `CVaR`, of the final reward less weighted
        cost. The solution's `aim` says how well that is met, and has the plan with the
        highest expected reward beside it. Of the options below, only `prefer`, `exact`,
        the limits, `progress` and `cancel` go with an aim.
    after
        Plan from where this leads: ``"a1=ok, a3=fail"``. What has been earned counts,
        what has been spent does not. In a state space of your own these are steps, in
        their order, and may be pairs: ``[("a1", "ok")]``.
    engine
        ``canonical``: one state per distinct future, in C++. ``paper``: the paper's
        three stages, in C++. ``explicit``: every state written out, explored in Python
        and scored in C++, for state spaces of your own. ``reference``: the paper line
        by line, in plain Python. ``auto`` chooses, and the solution says why.
    prefer
        Which of several optimal trees to choose: ``fewest-nodes``, ``least-depth``,
        ``least-expected-cost``, ``fewest-expected-actions``, ``order`` (the problem's
        order of actions), ``random`` or ``random=SEED`` (drawn, the same for the same
        seed), ``order=b, a`` or a list of names (an order of actions of your own), or
        a function of your own.
    search
        How the canonical engine goes about it: ``exhaustive``, ``best-first``,
        ``deepening``, or ``auto``: the first, and where that takes long, the other two.
    gap
        Stop when no plan can be better by more than this share of the upper bound.
    time_limit_seconds, memory_limit_bytes
        Stop when so much time has passed, or the process holds so much memory. The
        engines canonical and explicit then have a plan and bounds; the others have
        nothing to show, nor have these where no plan that finishes was found yet.
    spill
        A folder to keep the states in, where they do not fit into memory: of them, the
        process holds what the memory limit lets it, or half of what the machine has. A
        run that was broken off goes on with the same folder. The answer is the same.
    executor
        With `spill`, a Dask client: each of its workers keeps a part of the states, in
        a folder of its own in `spill`, and holds what the memory limit lets it. Where
        several machines work, one disk that all of them see lets others go on for a
        worker that is lost. The answer is the same.
    num_threads
        How many threads share the work of the engines in C++: unless said, as many as
        there are cores. The answer does not depend on it.
    naive
        Explore every state, without pruning by rewarding sets, or by what a state space
        of your own says of itself.
    exact
        Compute with fractions instead of floats: what is optimal, what is tied and
        what the plan is worth is then exact.
    rewarding_sets
        Go only by these rewarding sets, or by this many of the strongest: only their
        actions count. The plan is valid, its expected reward a lower bound, and no plan
        is worth more than `upper_bound`; the more sets, the better. ``auto`` doubles
        their number until the gap is met, the time is over, or all sets are in.
    adversary
        Who chooses the probabilities that are not quite known, against us: find the
        plan that is worth most in the worst case. None takes all as they are stated.
    robustness
        Whether the solution is also to have its `robustness`: what the plan against an
        adversary costs and saves beside the best nominal one. That is left out where
        the plan is not proven optimal, or a limit is met before.
    verify
        Whether the independent checker is to confirm the answer, by a certificate,
        before it is given: however long that takes; None only where it takes less than
        0.04 seconds. The solution says whether it was. To solve thousands of
        small problems faster, say False.
    progress
        Called with how far it has come: the stage, the number of states, and bounds.
    cancel
        Set this event, from any thread, to stop with the best plan so far.

    Returns
    -------
    Solution
        The tree, its expected reward, bounds, and what it took to find.

    Raises
    ------
    ProblemError
        The problem contradicts itself; the error lists every issue, up to 1,000.
    HistoryError
        What is said to have happened cannot have; which step, and why.
    LimitError
        A limit was met by an engine that has nothing to show before its end.
    ExecutorError
        The cluster is gone or lost its workers; what is finished is in `spill`.
    SpillError
        A file of the folder `spill` is damaged, of another problem, or cannot be had.
    VerificationError
        The checker proves that the answer is wrong: an error of branchwise.

    Examples
    --------
    >>> from branchwise.model.action import Action
    >>> from branchwise.model.problem import Reward
    >>> toss = Action("toss", outcomes={"heads": 0.5, "tails": 0.5}, attempts=2)
    >>> solution = solve(Problem([toss], [Reward(toss["heads"], 10)]))
    >>> solution.first_action, solution.expected_reward, solution.engine
    ('toss', 7.5, 'canonical')
    """
    checked_adversary(adversary)
    if aim is not None:
        _check_aim(aim)
    if a_flag("robustness", robustness) and adversary is None:
        raise ValueError("only a plan against an adversary is robust; say which one")
    if isinstance(problem, Problem):
        checked(problem)
        Preference.of(prefer).check(problem)
        if adversary is not None:
            problem = adversary.faced_by(problem)
    else:
        _check_own(problem, robustness=robustness)
    start = Start.after(problem, after)
    a_function("progress", progress)
    task = Task(
        start.problem,
        prefer,
        naive=a_flag("naive", naive),
        exact=a_flag("exact", exact),
        rewarding_sets=rewarding_sets,
        adversary=adversary,
        engine=engine,
        search=search,
        num_threads=num_threads,
        limits=Limits(gap, time_limit_seconds, memory_limit_bytes, cancel),
        progress=progress,
        spill=spill,
        executor=executor,
    )
    if aim is not None:
        if spill is not None:
            raise ValueError(
                "`spill` does not go with an aim, which takes other states\n    fix: "
                "leave one of them out"
            )
        # Start-up is felt, and most plans are for the expected reward.
        from branchwise.risk.aim_solver import best_for_aim  # noqa: PLC0415

        _refuse_with_aim(task, verify)
        return start.apply(best_for_aim(task, aim))
    if spill is not None or executor is not None:
        refuse_with_spill(task)
    end = Deadline.after(time_limit_seconds)
    opinion = SecondOpinion(task, wanted=verify)
    solution = opinion.on(task.solve())
    if robustness:
        from branchwise.robustness import with_robustness  # noqa: PLC0415

        solution = with_robustness(solution, task, end)
    return start.apply(solution)


def _check_own(space: OwnSpace, *, robustness: bool) -> None:
    """Refuse what is no state space, and what only problems have."""
    from branchwise.space.own_space import own_space  # noqa: PLC0415

    own_space(space)
    if robustness:
        raise ValueError(
            "`robustness` takes a problem, not a state space of your own\n    fix: "
            "leave it out, and compare `solve(space)` with what the adversary leaves"
        )


def _check_aim(aim: Aim) -> None:
    """Refuse what is no aim."""
    if not hasattr(aim, "utilities"):
        raise TypeError(
            "the aim is AtLeast, AtMost, CVaR, ExponentialUtility or UtilityTable, "
            f"not {aim!r}\n    fix: write `AtLeast(50)`, say"
        )


def _refuse_with_aim(task: Task, verify: bool | None) -> None:  # noqa: FBT001
    """Refuse what says how to search for the highest expected reward."""
    usual, names = Task(task.problem), _NOT_WITH_AIM.split()
    said = {name: getattr(task, name) != getattr(usual, name) for name in names}
    said |= {"gap": task.limits.gap > 0, "verify": verify is True}
    for name, is_said in said.items():
        if is_said:
            raise ValueError(f"`{name}` does not go with an aim; leave it out")


class Solver:
    """
    Solves a problem again and again, and keeps what can be used again.

    With other probabilities or cost weights, or a smaller budget, a problem has the
    same states, which then need not be explored a second time. Whatever else changes
    is solved afresh. The answers are those of `solve`.

    Threads may share a solver: they take turns, and a time limit counts from when they
    ask. What it has answered stays as it is, and can be read all the while. Only its
    own progress listener may not ask it for anything: that is a `BusyError`.

    Parameters
    ----------
    problem
        What to solve; with the largest budget there will be, so that smaller ones fit.
    num_threads
        How many threads share the work; as many as there are cores unless said.

    Examples
    --------
    >>> from branchwise.model.action import Action
    >>> from branchwise.model.problem import Reward
    >>> toss = Action("toss", outcomes={"heads": "1/2", "tails": "1/2"}, attempts=3)
    >>> problem = Problem([toss], [Reward(toss["heads"], 8)], budget=3)
    >>> solver = Solver(problem)
    >>> [
    ...     solver.solve(problem.with_budget(budget)).expected_reward
    ...     for budget in (3, 2, 1)
    ... ]
    [7.0, 6.0, 4.0]
    """

    def __init__(self, problem: Problem, *, num_threads: int | None = None) -> None:
        from branchwise.engine.canonical import CanonicalSolver  # noqa: PLC0415

        self._problem = checked(problem)
        known = TABLE["canonical"].states
        refuse_features(problem, "a Solver", known=known, fix="use `branchwise.solve`")
        self._solver = CanonicalSolver(problem, num_threads=num_threads)

    @enough_memory
    def solve(  # noqa: PLR0913
        self,
        problem: Problem | None = None,
        *,
        prefer: Prefer = "fewest-nodes",
        search: Search = "auto",
        gap: float = 0.0,
        time_limit_seconds: float | None = None,
        memory_limit_bytes: int | None = None,
        rewarding_sets: WantedSets | None = None,
        adversary: Adversary | None = None,
        verify: bool | None = False,
        progress: Listener = silent,
        cancel: Event | None = None,
    ) -> Solution:
        """
        Solve the problem, or another one; see `solve` for the parameters.

        Parameters
        ----------
        problem
            Another problem; the one it was made with unless said.
        prefer, search, gap, time_limit_seconds, memory_limit_bytes, progress, cancel
            As for `solve`.
        rewarding_sets
            As for `solve`. What fewer sets have explored, more need not again.
        adversary
            As for `solve`. The states stay the same, unless something is possible
            only against an adversary.
        verify
            As for `solve`, but it is not done unless said: those who solve again and
            again are in a hurry.
        """
        checked_adversary(adversary)
        a_function("progress", progress)
        chosen = checked(self._problem if problem is None else problem)
        Preference.of(prefer).check(chosen)
        faced = chosen if adversary is None else adversary.faced_by(chosen)
        limits = Limits(gap, time_limit_seconds, memory_limit_bytes, cancel)
        task = Task(
            faced,
            prefer,
            rewarding_sets=rewarding_sets,
            adversary=adversary,
            engine="canonical",
            search=search,
            limits=limits,
            progress=progress,
        )
        sets = task.set_choices()
        opinion = SecondOpinion(task, wanted=verify)
        return opinion.on(
            self._solver.solve(
                faced,
                prefer=prefer,
                search=search,
                limits=limits if sets is None else limits.less(sets.seconds),
                adversary=adversary,
                progress=progress,
                sets=sets,
            )
        )

    def expected_reward(
        self,
        problem: Problem,
        *,
        time_limit_seconds: float | None = None,
        cancel: Event | None = None,
    ) -> float | None:
        """
        Return the worth of the best plan of another problem, over known states.

        Here outcomes may have become impossible, and actions may require what never
        holds. None where `solve` is needed, or where a limit was met.
        """
        limits = Limits(time_limit_seconds=time_limit_seconds, cancel=cancel)
        start = self._solver.start_of(checked(problem), limits=limits)
        return None if start is None else start.expected_reward

    def fits(self, problem: Problem) -> bool:
        """Whether another problem has the same states, so that little is to do."""
        return self._solver.fits(problem)
