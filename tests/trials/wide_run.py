"""
Random problems with hidden facts, counters and all that, against brute force.

Run `PYTHONPATH=tests python -m trials.wide_run --number 3000 --seed 1`. The first that
differs is printed as a problem file, and ends the run with 1.
"""

import argparse
import json
import sys

from agreement.test_wide import agree
from problems.wide_documents import wide_oracles


def main(arguments=None):
    """Compare as many problems as are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=3000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args(arguments)
    oracles = wide_oracles(options.number, options.seed, first=options.first)
    for number, oracle in enumerate(oracles, 1):
        try:
            agree(oracle)
        except AssertionError as error:
            print(json.dumps(oracle.doc, indent=2))
            print(error)
            return 1
        if number % 100 == 0:
            print(f"{number} problems agree", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
