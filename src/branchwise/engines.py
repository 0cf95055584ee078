"""The engines: what each can do, how it is asked, and which one suits a task."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from branchwise.engine.limits import (
    Limits,
    Search,
    checked_search,
    enough_memory,
    watched,
)
from branchwise.errors import LimitError, NoPlanError
from branchwise.executors.executor import checked_executor
from branchwise.model.adversary import Adversary
from branchwise.model.features import (
    COMPARISONS,
    COUNTERS,
    ENDINGS,
    FEATURES,
    FINISH,
    HIDDEN,
    OUTCOME_COSTS,
    WHY_NO_SETS,
    features_of,
    refuse_features,
)
from branchwise.model.problem import Problem
from branchwise.records import dataclass
from branchwise.tree.choices.objectives import OBJECTIVE_NAMES
from branchwise.tree.choices.preference import Prefer, Preference
from branchwise.tree.progress import Listener, silent
from branchwise.tree.solution import Solution

if TYPE_CHECKING:
    from os import PathLike

    from branchwise.executors.executor import Executor
    from branchwise.rewarding.choice import SetChoices, WantedSets
    from branchwise.space.own_space import OwnSpace


class Feature(StrEnum):
    """What a task may ask of an engine, and why an engine with it is chosen."""

    STATE_SPACE = "it is a state space of your own"
    ROBUST_OBJECTIVE = "there is an adversary and a choice of your own among trees"
    OBJECTIVE_BY_SETS = "some rewarding sets count, and a choice of your own"
    OBJECTIVE = "you have a choice of your own among optimal trees"
    ROBUST_FRACTIONS = "fractions against an adversary are for `reference` only"
    FRACTIONS_BY_SETS = "fractions by some rewarding sets are for `reference` only"
    FRACTIONS = "it is to be computed with fractions"
    SOME_SETS = "only some rewarding sets count"
    NAIVE = "the naive full graph was asked for"
    ADVERSARY = "there is an adversary"
    SEARCH = "how to search was said"


_LACKS: Final = {
    Feature.OBJECTIVE: "has five objectives only; `canonical` and `reference` have all",
    Feature.FRACTIONS: "has no fractions; `canonical` and `reference` do",
    Feature.NAIVE: "has no naive full graph",
    Feature.ADVERSARY: "knows no adversary; `canonical` and `reference` do",
    Feature.SEARCH: "does not search; `canonical` does",
}
"""What is said of an engine without a feature, where its reason does not say it."""

_NOT_WITH_SOME_SETS: Final = {
    Feature.NAIVE: "without pruning there are no rewarding sets to go by",
    Feature.ADVERSARY: "a robust plan goes by all rewarding sets, not by some",
    Feature.STATE_SPACE: "a state space of your own has no rewarding sets",
}
"""What no engine can do when only some rewarding sets count."""

_WHY_NOT_ROBUST: Final = {
    HIDDEN: "what an outcome tells depends on its probabilities, so who chooses these "
    "would choose what is known as well, another for each plan",
    FINISH: "in the worst case a plan may never finish",
}
_RATHER_VARY: Final = (
    "see how the plan holds with other numbers: `analyze --only "
    "tornado,thresholds,uncertainty`, or solve with `--set` at the ends of an interval"
)
_OF_ROBUST: Final = frozenset({COUNTERS, COMPARISONS, ENDINGS, OUTCOME_COSTS})
"""What states may hold where there is an adversary, who knows no hidden facts."""

# Of a time limit, what listing rewarding sets may take.
_SHARE_FOR_SETS: Final = 0.25


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be solved, and how: the arguments of `solve`, once checked."""

    problem: Problem | OwnSpace  # A valid problem, or a state space
    prefer: Prefer = OBJECTIVE_NAMES[0]
    naive: bool = False
    exact: bool = False
    rewarding_sets: WantedSets | None = None
    adversary: Adversary | None = None
    engine: str = "auto"
    search: Search = "auto"
    num_threads: int | None = None
    limits: Limits = field(default_factory=Limits)
    progress: Listener = silent
    sets: SetChoices | None = None  # The rewarding sets to go by, listed
    spill: str | PathLike[str] | None = None  # A folder for states
    executor: Executor | None = None  # whose workers keep the states there

    def __post_init__(self) -> None:
        wanted = self.rewarding_sets
        if isinstance(wanted, Iterable) and not isinstance(wanted, str):
            # They may be asked for twice.
            object.__setattr__(self, "rewarding_sets", tuple(wanted))

    @enough_memory
    def solve(self) -> Solution:
        """Solve it by the engine that suits it."""
        engine, reason = self._chosen()
        # That sets cannot be listed is no reason to try another engine.
        sets = self.set_choices() if engine.name == "canonical" else None
        try:
            solution = engine.solve(self if sets is None else replace(self, sets=sets))
        except LimitError as error:
            is_asked = (self.engine, self.search, self.spill) != ("auto", "auto", None)
            if is_asked or reason or isinstance(error, NoPlanError):
                raise
            # Only the reference engine counts as finely as such a problem needs.
            solution, reason = TABLE["reference"].solve(self), str(error)
        # These engines say themselves how they went about it.
        is_known = solution.engine in ("canonical", "explicit")
        if is_known:
            return solution
        reasons = [each for each in (reason, solution.reason) if each]
        return replace(solution, reason="; ".join(reasons))

    def set_choices(self) -> SetChoices | None:
        """List the rewarding sets to go by; None where all count."""
        if self.rewarding_sets is None:
            return None
        self._refuse_with_some_sets()
        from branchwise.rewarding.choice import SetChoices  # noqa: PLC0415

        assert isinstance(self.problem, Problem)
        limit = self.limits.time_limit_seconds
        seconds = None if limit is None else limit * _SHARE_FOR_SETS
        return SetChoices(self.problem, self.rewarding_sets, time_limit_seconds=seconds)

    def _chosen(self) -> tuple[Engine, str]:
        """Return the engine to use, and why; the default one needs no reason."""
        if self.engine not in ENGINES:
            known = ", ".join(ENGINES)
            raise ValueError(f"there is no engine `{self.engine}`; there are {known}")
        features = self._features()
        self._refuse_with_some_sets()
        if self.engine != "auto":
            engine, reason = TABLE[self.engine], "it was asked for"
        else:
            asked = [each for each in features if each is not Feature.SEARCH]
            default, *_ = TABLE.values()
            engine = next(e for e in TABLE.values() if self._is_for(e, asked))
            reasons = [str(f) for f in asked if f not in default.features]
            reasons += [f"it has {each}" for each in self._held_beyond(default)]
            reason = next(iter(reasons), "")
        self._refuse(engine, features)
        return engine, reason

    def _is_for(self, engine: Engine, asked: Iterable[Feature]) -> bool:
        return engine.features.issuperset(asked) and not self._held_beyond(engine)

    def _held_beyond(self, engine: Engine) -> list[str]:
        """Return what the states hold that an engine cannot deal with."""
        if not isinstance(self.problem, Problem):
            return []
        return [f for f in features_of(self.problem) if f not in engine.states]

    def _refuse(self, engine: Engine, features: Iterable[Feature]) -> None:
        """Raise an error if an engine cannot do what is asked."""
        for feature in features:
            if feature not in engine.features:
                lack = _LACKS.get(feature, f"cannot do this: {feature}")
                raise ValueError(f"the engine `{engine.name}` {lack}")
        if not isinstance(self.problem, Problem):
            return
        fix = "let `auto` choose the engine, or say `reference`"
        what = f"the engine `{engine.name}`"
        refuse_features(self.problem, what, known=engine.states, fix=fix)
        if self.adversary is not None:
            refuse_features(
                self.problem,
                "a robust plan",
                known=_OF_ROBUST,
                why="; ".join(
                    _WHY_NOT_ROBUST[each]
                    for each in features_of(self.problem)
                    if each in _WHY_NOT_ROBUST
                ),
                fix=_RATHER_VARY,
            )
        if self.rewarding_sets is not None:
            refuse_features(
                self.problem, "a plan by some rewarding sets", why=WHY_NO_SETS
            )

    def _refuse_with_some_sets(self) -> None:
        features = self._features()
        for feature, what in _NOT_WITH_SOME_SETS.items():
            if Feature.SOME_SETS in features and feature in features:
                raise ValueError(what)

    def _features(self) -> list[Feature]:
        """Return what it asks of an engine, the strongest reason first."""
        is_own = not Preference.of(self.prefer).is_in_core
        is_robust = self.adversary is not None
        has_sets = self.rewarding_sets is not None
        asked = {
            Feature.STATE_SPACE: not isinstance(self.problem, Problem),
            Feature.ROBUST_OBJECTIVE: is_own and is_robust,
            Feature.OBJECTIVE_BY_SETS: is_own and has_sets,
            Feature.OBJECTIVE: is_own,
            Feature.ROBUST_FRACTIONS: self.exact and is_robust,
            Feature.FRACTIONS_BY_SETS: self.exact and has_sets,
            Feature.FRACTIONS: self.exact,
            Feature.SOME_SETS: has_sets,
            Feature.NAIVE: self.naive,
            Feature.ADVERSARY: is_robust,
            Feature.SEARCH: checked_search(self.search) != "auto",
        }
        return [feature for feature, is_asked in asked.items() if is_asked]


