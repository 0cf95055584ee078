"""Options that several verbs take alike."""

from __future__ import annotations

from functools import partial
from typing import Final

import click

import branchwise
from branchwise.cli.options.quantities import memory, share, time
from branchwise.cli.options.text import TEXT
from branchwise.cli.options.whole_number import WholeNumber

__all__ = [
    "engine_option",
    "exact_option",
    "gap_option",
    "gap_with",
    "memory_limit_option",
    "memory_limit_with",
    "patience_option",
    "prefer_option",
    "seed_option",
    "threads_option",
    "time_limit_option",
    "time_limit_with",
]

_MOST_THREADS: Final = 1_024

engine_option = click.option(
    "--engine",
    type=click.Choice(branchwise.ENGINES),
    default=branchwise.ENGINES[0],
    show_default=True,
    help="What solves it; auto chooses, and says why.",
)

# What comes of a limit is for each verb to say: `@time_limit_with(help="...")`.
gap_with = partial(click.option, "--gap", type=share, metavar="SHARE", default=0.0)

time_limit_with = partial(
    click.option, "--time-limit", "time_limit_seconds", type=time, metavar="TIME"
)

memory_limit_with = partial(
    click.option,
    "--memory-limit",
    "memory_limit_bytes",
    type=memory,
    metavar="MEMORY",
)

gap_option = gap_with(
    help="Stop when no plan can be better by more than this, such as 1%."
)

time_limit_option = time_limit_with(
    help="Stop after so many seconds, or 5m, with the best plan so far."
)

patience_option = time_limit_with(help="Give up after so many seconds, or 5m.")

memory_limit_option = memory_limit_with(
    help="Stop at so much memory, such as 2GB, with the best plan so far."
)

threads_option = click.option(
    "--threads",
    "num_threads",
    type=WholeNumber(1, _MOST_THREADS),
    metavar="N",
    help="How many threads to use; all cores unless said.",
)

exact_option = click.option("--exact", is_flag=True, help="Compute with fractions.")

prefer_option = click.option(
    "--prefer",
    type=click.Choice(branchwise.OBJECTIVE_NAMES),
    metavar="OBJECTIVE",
    default=branchwise.OBJECTIVE_NAMES[0],
    help="Which of several best plans to choose: "
    f"{', '.join(branchwise.OBJECTIVE_NAMES)}.",
)

seed_option = click.option(
    "--seed",
    type=TEXT,
    default="0",
    show_default=True,
    help="What decides all that is left to chance.",
)
