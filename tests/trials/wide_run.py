"""
Random problems with hidden facts, counters and all that, against brute force.

Run `PYTHONPATH=tests python -m trials.wide_run --number 3000 --seed 1`. The first that
differs is printed as a problem file, and ends the run with 1.
"""

import json
import sys

import click

from agreement.test_wide import agree
from agreement.test_wide_canonical import agree_over_canonical_states
from agreement.test_wide_paper import agree_by_paper
from problems.wide_documents import wide_oracles


@click.command(help=__doc__)
@click.option("--number", default=3000)
@click.option("--seed", default="1")
@click.option("--first", default=0)
def main(number, seed, first):
    """Compare as many problems as are asked for."""
    for done, oracle in enumerate(wide_oracles(number, seed, first=first), 1):
        try:
            agree(oracle)
            agree_over_canonical_states(oracle)
            agree_by_paper(oracle)
        except AssertionError as error:
            click.echo(json.dumps(oracle.doc, indent=2))
            click.echo(error)
            sys.exit(1)
        if done % 100 == 0:
            click.echo(f"{done} problems agree")


if __name__ == "__main__":
    main()