@dataclass(frozen=True, slots=True)
class Engine:
    """One way to solve a task."""

    name: str  # As `solve` knows it
    features: frozenset[Feature]  # What it can do beyond solving a problem in floats
    solve: Callable[[Task], Solution]  # Solves a task that asks no more than that
    # What states may hold besides outcomes and what is left; see `model.features`.
    states: frozenset[str] = frozenset()


# Start-up is felt, so each engine is loaded only when it is asked for.
def _canonical(task: Task) -> Solution:
    from branchwise.engine.canonical import CanonicalSolver  # noqa: PLC0415
    from branchwise.engine.exact.exactness import check_exactness  # noqa: PLC0415
    from branchwise.engine.preparation import (  # noqa: PLC0415
        NotReadyError,
        Preparation,
        unprepared,
    )

    assert isinstance(task.problem, Problem)
    if task.spill is not None:
        return _in_files(task, task.spill)
    faced, spent = task.adversary, task.sets.seconds if task.sets else 0
    if task.exact:
        check_exactness(task.problem)
    preparation = Preparation(task.limits.less(spent), task.progress)
    try:
        solver = CanonicalSolver(
            task.problem,
            num_threads=task.num_threads,
            adversary=faced,
            preparation=preparation,
        )
    except NotReadyError as error:
        return unprepared(
            task.problem,
            error.ending,
            prefer=Preference.of(task.prefer).name,
            is_exact=task.exact,
            adversary=faced,
        )
    return solver.solve(
        prefer=task.prefer,
        exact=task.exact,
        search=task.search,
        limits=preparation.left,
        adversary=faced,
        progress=task.progress,
        sets=task.sets,
    )


