"""Aims as the command line takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

import branchwise

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["aim_option", "aims_option", "refuse_engine_options"]

# What says how to search for the highest expected reward says nothing about aims.
_OF_ENGINES: Final = {
    "engine": "--engine",
    "search": "--search",
    "gap": "--gap",
    "num_threads": "--threads",
    "naive": "--naive",
    "rewarding_sets": "--sets",
    "adversary": "--robust",
    "verify": "--verify",
}
_UNSAID: Final = ("auto", 0.0, None, False)


def _aim(text: str) -> branchwise.Aim:
    """Read an aim."""
    try:
        return branchwise.parse_aim(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


aim_option = click.option(
    "--aim",
    type=_aim,
    metavar="AIM",
    help="Make the most of this instead of the expected reward: `cvar=10%`, "
    "`at-least=50`, `exponential=100` (risk tolerance), or `table=0:0,50:0.8,100:1` "
    "(utilities).",
)


aims_option = click.option(
    "--aim",
    "aims",
    type=_aim,
    multiple=True,
    metavar="AIM",
    help="What plans are to make the most of in the section `risk`, as for `solve` "
    "(may be repeated).",
)


def refuse_engine_options(how: Mapping[str, object]) -> None:
    """Refuse options that do not go with an aim."""
    for name, option in _OF_ENGINES.items():
        if how[name] not in _UNSAID:
            raise click.UsageError(f"{option} does not go with --aim; leave it out")
