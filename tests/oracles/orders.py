"""Rewarding sets of a document by brute force, sharing no code with the package.

Everything that can happen is carried out in every order, each outcome at most once. The
sets of outcomes after which a level is reached are kept where no smaller one will do.
"""

from oracles.oracle import Oracle, number


def rewarding_sets(doc):
    """Every (level, frozenset of (action, outcome)).

    A level is the reward to have at least, or with `sum` the position of a reward.
    """
    oracle = Oracle(doc)
    feasible = {}
    for state in states_without_repeats(oracle):
        for level in levels_reached(oracle, state):
            feasible.setdefault(level, set()).add(frozenset(state.happened))
    return {
        (level, each)
        for level, sets in feasible.items()
        for each in sets
        if not any(other < each for other in sets)
    }


def states_without_repeats(oracle):
    """The states to which outcomes that differ lead; each tells what is left, too."""
    found, waiting = {oracle.root}, [oracle.root]
    while waiting:
        for step in oracle.steps(waiting.pop()):
            for _, state in step.children.values():
                if state not in found and len({*state.happened}) == len(state.happened):
                    found.add(state)
                    waiting.append(state)
    return found


def levels_reached(oracle, state):
    values = [number(reward["value"]) for reward in oracle.doc["rewards"]]
    if oracle.doc.get("combine", "max") == "max":
        return {v for v in values if 0 < v <= oracle.reward(state)}
    holds = [oracle.holds(reward["when"], state) for reward in oracle.doc["rewards"]]
    return {i for i, v in enumerate(values) if v and holds[i] == (v > 0)}