def _paper(task: Task) -> Solution:
    from branchwise.engine.paper import solve_by_paper  # noqa: PLC0415

    assert isinstance(task.problem, Problem)
    assert isinstance(task.prefer, str)
    return solve_by_paper(
        task.problem,
        prefer=task.prefer,
        naive=task.naive,
        limits=task.limits,
        num_threads=task.num_threads,
        progress=task.progress,
    )


def _explicit(task: Task) -> Solution:
    from branchwise.engine.explicit.explicit import solve_by_states  # noqa: PLC0415

    return solve_by_states(
        task.problem,
        prefer=task.prefer,
        naive=task.naive,
        limits=task.limits,
        progress=task.progress,
    )


def _reference(task: Task) -> Solution:
    progress = watched(task.progress, task.limits)
    if task.rewarding_sets is None:
        from branchwise.reference.pipeline import solve_by_reference  # noqa: PLC0415

        return solve_by_reference(
            task.problem,
            prefer=task.prefer,
            naive=task.naive,
            exact=task.exact,
            adversary=task.adversary,
            progress=progress,
        )
    from branchwise.reference.some_sets import solve_with_some_sets  # noqa: PLC0415

    assert isinstance(task.problem, Problem)
    return solve_with_some_sets(
        task.problem,
        task.rewarding_sets,
        prefer=task.prefer,
        exact=task.exact,
        progress=progress,
    )


