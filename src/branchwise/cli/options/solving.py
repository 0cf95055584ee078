"""Options that say how to solve: engines, limits, aims and adversaries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial, wraps
from logging import CRITICAL, getLogger
from typing import TYPE_CHECKING, Final, TypedDict

import click

import branchwise
from branchwise.cli.options import values
from branchwise.cli.options.values import TEXT, WholeNumber, choice_option, valued

if TYPE_CHECKING:
    from branchwise.executors.executor import Executor

_MOST_THREADS: Final = 1_024

engine_option = choice_option(
    "--engine", branchwise.solver.ENGINES, "What solves it; auto chooses, and says why."
)

gap_option = valued(
    "--gap SHARE",
    values.share,
    "Stop when nothing can be better by more than this, such as 1%.",
    default=0.0,
)

time_limit_option = valued(
    "--time-limit time_limit_seconds TIME",
    values.time,
    "Stop after so many seconds, or 5m, with the best so far.",
)

memory_limit_option = valued(
    "--memory-limit memory_limit_bytes MEMORY",
    values.memory,
    "Stop at so much memory, such as 2GB, with the best so far.",
)

spill_option = valued(
    "--spill FOLDER",
    TEXT,
    "Keep the states in files of this folder, where they do not fit into "
    "--memory-limit; what was broken off goes on with the same folder.",
)

threads_option = valued(
    "--threads num_threads N",
    WholeNumber(1, _MOST_THREADS),
    "How many threads to use; all cores unless given.",
)

cluster_option = valued(
    "--cluster ADDRESS",
    TEXT,
    "Who does the work: local:4 for four processes of this machine, or the address of "
    "a Dask scheduler, or its scheduler file.",
)

exact_option = click.option("--exact", is_flag=True, help="Compute with fractions.")


@contextmanager
def executor_at(address: str | None) -> Iterator[Executor | None]:
    """Connect to a cluster if there is to be one."""
    if address is None:
        yield None
        return
    from branchwise.executors.cluster import cluster  # noqa: PLC0415

    try:
        opened = cluster(address)
        with opened as client:
            # What is wrong with a cluster is told once, and as other errors are.
            getLogger("distributed").setLevel(CRITICAL)
            getLogger("distributed.client").setLevel(CRITICAL)
            yield client
    except ImportError as error:
        raise click.UsageError(str(error)) from None


class Limits(TypedDict):
    """How well and how long to solve, as a command hands it on: `solve(**limits)`."""

    gap: float
    time_limit_seconds: float | None
    memory_limit_bytes: int | None
    exact: bool


def limits_options(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command ask how well and how long to solve: it is given `limits`."""

    @gap_option
    @time_limit_option
    @memory_limit_option
    @exact_option
    @wraps(command)
    def asked(
        *,
        gap: float,
        time_limit_seconds: float | None,
        memory_limit_bytes: int | None,
        exact: bool,
        **options: object,
    ) -> None:
        limits = Limits(
            gap=gap,
            time_limit_seconds=time_limit_seconds,
            memory_limit_bytes=memory_limit_bytes,
            exact=exact,
        )
        command(limits=limits, **options)

    return asked


naive_option = click.option(
    "--naive", is_flag=True, help="Explore every state, without pruning."
)


def _preference(text: str) -> str:
    try:
        return branchwise.tree.Preference.of(text).name
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


prefer_option = valued(
    "--prefer OBJECTIVE",
    _preference,
    "Which of several best plans to choose: "
    f"{', '.join(branchwise.tree.OBJECTIVE_NAMES)}, random or random=SEED, or an order "
    "of actions of yours, as in order=b,a.",
    default=branchwise.tree.OBJECTIVE_NAMES[0],
)

seed_option = valued(
    "--seed", TEXT, "What decides all that is left to chance.", usual="0"
)

_robust_option = click.option(
    "--robust",
    is_flag=True,
    help="Find the plan that is worth most in the worst case: probabilities may be "
    "anything within their intervals and distances.",
)

_gamma_option = valued(
    "--gamma N",
    WholeNumber(0),
    "With --robust: at most N actions along any path have other than nominal "
    "probabilities; all may unless given.",
)

_distance_option = valued(
    "--distance SHARE",
    values.share,
    "With --robust: how far probabilities may be off, such as 5%, where the "
    "problem says nothing.",
)


def _aim(text: str) -> branchwise.risk.Aim:
    try:
        return branchwise.risk.parse_aim(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


# Where several are taken: `@aim_with("aims", multiple=True)`.
aim_with = partial(
    click.option,
    "--aim",
    type=_aim,
    metavar="AIM",
    help="Make the most of this instead of the expected reward: `cvar=10%`, "
    "`at-least=50`, `at-most=12` (of the least cost), `exponential=100` (risk "
    "tolerance), or `table=0:0,50:0.8,100:1` "
    "(utilities).",
)


def robust_options(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command ask for a robust plan: it is given an adversary, or None."""

    @_robust_option
    @_gamma_option
    @_distance_option
    @wraps(command)
    def asked(
        *, robust: bool, gamma: int | None, distance: float | None, **options: object
    ) -> None:
        adversary = _adversary(robust=robust, gamma=gamma, distance=distance)
        command(adversary=adversary, **options)

    return asked


def _adversary(
    *, robust: bool, gamma: int | None, distance: float | None
) -> branchwise.Adversary | None:
    if not robust:
        for name, given in (("--gamma", gamma), ("--distance", distance)):
            if given is not None:
                raise click.UsageError(f"{name} goes with --robust: add `--robust`")
        return None
    try:
        return branchwise.Adversary(gamma, distance)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--distance") from None
