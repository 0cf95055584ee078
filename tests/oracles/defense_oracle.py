"""The best defenses by brute force on plain documents, sharing no code with ours.

Every set of defenses is tried: what it leaves of the document goes to `oracle.py`. Also
random defenses for random documents, of every kind, some of which help the attacker.
"""

import copy
import itertools
from collections import namedtuple
from fractions import Fraction
from random import Random

from oracles import oracle
from oracles.oracle import number, possible
from problems.strategies import seeded_documents

Found = namedtuple("Found", "value cost size numbers names")


def hardened(document, chosen):
    """What is left of a document when these defenses, by name, are in place."""
    left = copy.deepcopy(document)
    defenses = [left["defenses"][name] for name in chosen]
    for name, body in left["actions"].items():
        for clause in [body, *body.get("given", [])]:
            raises = [
                d["raises"][name] for d in defenses if name in d.get("raises", {})
            ]
            if raises and (clause is body or "cost" in clause):
                clause["cost"] = added(clause.get("cost", 1), raises, left["budget"])
            if "outcomes" in clause:
                clause["outcomes"] = probabilities(
                    clause["outcomes"], body, name, defenses
                )
        if any(name in d.get("forbids", []) for d in defenses):
            body["requires"] = {"any": []}
    del left["defenses"]
    return left


def added(cost, raises, budget):
    resources = budget if isinstance(budget, dict) else None
    if resources is None:
        return str(sum(map(number, [cost, *raises])))
    parts = [p if isinstance(p, dict) else dict.fromkeys(resources, p) for p in raises]
    own = cost if isinstance(cost, dict) else dict.fromkeys(resources, cost)
    return {
        r: str(sum(number(part.get(r, 0)) for part in [own, *parts])) for r in resources
    }


def probabilities(outcomes, body, name, defenses):
    labels = list(body["outcomes"])
    now = possible(outcomes)
    for defense in defenses:
        if name in defense.get("changes", {}):
            now = possible(defense["changes"][name])
    before = {label: now.get(label, Fraction(0)) for label in labels}
    after, scaled = dict(before), set()
    for defense in defenses:
        for label, share in defense.get("scales", {}).get(name, {}).items():
            after[label] *= number(share)
            scaled.add(label)
    lost = 1 - sum(after.values())
    takers = [label for label in labels if label not in scaled]
    room = sum(before[label] for label in takers)
    for label in takers:
        part = before[label] / room if room else Fraction(1, len(takers))
        after[label] += lost * part
    # What an outcome does besides stays with it.
    long = {o: p for o, p in outcomes.items() if isinstance(p, dict)}
    return {
        o: long[o] | {"probability": str(share)} if o in long else str(share)
        for o, share in after.items()
    }


def sets(document):
    """Every set of defenses that may be chosen, as their numbers."""
    names = list(document["defenses"])
    for size in range(len(names) + 1):
        for numbers in itertools.combinations(range(len(names)), size):
            chosen = [names[n] for n in numbers]
            if not any(
                other in document["defenses"][name].get("excludes", [])
                for name in chosen
                for other in chosen
            ):
                yield numbers, chosen


def everything(document):
    """The attacker's optimum against every set, and how the sets compare."""
    for numbers, chosen in sets(document):
        value = oracle.value(hardened(document, chosen))
        costs = (number(document["defenses"][name].get("cost", 1)) for name in chosen)
        yield Found(value, sum(costs), len(chosen), numbers, tuple(chosen))


def best(found, budget, has=(), lacks=()):
    """The best of these within a budget: then the cheapest, fewest, first."""
    return min(
        (
            one
            for one in found
            if one.cost <= number(budget)
            and set(has) <= set(one.names)
            and not set(lacks) & set(one.names)
        ),
        default=None,
    )


def defended_documents(count, seed, most=5, **knobs):
    """Documents with random defenses, the same for the same seed."""
    documents = seeded_documents(count, seed, **knobs)
    for index, document in enumerate(documents):
        yield with_defenses(document, Random(f"{seed}/{index}"), most)


def with_defenses(document, random, most):
    defenses = _defenses(random, document, random.randint(1, most))
    budget = random.choice([0, 1, 2, 2, 3, "5/2", "unlimited"])
    return document | {"defenses": defenses, "defense_budget": budget}


def _defenses(random, document, count):
    names = [f"d{n + 1}" for n in range(count)]
    defenses = {name: _defense(random, document) for name in names}
    for one, other in itertools.combinations(names, 2):
        shared = set(defenses[one].get("changes", ())) & set(
            defenses[other].get("changes", ())
        )
        if shared or random.random() < 0.15:
            teller, told = random.sample([one, other], 2)
            defenses[teller].setdefault("excludes", []).append(told)
    return defenses


def _defense(random, document):
    defense = {}
    if random.random() < 0.6:
        defense["cost"] = random.choice([1, 1, 2, 0, "1/2", "3/2"])
    while not set(defense) - {"cost"}:
        for name, body in document["actions"].items():
            if random.random() < 0.4:
                kind = random.choice(["forbids", "raises", "changes", "scales"])
                _add_effect(
                    random, document, defense, kind, name, list(body["outcomes"])
                )
    return defense


def _add_effect(random, document, defense, kind, name, labels):
    if kind == "forbids":
        defense.setdefault(kind, []).append(name)
    elif kind == "raises":
        more = random.choice([1, 1, "1/2", 2])
        if isinstance(document["budget"], dict):
            more = {random.choice(list(document["budget"])): more}
        defense.setdefault(kind, {})[name] = more
    elif kind == "changes":
        cuts = sorted(random.randint(0, 4) for _ in labels[1:])
        parts = [b - a for a, b in itertools.pairwise([0, *cuts, 4])]
        shares = zip(labels, parts, strict=True)
        probabilities = {label: f"{part}/4" for label, part in shares if part}
        defense.setdefault(kind, {})[name] = probabilities
    elif len(labels) > 1:
        # Of every action, one and the same outcome always takes what is lost.
        taker = labels[hash_of(name) % len(labels)]
        losers = [label for label in labels if label != taker]
        chosen = random.sample(losers, random.randint(1, len(losers)))
        shares = {label: random.choice(["0.5", "1/4", "0", "0.9"]) for label in chosen}
        defense.setdefault(kind, {})[name] = shares


def hash_of(name):
    """The same number for the same name, on every machine."""
    return sum(name.encode())
