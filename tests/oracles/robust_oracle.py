"""The worst case by brute force, sharing no code with the package.

A document may say intervals, `"0.6 [0.5, 0.7]"` or `{"probability": ..., "low": ...,
"high": ...}`, and a distance. An action's probabilities are a polytope; the adversary
tries each of its vertices, at every state, as long as deviations are left.
"""

import itertools
import math
import re
from fractions import Fraction
from functools import cache

from oracles.oracle import Oracle, Step, after, number

INTERVAL = re.compile(r"(.*)\[(.*),(.*)\]")


def parts(written):
    """Probability, low and high as written; None where nothing is."""
    if isinstance(written, dict):
        nominal = written["probability"]
        if not {"low", "high"} & set(written):
            return nominal, None, None
        return nominal, written.get("low", nominal), written.get("high", nominal)
    match = INTERVAL.fullmatch(str(written))
    return tuple(p.strip() for p in match.groups()) if match else (written, None, None)


def ranges(outcomes):
    """Nominal, least and greatest probability of each outcome, and is any interval?"""
    written = {label: parts(text) for label, text in outcomes.items()}
    known = {o: number(p) for o, (p, _, _) in written.items() if p != "rest"}
    nominal = dict.fromkeys(outcomes, 1 - sum(known.values())) | known
    bounded = {o for o, (_, low, _) in written.items() if low is not None}
    free = [o for o in outcomes if o not in bounded]
    rest = [o for o in free if written[o][0] == "rest"]
    taker = (rest or (free if len(free) == 1 else [None]))[0] if bounded else None
    least = {o: number(written[o][1]) if o in bounded else nominal[o] for o in outcomes}
    most = {o: number(written[o][2]) if o in bounded else nominal[o] for o in outcomes}
    if taker is not None:
        others = [o for o in outcomes if o != taker]
        least[taker] = max(0, 1 - sum(most[o] for o in others))
        most[taker] = min(1, 1 - sum(least[o] for o in others))
    return {o: (nominal[o], least[o], most[o]) for o in outcomes}, bool(bounded)


def polytope(outcomes, distance):
    """The vertices of all probabilities there may be, one per outcome."""
    bounds, has_intervals = ranges(outcomes)
    if distance is not None and not has_intervals:
        bounds = {o: (p, Fraction(0), Fraction(1)) for o, (p, _, _) in bounds.items()}
    return vertices(tuple(bounds.values()), 1 if distance is None else distance)


@cache
def vertices(bounds, distance):
    """Every point where enough of the constraints a . x <= b are tight."""
    size = len(bounds)
    constraints = []
    for i, (_, low, high) in enumerate(bounds):
        unit = [Fraction(int(i == j)) for j in range(size)]
        constraints += [(unit, high), ([-x for x in unit], -low)]
    for count in range(1, size):  # No event's probability moves by more.
        for chosen in itertools.combinations(range(size), count):
            row = [Fraction(int(j in chosen)) for j in range(size)]
            most = sum(bounds[j][0] for j in chosen) + distance
            if most < 1:  # Otherwise it says nothing.
                constraints.append((row, most))
    whole = ([Fraction(1)] * size, Fraction(1))
    found = set()
    for tight in itertools.combinations(constraints, size - 1):
        point = solved([whole, *tight])
        if point and all(
            sum(a * x for a, x in zip(row, point, strict=True)) <= bound
            for row, bound in constraints
        ):
            found.add(point)
    return sorted(found)


def solved(equations):
    """The one solution of as many equations as unknowns, or None."""
    rows = [[*left, right] for left, right in equations]
    size = len(rows)
    for column in range(size):
        pivot = next((i for i in range(column, size) if rows[i][column]), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [x / rows[column][column] for x in rows[column]]
        for i in range(size):
            if i != column and rows[i][column]:
                factor = rows[i][column]
                pairs = zip(rows[i], rows[column], strict=True)
                rows[i] = [x - factor * y for x, y in pairs]
    return tuple(row[-1] for row in rows)


def is_alone(written):
    """Whether an outcome in its long form has no interval."""
    return isinstance(written, dict) and not {"low", "high"} & set(written)


class RobustOracle(Oracle):
    """V(s, g), with everything that any probabilities let happen as a child."""

    def __init__(self, doc, distance=None):
        self.blanket = None if distance is None else number(distance)
        super().__init__(doc)
        self.faced = cache(self.faced)

    def probabilities(self, body):
        """The nominal probabilities, and the vertices of all there may be."""
        written, distance = body["outcomes"], body.get("distance")
        # What an outcome does besides is no part of how likely it is.
        outcomes = {
            label: each["probability"] if is_alone(each) else each
            for label, each in written.items()
        }
        distance = None if distance is None else number(distance)
        said, has_intervals = ranges(outcomes)
        says_nothing = distance is None and not has_intervals
        nominal = [p for p, _, _ in said.values()]
        vertices = polytope(outcomes, self.blanket if says_nothing else distance)
        return list(outcomes), nominal, vertices

    def steps(self, state):
        steps = []
        for action, now, left in self.available(state):
            labels, nominal, vertices = now.probabilities
            children = {
                i: after(
                    state, action, outcome, self.paid_for(action, outcome, left)
                )._replace(
                    counters=self.counted(state, action, outcome),
                    ended=self.long(action, outcome).get("ends"),
                )
                for i, outcome in enumerate(labels)
                if any(vertex[i] > 0 for vertex in vertices)
            }
            steps.append((Step(action, now.cost, children), nominal, vertices))
        return steps

    def paid_for(self, action, outcome, left):
        """What is left once the outcome itself has been paid for."""
        costs = self.outcome_costs(action)[outcome]
        return tuple(have - cost for have, cost in zip(left, costs, strict=True))

    def faced(self, state, deviations):
        """Stop, or take the step that fares best whatever the adversary answers."""
        best = self.reward(state)
        for step, nominal, probabilities in self.steps(state):
            paid = sum(w * c for w, c in zip(self.weights, step.cost, strict=True))
            answers = [self.mean(step, nominal, deviations)]
            if deviations > 0:
                answers += [
                    self.mean(step, vertex, deviations - 1) for vertex in probabilities
                ]
            best = max(best, min(answers) - paid)
        return best

    def mean(self, step, probabilities, deviations):
        labels = list(self.actions[step.action]["outcomes"])
        costs = self.outcome_costs(step.action)
        return sum(
            probabilities[i]
            * (self.faced(s, deviations) - self.charge(costs[labels[i]]))
            for i, s in step.children.items()
        )

    def charge(self, costs):
        return sum(w * c for w, c in zip(self.weights, costs, strict=True))

    def worst_case(self, gamma=None):
        return self.faced(self.root, math.inf if gamma is None else gamma)
