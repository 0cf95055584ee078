"""A walk over an engine's states beside the raw states of brute force.

An engine's graph says which actions it considers at a state and where their outcomes
lead. Following all of them from the root, in both worlds at once, one comes to pairs:
a raw state, and the engine's state that stands for it.
"""

import math
from collections import namedtuple

__all__ = ["Pair", "graph_scores", "walk_pairs"]

# What is earned on the way to the engine's state, and no part of it, is secured.
Pair = namedtuple("Pair", "raw state secured offered available")


def walk_pairs(oracle, graph):
    """Every pair that can be met; the actions that the engine offers and there are."""
    start = (oracle.root, 0, graph.root_gain)
    met, pending = {start[:2]}, [start]
    while pending:
        raw, state, secured = pending.pop()
        available = {
            index: (offer, rest) for index, offer, rest in oracle.available(raw)
        }
        offered = {graph.actions[option]: option for option in graph.options(state)}
        yield Pair(raw, state, secured, set(offered), set(available))
        for action, option in offered.items():
            assert action in available, (oracle.doc, action, "cannot be taken")
            offer, rest = available[action]
            places = [graph.outcomes[branch] for branch in graph.branches(option)]
            assert places == [place for _, _, place in offer.probabilities], oracle.doc
            for branch, (chance, unit, _) in zip(
                graph.branches(option), offer.probabilities, strict=True
            ):
                assert abs(graph.probabilities[branch] - chance) < 1e-12, oracle.doc
                child = (raw[0] + unit, rest), graph.children[branch]
                if child not in met:
                    met.add(child)
                    pending.append((*child, secured + graph.gains[branch]))


def graph_scores(graph):
    """The score of every state, from the last to the first."""
    scores = [0.0] * len(graph)
    for state in reversed(range(len(graph))):
        may_stop = graph.may_stop[state] or not graph.options(state)
        scores[state] = graph.rewards[state] if may_stop else -math.inf
        for option in graph.options(state):
            total = -graph.charges[option]
            for branch in graph.branches(option):
                child = scores[graph.children[branch]]
                total += graph.probabilities[branch] * (child + graph.gains[branch])
            scores[state] = max(scores[state], total)
    return scores
