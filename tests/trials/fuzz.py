"""Any number of random problems, any seed: do the engines say what brute force says?

    PYTHONPATH=tests python -m trials.fuzz --count 1000000 --seed 1 --through auto

Every problem is solved by all searches that fit it; or through `auto`, in
turns of a few states and now and then as users do it. Every tenth, or fiftieth, is
solved once more, by the other engines, exactly, and against an adversary in turn. The
first that differs is printed as a problem file with both answers, and the command ends
with 1. A problem depends on seed, kind and number, and on nothing else.
"""

import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial

import click
import yaml

from oracles.auto_differences import first_auto_difference
from oracles.differences import (
    ELSEWHERE,
    first_difference,
    first_difference_elsewhere,
    first_robust_difference,
)
from oracles.quick_oracle import QuickOracle
from problems.gadgets import gadget_oracles
from problems.strategies import seeded_oracles

AT_ONCE = 250
MOST_STATES = 200
MOST_ROBUST_STATES = 80


def built(count, seed, *, first):
    """Built problems; every eighth has one of the rare parts."""
    for index in range(first, first + count):
        part = "rare" if index % 8 == 7 else None
        how = {"part": part, "max_states": MOST_STATES}
        yield from gadget_oracles(1, seed, first=index, **how)


KINDS = {
    "gadgets": built,
    "uniform": partial(seeded_oracles, max_states=MOST_STATES, brute_force=QuickOracle),
}

# What every problem is asked, and how many there are for one that goes elsewhere, too.
THROUGH = {"searches": (first_difference, 10), "auto": (first_auto_difference, 50)}


def portions(count, kinds):
    """Kind, first number and size of each portion; kinds take turns."""
    shares = {kind: count // len(kinds) for kind in kinds}
    shares[kinds[0]] += count % len(kinds)
    found = []
    for kind, share in shares.items():
        starts = range(0, share, AT_ONCE)
        found += [(first, kind, min(AT_ONCE, share - first)) for first in starts]
    return [(kind, first, size) for first, kind, size in sorted(found)]


def check(kind, seed, through, first, size):
    """Check a portion; the document that differs and how, or None."""
    differs, every = THROUGH[through]
    oracles = KINDS[kind](size, f"fuzz {seed}", first=first)
    for number, oracle in enumerate(oracles, start=first):
        found = differs(oracle)
        if found is None and number % every == 0:
            found = other_difference(number // every, oracle)
        if found is not None:
            return oracle.doc, found
    return None


def other_difference(turn, oracle):
    """The other ways take turns."""
    way = [*ELSEWHERE, "robust"][turn % (len(ELSEWHERE) + 1)]
    if way != "robust":
        return first_difference_elsewhere(oracle, [way])
    is_small = len(oracle.known) <= MOST_ROBUST_STATES
    return first_robust_difference(oracle) if is_small else None


class Clock:
    """How many were checked, and how fast."""

    def __init__(self, count):
        self.count, self.done, self.start = count, 0, time.perf_counter()
        self.last = self.start

    @property
    def rate(self):
        return self.done / (time.perf_counter() - self.start)

    def add(self, size):
        self.done += size
        if time.perf_counter() - self.last > 5:
            self.last = time.perf_counter()
            click.echo(f"{self.done:,} of {self.count:,}, {self.rate:.0f}/s", err=True)


@click.command()
@click.option("--count", type=click.IntRange(min=1), default=10_000, show_default=True)
@click.option("--seed", default="1", show_default=True, help="Any text.")
@click.option("--kind", type=click.Choice([*KINDS, "both"]), default="both")
@click.option("--through", type=click.Choice([*THROUGH]), default="searches")
@click.option("--jobs", type=click.IntRange(min=1), default=os.cpu_count() or 1)
def main(count, seed, kind, through, jobs):
    """Compare the engines with brute force on random problems."""
    clock = Clock(count)
    kinds = list(KINDS) if kind == "both" else [kind]
    checks = partial(check, seed=seed, through=through)
    for size, difference in compare(checks, portions(count, kinds), jobs):
        if difference is not None:
            report(*difference)
            sys.exit(1)
        clock.add(size)
    click.echo(f"{count} problems, none differs, {clock.rate:.0f} per second")


def compare(checks, parts, jobs):
    """The size of each portion that is done, and the difference found in it."""
    with ProcessPoolExecutor(jobs) as pool:
        sizes = {
            pool.submit(checks, kind, first=first, size=size): size
            for kind, first, size in parts
        }
        try:
            for future in as_completed(sizes):
                yield sizes[future], future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def report(doc, what):
    """Show the problem that differs, as a file that can be solved."""
    click.echo(yaml.safe_dump(doc, sort_keys=False, default_flow_style=None))
    click.echo(f"# {what}")


if __name__ == "__main__":
    main()
