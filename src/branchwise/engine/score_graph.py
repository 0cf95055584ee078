"""Score graphs from the core: states explored in C++, handed over as arrays."""

from typing import Any, Final

import branchwise._core as core
from branchwise.engine.limits import PRUNED_STATES, Limits, reported, thread_count
from branchwise.engine.lower import Lowered
from branchwise.engine.paper import listed_sets
from branchwise.model.features import refuse_features
from branchwise.model.problem import Problem
from branchwise.space.score_graph import ScoreGraph
from branchwise.tree.progress import Listener, silent

_CODES: Final[dict[str, Any]] = {  # by which the bytes of the core are read as numbers
    **dict.fromkeys(("rewards", "charges", "probabilities", "gains"), "d"),
    **dict.fromkeys(("first_options", "first_branches"), "Q"),
    **dict.fromkeys(("actions", "variants", "outcomes", "children"), "I"),
    "may_stop": "B",
}


def canonical_score_graph(
    problem: Problem, *, num_threads: int | None = None, progress: Listener = silent
) -> ScoreGraph:
    """Explore every canonical state of a problem."""
    # What `progress` raises ends the run. A `LimitError` says that the costs are too
    # fine to be counted in 64 bits.
    engine = core.CanonicalEngine(Lowered(problem).instance, thread_count(num_threads))
    objective = core.Objective.FEWEST_NODES
    is_done, _ = engine.explore(objective, None, None, reported(progress, Limits()))
    if not is_done:
        raise KeyboardInterrupt  # Without limits nothing else ends a run.
    return _from_core(core.ScoreGraph(engine), problem, is_canonical=True)


def paper_score_graph(
    problem: Problem, *, naive: bool = False, progress: Listener = silent
) -> ScoreGraph:
    """Generate the full graph of a problem, the paper's way."""
    # What `progress` raises ends the run. A `LimitError` says that the costs are too
    # fine to be counted in 64 bits.
    refuse_features(problem, "the paper's full graph", known=PRUNED_STATES)
    lowered = Lowered(problem, every_resource=True)
    unlimited = Limits()
    try:
        sets = None if naive else listed_sets(lowered, unlimited, progress)
        graph = core.paper_score_graph(
            lowered.instance, sets, reported(progress, unlimited)
        )
    except core.RunStopped:
        raise KeyboardInterrupt from None
    return _from_core(graph, problem, is_canonical=False)


def _from_core(
    graph: core.ScoreGraph, problem: Problem, *, is_canonical: bool
) -> ScoreGraph:
    """Look at the bytes of the core as numbers; nothing is copied."""
    seen = {name: memoryview(getattr(graph, name)) for name in _CODES}
    arrays: dict[str, Any] = {name: seen[name].cast(_CODES[name]) for name in seen}
    return ScoreGraph(
        **arrays,
        action_names=tuple(action.name for action in problem.actions),
        labels=tuple(action.labels for action in problem.actions),
        root_gain=graph.root_gain,
        is_canonical=is_canonical,
    )
