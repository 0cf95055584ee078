"""
Ways to tamper with a certificate so that what it claims is no longer proven.

A certificate of a small problem is tight: its plan says all that the plan is worth, and
no bound could be lower. A tampering that leaves the claim proven would be no lie, so
that each of these says why what it changes cannot be true.
"""

import copy
import json
from fractions import Fraction

import branchwise
from branchwise.certificate import checker
from branchwise.certificate import proof as room
from branchwise.certificate.proof_rows import ProofRows

A_BIT = Fraction(1, 10**9)


class Honest:
    """A certificate as it should be, and what it takes to lie about it."""

    def __init__(self, problem):
        self.document = json.loads(branchwise.certify(problem).text())
        self.problem = checker.Problem(self.document["problem"])
        reasons = iter(tuple(row[1:]) for row in self.document["bounds"])
        self.bounds = ProofRows(
            self.problem, checker.bounding, lambda state: next(reasons)
        )
        self.bounds.work_out(upward=True)
        self.plan = room.greedy(self.bounds)
        self.policy = ProofRows(self.problem, checker.following, self.plan)

    def copy(self):
        return copy.deepcopy(self.document)

    def score(self, state):
        return self.bounds.values[self.bounds.places[state]]

    def worse_actions(self, state):
        """Actions that can be taken there, but are worth less than the state."""
        options = self.bounds.options[self.bounds.places[state]][1:]
        modes = self.problem.space.available(state)
        return [
            mode.name
            for mode, option in zip(modes, options, strict=False)
            if self.bounds.total(option) < self.score(state)
        ]


def add(row, place, amount):
    row[place] = str(Fraction(row[place]) + amount)


def raise_the_claim(honest, document, random):
    add(document["claim"], "at_least", A_BIT)


def lower_the_claim(honest, document, random):
    add(document["claim"], "at_most", -A_BIT)


def raise_a_value_of_the_plan(honest, document, random):
    """Every row of a plan says all that can be proven, so that none may say more."""
    add(random.choice(document["policy"]), 0, random.choice([A_BIT, 1, 50]))


def lower_a_bound(honest, document, random):
    """Every bound is as low as what it follows from allows."""
    add(random.choice(document["bounds"]), 0, -random.choice([A_BIT, 1, 50]))


def stop_where_the_plan_acts(honest, document, random):
    """The plan acts only where that is strictly better than stopping."""
    random.choice([row for row in document["policy"] if row[1] is not None])[1] = None


def take_a_worse_action(honest, document, random):
    """A whole plan, which departs from the best one but claims to be as good."""
    states = [state for state in honest.policy.states if honest.worse_actions(state)]
    if not states:
        raise_the_claim(honest, document, random)
        return
    departure = random.choice(states)
    action = random.choice(honest.worse_actions(departure))
    rows = ProofRows(
        honest.problem,
        checker.following,
        lambda state: (action,) if state == departure else honest.plan(state),
    )
    rows.values = [honest.score(state) for state in rows.states]
    document["policy"] = rows.rows()


def take_an_unknown_action(honest, document, random):
    random.choice(document["policy"])[1] = "nothing of the kind"


def close_what_is_open(honest, document, random):
    """More is possible there than the bound says."""
    places = [
        place
        for place, state in enumerate(honest.bounds.states)
        if honest.problem.space.worth(state, now=False) > honest.bounds.values[place]
    ]
    if places:
        document["bounds"][random.choice(places)][1:] = ["close"]
    else:
        lower_the_claim(honest, document, random)


def reveal_instead_of_expanding(honest, document, random):
    """Who is told something may do better; and other rows would have to follow."""
    row = random.choice([row for row in document["bounds"] if row[1] == "expand"])
    row[1:] = ["reveal", random.choice(document["problem"]["actions"])["name"]]
    add(row, 0, -A_BIT)


def forget_a_row(honest, document, random):
    rows = document[random.choice(["policy", "bounds"])]
    del rows[random.randrange(len(rows))]


def repeat_a_row(honest, document, random):
    rows = document[random.choice(["policy", "bounds"])]
    rows.append(copy.deepcopy(random.choice(rows)))


def make_the_rewards_smaller(honest, document, random):
    """The best plan is worth half as much then, but is said to be worth all."""
    for reward in document["problem"]["rewards"]:
        add(reward, "value", -Fraction(reward["value"]) / 2)


def make_the_odds_no_odds(honest, document, random):
    action = random.choice(document["problem"]["actions"])
    probabilities = random.choice(action["variants"])["probabilities"]
    label = random.choice(list(probabilities))
    add(probabilities, label, random.choice([A_BIT, -A_BIT, 1]))


def write_a_float(honest, document, random):
    random.choice(document["bounds"])[0] = random.choice([0.5, float("nan"), 1e9])


def add_a_key(honest, document, random):
    place = random.choice([document, document["claim"], document["problem"]])
    place["comment"] = "trust me"


TAMPERINGS = [
    raise_the_claim,
    lower_the_claim,
    raise_a_value_of_the_plan,
    lower_a_bound,
    stop_where_the_plan_acts,
    take_a_worse_action,
    take_an_unknown_action,
    close_what_is_open,
    reveal_instead_of_expanding,
    forget_a_row,
    repeat_a_row,
    make_the_rewards_smaller,
    make_the_odds_no_odds,
    write_a_float,
    add_a_key,
]
