"""State spaces of one's own for tests: drawn at random, plain and in arrays."""

from fractions import Fraction
from random import Random

import numpy as np

from branchwise import AvailableAction, Transition
from branchwise.space import ArrayTransitions

SHARES = (
    (Fraction(1),),
    (Fraction(1, 2), Fraction(1, 2)),
    (Fraction(1, 4), Fraction(3, 4)),
    (Fraction(1, 3), Fraction(2, 3)),
    (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)),
    (Fraction(1, 2), Fraction(1, 2), Fraction(0)),
)
LABELS = ("good", "fair", "poor")


class RandomSpace:
    """States 0, 1, 2 and so on, whose actions lead to higher ones."""

    def __init__(self, seed, num_states=12):
        random = Random(seed)
        self.root = 0
        self._known = {}
        self.num_states = num_states
        self.rewards = [random.randint(-2, 6) for _ in range(num_states)]
        self.options = [self._drawn(random, state) for state in range(num_states)]

    def _drawn(self, random, state):
        names = [name for name in "abcd" if random.random() < 0.5]
        if state == self.num_states - 1:
            return []
        drawn = []
        for name in names:
            shares = random.choice(SHARES)
            children = [random.randint(state + 1, self.num_states - 1) for _ in shares]
            cost = random.randint(0, 3)
            charge = random.choice((0, 0, 0, Fraction(1, 2)))
            drawn.append(
                (name, list(zip(LABELS, shares, children, strict=False)), cost, charge)
            )
        return drawn

    def actions(self, state):
        for name, branches, cost, charge in self.options[state]:
            transitions = tuple(Transition(*branch) for branch in branches)
            yield AvailableAction(name, transitions, cost, charge)

    def reward(self, state):
        return self.rewards[state]

    def value(self, state):
        """What the best plan is worth from a state on, and its fewest nodes."""
        if state not in self._known:
            self._known[state] = self._worked_out(state)
        return self._known[state]

    def _worked_out(self, state):
        best, nodes = Fraction(self.rewards[state]), 1
        for _, branches, _, charge in self.options[state]:
            below = [(share, *self.value(child)) for _, share, child in branches]
            worth = sum(share * value for share, value, _ in below) - charge
            size = 1 + sum(count for _, _, count in below)
            if worth > best or (worth == best and 1 < size < nodes):
                best, nodes = worth, size
        return best, nodes


class ArrayTwin:
    """A random space in arrays: a state is its number, and that number negated."""

    action_names = tuple("abcd")
    outcome_names = LABELS

    def __init__(self, space):
        self.space = space
        self.root = [0, 0]

    def expand(self, states):
        rows = [
            (
                source,
                "abcd".index(name),
                LABELS.index(label),
                share,
                child,
                cost,
                charge,
            )
            for source, state in enumerate(states[:, 0].tolist())
            for name, branches, cost, charge in self.space.options[state]
            for label, share, child in branches
        ]
        # Rows may come in any order, as long as outcomes are in theirs.
        rows.sort(key=lambda row: row[1])
        columns = [np.array(column) for column in zip(*rows, strict=False)] or [
            np.zeros(0, int)
        ] * 7
        source, action, outcome, share, child, cost, charge = columns
        state = np.stack([child, -child], axis=1).reshape(-1, 2).astype(int)
        return ArrayTransitions(
            source,
            action,
            outcome,
            share.astype(float),
            state,
            cost.astype(float),
            charge.astype(float),
        )

    def reward(self, states):
        return np.array(self.space.rewards)[states[:, 0]]


class Trial:
    """Two drugs with uniform priors, and so many patients."""

    def __init__(self, patients):
        self.patients = patients
        self.root = (0, 0, 0, 0)

    def actions(self, results):
        if sum(results) == self.patients:
            return
        for place, name in ((0, "a"), (2, "b")):
            worked, failed = results[place] + 1, results[place + 1] + 1
            chance = Fraction(worked, worked + failed)
            yield AvailableAction(
                name,
                (
                    Transition("worked", chance, _more(results, place)),
                    Transition("failed", 1 - chance, _more(results, place + 1)),
                ),
                cost=1,
            )

    def reward(self, results):
        return results[0] + results[2]


class BoundedTrial(Trial):
    """The same; no more patients can be cured than are left."""

    def upper_bound(self, results):
        return self.reward(results) + self.patients - sum(results)


class ArrayTrial:
    """The same in arrays."""

    action_names = ("a", "b")
    outcome_names = ("worked", "failed")

    def __init__(self, patients):
        self.patients = patients
        self.root = np.zeros(4, dtype=np.int64)

    def expand(self, states):
        live = np.flatnonzero(states.sum(axis=1) < self.patients)
        parts = []
        for action in (0, 1):
            worked, failed = (states[live, 2 * action + i] + 1 for i in (0, 1))
            chance = worked / (worked + failed)
            for outcome, share in ((0, chance), (1, 1 - chance)):
                after = states[live].copy()
                after[:, 2 * action + outcome] += 1
                ids = (np.full(len(live), number) for number in (action, outcome))
                parts.append((live, *ids, share, after))
        columns = (np.concatenate(column) for column in zip(*parts, strict=False))
        return ArrayTransitions(*columns, cost=1)

    def reward(self, states):
        return states[:, 0] + states[:, 2]


def _more(results, place):
    return (*results[:place], results[place] + 1, *results[place + 1 :])
