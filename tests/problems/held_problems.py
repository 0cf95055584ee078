"""Random problems whose states hold counters, endings, knowledge and more."""

from fractions import Fraction
from random import Random

from branchwise import Action, Problem, Reward
from branchwise.model.action import Given
from branchwise.model.conditions.condition import (
    Attempted,
    Happened,
    all_of,
    any_of,
    negation,
)
from branchwise.model.conditions.quantity import count, left
from branchwise.model.counter import Counter
from branchwise.model.hidden import Hidden
from branchwise.model.outcome import Outcome

PARTS = ("endings", "costs", "counters", "counts", "left", "per", "hidden", "given")
FINISH = "finish"  # Not among them: what is drawn without it stays as it is.


class HeldProblem:
    """Draws one problem that uses some parts."""

    def __init__(self, seed, parts=PARTS):
        self.dice = Random(seed)
        self.parts = [part for part in PARTS if part in parts]
        self.must_finish = FINISH in parts
        self.names = [f"a{i}" for i in range(self.dice.randint(2, 5))]
        self.labels = {
            name: ["no", "ok", "odd"][: self.dice.choice([2, 2, 3])]
            for name in self.names
        }
        self.is_sum = self.dice.random() < 0.5 or "per" in self.parts
        self.counters = []
        if "counters" in self.parts or "per" in self.parts:
            for i in range(self.dice.choice([1, 1, 2])):
                low = self.dice.choice([0, 0, -1, 1])
                high = low + self.dice.choice([1, 2, 3])
                start = self.dice.choice([None, low, high])
                self.counters.append(Counter(f"c{i}", low=low, high=high, start=start))
        self.hidden = []
        if "hidden" in self.parts:
            for i in range(self.dice.choice([1, 1, 2])):
                given = ()
                if i and self.dice.random() < 0.4:
                    given = [
                        Given(Happened("h0", "x"), outcomes=self.chances(["x", "y"]))
                    ]
                labels = ["x", "y"] if self.dice.random() < 0.8 else ["x", "y", "z"]
                self.hidden.append(
                    Hidden(f"h{i}", outcomes=self.chances(labels), given=given)
                )

    def chances(self, labels, zeros=True):
        low = 0 if zeros and self.dice.random() < 0.15 else 1
        weights = [self.dice.randint(low, 4) for _ in labels]
        if not sum(weights):
            weights[0] = 1
        return {
            label: Fraction(weight, sum(weights))
            for label, weight in zip(labels, weights, strict=True)
        }

    def leaf(self, is_plain=True):
        kinds = ["fact", "fact"]
        kinds += ["counter"] * 2 if self.counters and "counters" in self.parts else []
        kinds += ["count"] if "counts" in self.parts else []
        kinds += ["left"] if "left" in self.parts else []
        kinds += ["hidden"] * 3 if self.hidden and not is_plain else []
        kind = self.dice.choice(kinds)
        name = self.dice.choice(self.names)
        if kind == "hidden":
            fact = self.dice.choice(self.hidden)
            return Happened(fact.name, self.dice.choice(fact.labels))
        if kind == "fact":
            if self.dice.random() < 0.2:
                return Attempted(name)
            return Happened(name, self.dice.choice(self.labels[name]))
        number = self.dice.randint(0, 3)
        if kind == "counter":
            counter = self.dice.choice(self.counters)
            found, number = counter, counter.low + number
        elif kind == "count":
            is_any = self.dice.random() < 0.4
            event = Happened(name, self.dice.choice(self.labels[name]))
            found = count(Attempted(name) if is_any else event)
        else:
            found = left("budget")
        signs = {
            ">=": lambda: found >= number,
            "<": lambda: found < number,
            "<=": lambda: found <= number,
            ">": lambda: found > number,
            "==": lambda: found.equals(number),
        }
        return signs[self.dice.choice([*signs])]()

    def condition(self, *, depth=2, is_plain=True):
        if depth == 0 or self.dice.random() < 0.5:
            leaf = self.leaf(is_plain)
            return negation(leaf) if self.dice.random() < 0.15 else leaf
        join = self.dice.choice([all_of, any_of])
        parts = [
            self.condition(depth=depth - 1, is_plain=is_plain)
            for _ in range(self.dice.choice([2, 2, 3]))
        ]
        joined = join(*parts)
        return negation(joined) if self.dice.random() < 0.1 else joined

    def effects(self):
        return {
            counter.name: self.dice.choice([-2, -1, 1, 1, 2])
            for counter in self.counters
            if self.dice.random() < 0.4
        }

    def outcome(self, label, chance):
        ends = None
        if "endings" in self.parts and self.dice.random() < 0.15:
            ends = self.dice.choice(["keep", "lose"])
        cost = 0
        if "costs" in self.parts and self.dice.random() < 0.3:
            cost = self.dice.choice([1, 2, Fraction(1, 2)])
        effects = self.effects() if self.dice.random() < 0.5 else {}
        return Outcome(label, chance, effects=effects, cost=cost, ends=ends)

    def action(self, name):
        labels = self.labels[name]
        chances = self.chances(labels)
        outcomes = tuple(self.outcome(label, chances[label]) for label in labels)
        given = []
        if self.hidden and self.dice.random() < 0.7:
            for _ in range(self.dice.choice([1, 1, 2])):
                when = self.condition(depth=1, is_plain=False)
                given.append(Given(when, outcomes=self.chances(labels)))
        elif "given" in self.parts and self.dice.random() < 0.3:
            cost = self.dice.choice([None, 1, 2])
            when = self.condition(depth=1)
            given.append(Given(when, outcomes=self.chances(labels), cost=cost))
        requires = {"requires": self.condition()} if self.dice.random() < 0.4 else {}
        bars = {"precluded_by": self.condition()} if self.dice.random() < 0.2 else {}
        return Action(
            name,
            outcomes=outcomes,
            cost=self.dice.choice([1, 1, 1, 2, 0, Fraction(1, 2)]),
            attempts=self.dice.choice([1, 1, 1, 2, 3]),
            given=given,
            effects=self.effects() if self.dice.random() < 0.5 else {},
            **requires,
            **bars,
        )

    def problem(self):
        rewards = [
            Reward(self.condition(is_plain=False), self.dice.choice([1, 2, 3, 5, 8]))
            for _ in range(self.dice.choice([1, 2, 3]))
        ]
        if self.is_sum and self.dice.random() < 0.4:
            rewards.append(Reward(self.condition(), -self.dice.choice([1, 2])))
        if "per" in self.parts:
            counter = self.dice.choice(self.counters)
            rewards.append(
                Reward(per=counter.name, value=self.dice.choice([-2, -1, 1, 2]))
            )
        weight = self.dice.choice([0, 0, 0, Fraction(1, 4)])
        actions = [self.action(name) for name in self.names]
        budget = self.dice.choice([2, 3, 4])
        purpose = self.purpose() if self.must_finish else {}
        return Problem(
            actions,
            () if "objective" in purpose else rewards,
            budget=budget,
            combine="sum" if self.is_sum else "max",
            cost_weight=weight,
            counters=self.counters,
            hidden=self.hidden,
            **purpose,
        )

    def purpose(self):
        """Where to finish; and often that only the cost of it counts."""
        finish = {"finish": self.condition()}
        if self.dice.random() < 0.4:
            return finish
        unfinished = self.dice.choice([None, 0, 1, 3, Fraction(15, 2)])
        return finish | {"objective": "least-cost", "unfinished": unfinished}


def held_problems(number, name, parts=PARTS):
    """Random problems, decided by a name."""
    return (HeldProblem(f"{name} {i}", parts).problem() for i in range(number))
