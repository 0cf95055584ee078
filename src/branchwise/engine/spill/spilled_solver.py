"""Solving with states in files of a folder."""

from __future__ import annotations

import os
import time
from typing import NamedTuple

import branchwise._core as core
from branchwise.engine.limits import Limits, Search, checked_search, thread_count
from branchwise.engine.lower import Lowered
from branchwise.engine.spill.spilled_run import USUAL_PARTS, PartLimits, SpilledRun
from branchwise.engine.spill.state_folder import in_our_words, state_folder
from branchwise.model.problem import Problem
from branchwise.tree.choices.objectives import OBJECTIVE_NAMES
from branchwise.tree.choices.preference import Prefer, Preference
from branchwise.tree.progress import Listener, silent
from branchwise.tree.solution import Solution


def solve_in_folder(  # noqa: PLR0913 -- one for every way to be asked
    problem: Problem,
    folder: str | os.PathLike[str],
    *,
    prefer: Prefer = OBJECTIVE_NAMES[0],
    search: Search = "auto",
    num_threads: int | None = None,
    limits: Limits | None = None,
    progress: Listener = silent,
    parts: PartLimits = USUAL_PARTS,
) -> Solution:
    """Find the optimal tree, with states in a folder that may hold some already."""
    began = time.perf_counter()
    lowered, number = Lowered(problem), thread_count(num_threads)

    def begun() -> core.CanonicalEngine:
        return core.CanonicalEngine(lowered.instance, number)

    with state_folder(folder, core.digest_of(lowered.instance)) as path:
        with in_our_words():
            spill = core.Spill(lowered.instance, number, str(path))
        limits = (limits or Limits()).less(time.perf_counter() - began)
        preference = Preference.of(prefer)
        run = SpilledRun(spill, path, begun, limits, preference, progress, parts)
        run.go(checked_search(search))
        return run.solution(problem, None)


class ExploredLayer(NamedTuple):
    """The states of one rank in one part, and how long they took."""

    rank: int
    num_states: int
    seconds: float


def explored_layers(
    problem: Problem, folder: str | os.PathLike[str]
) -> list[ExploredLayer]:
    """Return what is explored in a folder, in the order in which it was."""
    instance = Lowered(problem).instance
    with state_folder(folder, core.digest_of(instance)) as path, in_our_words():
        spill = core.Spill(instance, 1, str(path))
        return [
            ExploredLayer(rank, count, seconds)
            for part in range(spill.num_parts)
            for (rank, count), seconds in zip(
                spill.layers(part), spill.layer_seconds(part), strict=True
            )
        ]
