"""
The registry of dependency graphs that rewarding sets are measured on.

Graphs of the paper's kind: layers of actions, each with one to `width` prerequisites in
the layer before, joined by `and` or by `or`; a reward for any of three actions in the
last layer. No preclusions, as in the paper's benchmarks.
"""

from dataclasses import dataclass
from itertools import pairwise
from random import Random

from branchwise import Action, Problem, Reward


@dataclass(frozen=True)
class Graph:
    """A graph to make, and how many rewarding sets it has."""

    num_actions: int
    num_layers: int
    width: int
    seed: int
    num_sets: int

    def __str__(self):
        return f"{self.num_actions} actions, {self.num_sets:,} sets"

    def problem(self):
        """Make the graph; the same one on every machine."""
        random = Random(f"{self.num_actions}/{self.num_layers}/{self.seed}")
        size = self.num_actions // self.num_layers
        layers = [
            [f"a{layer}.{i}" for i in range(size)] for layer in range(self.num_layers)
        ]
        actions = [self._action(name, [], random) for name in layers[0]]
        for before, layer in pairwise(layers):
            actions += [self._action(name, before, random) for name in layer]
        goal = " or ".join(f"{name}=ok" for name in layers[-1][:3])
        rewards = [Reward(goal, 100)]
        return Problem(actions, rewards, budget=self.num_actions, name=str(self))

    def _action(self, name, before, random):
        # Only `random()` is the same in every release of Python.
        known = sorted(before, key=lambda _: random.random())
        chosen = known[: 1 + int(random.random() * self.width)]
        word = " or " if random.random() < 0.6 else " and "
        requires = word.join(f"{needed}=ok" for needed in chosen) or "always"
        probabilities = {"fail": "rest", "ok": f"0.{1 + int(random.random() * 9)}"}
        return Action(name, outcomes=probabilities, requires=requires)


GRAPHS = (
    Graph(15, 3, 3, seed=7, num_sets=12),
    Graph(25, 5, 3, seed=5, num_sets=47),
    Graph(40, 8, 3, seed=7, num_sets=239),
    Graph(60, 10, 3, seed=7, num_sets=1_388),
    Graph(200, 20, 3, seed=3, num_sets=12_434),
    Graph(200, 20, 4, seed=1, num_sets=107_130),
    Graph(200, 20, 4, seed=0, num_sets=29_682_869),
    Graph(200, 66, 3, seed=3, num_sets=1_088_756_697_600),
)

PROGRAM_GRAPHS = GRAPHS[:3]
"""Those that the 0/1 program is measured on; more would take it minutes."""
