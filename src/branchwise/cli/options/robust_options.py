"""The options that ask for a robust plan, and the adversary they describe."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

import click

import branchwise
from branchwise.cli.options.quantities import share
from branchwise.cli.options.whole_number import WholeNumber

__all__ = ["robust_options"]

_robust = click.option(
    "--robust",
    is_flag=True,
    help="Find the plan that is worth most in the worst case: odds may be anything "
    "within their intervals and distances.",
)

_gamma = click.option(
    "--gamma",
    type=WholeNumber(0),
    metavar="N",
    help="With --robust: at most N actions along any path have other than nominal "
    "odds; all may unless said.",
)

_distance = click.option(
    "--distance",
    type=share,
    metavar="SHARE",
    help="With --robust: how far odds may be off, such as 5%, where the problem says "
    "nothing.",
)


def robust_options(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command ask for a robust plan: it is given an adversary, or None."""

    @_robust
    @_gamma
    @_distance
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
    """Give the adversary that the options ask for; None if they ask for none."""
    if not robust:
        for name, given in (("--gamma", gamma), ("--distance", distance)):
            if given is not None:
                raise click.UsageError(f"{name} goes with --robust: add `--robust`")
        return None
    try:
        return branchwise.Adversary(gamma, distance)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--distance") from None