_OF_CANONICAL: Final = frozenset(
    {
        Feature.OBJECTIVE,
        Feature.FRACTIONS,
        Feature.SOME_SETS,
        Feature.ADVERSARY,
        Feature.SEARCH,
    }
)

_OF_EXPLICIT: Final = frozenset({Feature.STATE_SPACE, Feature.NAIVE})

TABLE: Final = {
    engine.name: engine
    for engine in (
        Engine("canonical", _OF_CANONICAL, _canonical, states=frozenset(FEATURES)),
        Engine("paper", frozenset({Feature.NAIVE}), _paper, states=frozenset(FEATURES)),
        Engine("explicit", _OF_EXPLICIT, _explicit),
        Engine(
            "reference",
            frozenset(Feature) - {Feature.SEARCH},
            _reference,
            states=frozenset(FEATURES),
        ),
    )
}
"""The engines by name; ``auto`` takes the first that can do what is asked."""

ENGINES: Final = ("auto", *TABLE)
"""The engines there are; the first one, which chooses another, is the default."""


def _in_files(task: Task, folder: str | PathLike[str]) -> Solution:
    """Solve with states in a folder, here or with the workers of a cluster."""
    from branchwise.engine.spill import cluster_run, spilled_solver  # noqa: PLC0415

    assert isinstance(task.problem, Problem)
    if task.executor is not None:
        return cluster_run.solve_on_cluster(
            task.problem,
            folder,
            task.executor,
            prefer=task.prefer,
            search=task.search,
            limits=task.limits,
            progress=task.progress,
        )
    return spilled_solver.solve_in_folder(
        task.problem,
        folder,
        prefer=task.prefer,
        search=task.search,
        num_threads=task.num_threads,
        limits=task.limits,
        progress=task.progress,
    )


def refuse_with_spill(task: Task) -> None:
    """Refuse what cannot be worked out with states in files."""
    if task.executor is not None:
        checked_executor(task.executor)
    if task.spill is None:
        raise ValueError(
            "`executor` takes a folder for the states of its workers\n    fix: add "
            "spill='states'"
        )
    reasons = {
        "a state space of your own": (
            not isinstance(task.problem, Problem),
            "only problems have canonical states",
        ),
        f"the engine `{task.engine}`": (
            task.engine not in ("auto", "canonical"),
            "only `canonical` keeps its states in files",
        ),
        f"the search `{task.search}`": (
            task.search not in ("auto", "exhaustive"),
            "what is in files is explored to its end",
        ),
        "`gap`": (task.limits.gap > 0, "what is in files is explored to its end"),
        "`naive`": (task.naive, "only canonical states are kept in files"),
        "`exact`": (task.exact, "scores in files are floats"),
        "`rewarding_sets`": (
            task.rewarding_sets is not None,
            "what is in files goes by all of them",
        ),
        "an adversary": (task.adversary is not None, "scores in files are nominal"),
        f"the objective `{Preference.of(task.prefer).name}`": (
            not Preference.of(task.prefer).is_in_core,
            f"files go by {', '.join(OBJECTIVE_NAMES)} only",
        ),
    }
    for what, (is_asked, why) in reasons.items():
        if is_asked:
            message = f"`spill` does not go with {what}: {why}"
            raise ValueError(f"{message}\n    fix: leave one of them out")
