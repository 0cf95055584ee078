"""Random problems in which much is all but tied.

Gadgets have few different numbers, so that many of their plans are tied. Here each
number is off by so little that floats call the plans tied all the same: by some 1e-13,
or by less than a float can hold. Only exact arithmetic can tell what is best.
"""

from fractions import Fraction
from random import Random

from oracles.oracle import number
from problems.gadgets import gadget_documents

__all__ = ["near_tie_documents"]

SHARES = (Fraction(1, 10**13), Fraction(1, 10**14), Fraction(1, 10**18))


def near_tie_documents(count, seed, **knobs):
    """The documents of `gadget_documents`, with numbers that are a little off."""
    for document in gadget_documents(count, seed, **knobs):
        random = Random(document["name"])
        for body in document["actions"].values():
            for clause in (body, *body.get("given", ())):
                if "outcomes" in clause:
                    clause["outcomes"] = _shifted(clause["outcomes"], random)
        for reward in document["rewards"]:
            # Floats must tell rewards apart, or else `reference` is asked.
            share = random.choice((0, 1, 2, 3)) * SHARES[0]
            reward["value"] = str(number(reward["value"]) * (1 + share))
        yield document


def _shifted(outcomes, random):
    """Move a little probability from one outcome to another."""
    chances = {label: number(p) for label, p in outcomes.items() if p != "rest"}
    inner = [label for label, p in chances.items() if 0 < p < 1]
    if not inner or (len(inner) == 1 and "rest" not in outcomes.values()):
        return outcomes
    share = random.choice((-1, 0, 1, 2)) * random.choice(SHARES)
    chances[inner[0]] += share
    if "rest" not in outcomes.values():
        chances[inner[1]] -= share
    return outcomes | {label: str(p) for label, p in chances.items()}
