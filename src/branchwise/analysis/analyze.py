"""Analysis: the sections asked for, worked out over the same what-ifs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from threading import Event
from typing import Final

from branchwise.analysis.options import AnalysisOptions
from branchwise.analysis.own_analysis import NOT_OWN, OWN_SECTIONS, OwnWhatIfs
from branchwise.analysis.sensitivity.ranges import fitting
from branchwise.analysis.table import Tabular
from branchwise.analysis.what_if import WhatIfs
from branchwise.errors import LimitError, ProblemError, UnsupportedError, did_you_mean
from branchwise.executors.executor import Executor
from branchwise.model.arguments import shown_in_notebook
from branchwise.model.checks.validate import checked
from branchwise.model.problem import Problem
from branchwise.space.own_space import OwnSpace
from branchwise.tree.deadline import Deadline
from branchwise.tree.progress import Listener, silent
from branchwise.tree.solution import Solution, Status

# Where each section is worked out: a module of this room, and a function in it that
# takes what-ifs and options. They are loaded when they are asked for.
_HOMES: Final[Mapping[str, tuple[str, str]]] = {
    "criticality": ("critical_actions.criticality", "criticality_section"),
    "frontier": ("sensitivity.frontier", "frontier_section"),
    "derivatives": ("sensitivity.derivatives", "derivatives_section"),
    "tornado": ("sensitivity.tornado", "tornado_section"),
    "thresholds": ("sensitivity.thresholds", "thresholds_section"),
    "strategies": ("sensitivity.strategies", "strategies_section"),
    "two-way": ("sensitivity.two_way", "two_way_section"),
    "uncertainty": ("sensitivity.uncertainty", "uncertainty_section"),
    "information": ("information.value_of_information", "information_section"),
    "risk": ("risk", "risk_section"),
    "cost-effectiveness": (
        "economics.cost_effectiveness",
        "cost_effectiveness_section",
    ),
}

# Sections that say nothing about a plan which is not the best, and what they need. All
# others evaluate the plan that there is.
_NEEDS: Final[Mapping[str, str]] = {
    "frontier": "needs the optimum of every budget",
    "thresholds": "needs the optimum at every value of a number",
    "strategies": "needs the optimum after every first action",
    "two-way": "needs the optimum at every pair of values",
    "information": "needs the optimum with and without what one would learn",
    "cost-effectiveness": "needs the optimum for every willingness to pay",
}

_INTERRUPTED: Final = "interrupted before it was worked out"

SECTIONS: Final = tuple(_HOMES)
"""The sections that an analysis may have, in their order."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """
    What was found about a problem.

    Parameters
    ----------
    problem
        What was looked into; None for a state space of one's own.
    solution
        Its best plan; where its status is not ``optimal``, the best that was found. The
        sections then keep this very plan after each change and evaluate it.
    sections
        What was found, by the name of the section.
    unreached
        Why the other sections that were asked for are not there, by their names.
    status
        ``optimal`` where all is there, ``time limit`` or ``interrupted`` where not;
        ``within gap`` where it is about a plan within the gap that was asked for.
    """

    problem: Problem | None
    solution: Solution
    sections: Mapping[str, Tabular]
    unreached: Mapping[str, str] = field(default_factory=dict)
    status: Status = Status.OPTIMAL

    @property
    def is_least_cost(self) -> bool:
        """Whether what counts is the cost of finishing, and no reward."""
        return self.problem is not None and self.problem.is_least_cost

    def _repr_html_(self) -> str:
        """Show the page of the analysis in a notebook."""
        return shown_in_notebook(self)


# Every argument past the first has a name and a default, so many do no harm.
def analyze(  # noqa: PLR0913
    problem: Problem | OwnSpace,
    *,
    only: Iterable[str] | None = None,
    options: AnalysisOptions | None = None,
    num_threads: int | None = None,
    gap: float = 0.0,
    time_limit_seconds: float | None = None,
    progress: Listener = silent,
    cancel: Event | None = None,
    executor: Executor | None = None,
) -> Analysis:
    """
    Look into a problem: what matters, what would change the plan, what more would buy.

    Parameters
    ----------
    problem
        What to look into: a problem, or a state space of your own, of which there are
        the sections criticality and risk.
    only
        The names of the sections wanted; all of `SECTIONS` unless said.
    options
        What the sections go by.
    num_threads
        How many what-ifs are solved at a time; as many as there are cores unless said.
    gap
        Do with a plan that no other can exceed by more than this share. Sections then
        keep that plan after each change and evaluate it; those that need the optimum
        are named as such, and why.
    time_limit_seconds
        How long all of it may take. Sections that are not done by then are named as
        such, and why. Where the best plan is not proven by half of it, the best that
        was found is looked into, as with a gap.
    progress
        Called with how many what-ifs are solved, of how many.
    cancel
        Set this event, from any thread, to end it like Ctrl-C, with what is done.
    executor
        Who solves the what-ifs instead of threads of this process: an executor of
        `concurrent.futures`, or a Dask client. The answer does not depend on it.

    Raises
    ------
    ExecutorError
        The executor has no workers any more, or such of another version.
    ProblemError
        The problem contradicts itself; the error lists every issue.
    ValueError
        There is no such section, or the options do not fit the problem; or a gap is
        given for a state space of one's own.

    Examples
    --------
    >>> from branchwise import Action, Reward
    >>> toss = Action("toss", outcomes={"heads": 0.5, "tails": 0.5})
    >>> problem = Problem([toss], [Reward(toss["heads"], 10)], budget=1)
    >>> found = analyze(problem, only=["criticality"])
    >>> found.sections["criticality"].action("toss").gain_certain
    5.0
    """
    if not isinstance(problem, Problem):
        if gap:
            raise ValueError("`gap` takes a problem: state spaces are solved whole")
        own = OwnWhatIfs(
            problem,
            deadline=Deadline.after(time_limit_seconds),
            progress=progress,
            cancel=cancel,
        )
        names = OWN_SECTIONS if only is None else checked_sections(only)
        return _of_own_space(own, options or AnalysisOptions(), names)
    asked = fitting(checked(problem), options or AnalysisOptions())
    wanted = _usual(problem, asked) if only is None else checked_sections(only)
    what_ifs = WhatIfs(
        problem,
        num_threads=num_threads,
        gap=gap,
        time_limit_seconds=time_limit_seconds,
        progress=progress,
        cancel=cancel,
        executor=executor,
    )
    return _worked_out(what_ifs, asked, wanted)


def _worked_out(
    what_ifs: WhatIfs, options: AnalysisOptions, wanted: Sequence[str]
) -> Analysis:
    """Work out all that is wanted, one section after another, as far as it goes."""
    deadline, status = what_ifs.deadline, what_ifs.solution.status
    found: dict[str, Tabular] = {}
    unreached: dict[str, str] = {}
    for number, name in enumerate(wanted):
        if status is Status.INTERRUPTED:
            unreached[name] = _INTERRUPTED
            continue
        # Each section is allotted its part of the time that is left.
        ahead = [n for n in wanted[number:] if what_ifs.is_proven or n not in _NEEDS]
        part = max(0.0, deadline.seconds_left) / max(len(ahead), 1)
        what_ifs.deadline = Deadline.after(part)
        try:
            if name in _NEEDS:
                what_ifs.need_proof(_NEEDS[name])
            found[name] = compute_section(name, what_ifs, options)
        except (ProblemError, UnsupportedError) as error:
            # With other numbers a plan may get stuck that must finish.
            unreached[name] = str(error)
        except LimitError as error:
            unreached[name] = str(error)
            is_out_of_time = what_ifs.is_proven or name not in _NEEDS
            if is_out_of_time and status in (Status.OPTIMAL, Status.WITHIN_GAP):
                status = Status.TIME_LIMIT
        except KeyboardInterrupt:
            unreached[name], status = _INTERRUPTED, Status.INTERRUPTED
    return Analysis(what_ifs.problem, what_ifs.solution, found, unreached, status)


def _of_own_space(
    what_ifs: OwnWhatIfs, options: AnalysisOptions, wanted: Sequence[str]
) -> Analysis:
    """Work out what there is of a state space of one's own, as far as it goes."""
    status = what_ifs.solution.status
    found: dict[str, Tabular] = {}
    unreached: dict[str, str] = {}
    for name in wanted:
        if name not in OWN_SECTIONS or status is Status.INTERRUPTED:
            unreached[name] = NOT_OWN if name not in OWN_SECTIONS else _INTERRUPTED
            continue
        try:
            found[name] = what_ifs.section(name, options)
        except LimitError as error:
            unreached[name] = str(error)
            status = Status.TIME_LIMIT if status is Status.OPTIMAL else status
        except KeyboardInterrupt:
            unreached[name], status = _INTERRUPTED, Status.INTERRUPTED
    return Analysis(None, what_ifs.solution, found, unreached, status)


def _usual(problem: Problem, options: AnalysisOptions) -> list[str]:
    """Return all sections; cost-effectiveness only where it is clear what counts."""
    weighed = [r for r in problem.budget if problem.cost_weight.of(r)]
    is_clear = bool(options.prices) or len(weighed) == 1
    is_left_out = not is_clear or problem.finish is not None
    return [s for s in SECTIONS if s != "cost-effectiveness" or not is_left_out]


def checked_sections(names: Iterable[str]) -> list[str]:
    """Put the names of sections in order, each once; refuse unknown ones."""
    asked = [names] if isinstance(names, str) else list(names)
    for name in asked:
        if name not in _HOMES:
            hint = did_you_mean(name, SECTIONS) or f"; there are {', '.join(SECTIONS)}"
            raise ValueError(f"there is no section `{name}`{hint}")
    return [name for name in SECTIONS if name in asked]


def compute_section(
    section: str, what_ifs: WhatIfs, options: AnalysisOptions
) -> Tabular:
    """Work one section out with what-ifs that are at hand."""
    module, function = _HOMES[section]
    home = import_module(f"branchwise.analysis.{module}")
    compute: Callable[[WhatIfs, AnalysisOptions], Tabular] = getattr(home, function)
    return compute(what_ifs, options)
