"""What `auto` says of a problem, and brute force does not.

Left alone, `auto` explores a small problem before anything else can begin. So each is
solved in turns of a few states, in which exploring and searching break each other off
again and again, until one is done or exploring gives up. Now and then it is solved once
more: as users do it; against an adversary; or with limits that end it early, so that
there is only a plan, and what that says it is worth and could be must hold.
"""

from random import Random
from threading import Event

from branchwise import Adversary, Status, evaluate, solve
from branchwise.engine.canonical import CanonicalSolver
from branchwise.engine.canonical_run import USUAL_SIZES, TurnSizes
from branchwise.engine.limits import Limits
from oracles.differences import DISTANCE, can_tell, exact_answer, is_close
from oracles.robust_oracle import RobustOracle
from oracles.tree_measures import measured
from problems.straight_problem import straight_problem

__all__ = ["drawn_sizes", "first_auto_difference", "in_turns"]

MOST_ROBUST_STATES = 80
MEASURES = {
    "fewest-nodes": "nodes",
    "least-depth": "depth",
    "least-expected-cost": "cost",
    "fewest-expected-actions": "actions",
}


def first_auto_difference(oracle):
    """What the first run that is wrong says; None if all are right."""
    # What is drawn depends on the name of the problem, and on nothing else.
    random, problem = Random(oracle.doc["name"]), straight_problem(oracle.doc)
    return (
        _turns_difference(oracle, problem, random)
        or (random.random() < 0.1 and _usual_difference(oracle, problem))
        or (random.random() < 0.1 and _stopped_difference(oracle, problem, random))
        or (random.random() < 0.002 and _robust_difference(oracle, problem, random))
        or None
    )


def drawn_sizes(random):
    """Turns of so few states that hardly a problem is done in the first one."""
    return TurnSizes(
        explored=random.choice((1, 1, 2, 4, 8)),
        searched=random.choice((1, 1, 2, 4, 8, None)),
        most=random.choice((USUAL_SIZES.most, USUAL_SIZES.most, 2, 6, 20)),
        least_deepened=random.choice((0, 4, USUAL_SIZES.least_deepened)),
        deepened_share=1.0,
    )


def in_turns(
    problem, sizes, *, num_threads=1, adversary=None, spares_memory=False, **how
):
    """The solution that `auto` comes to in turns of these sizes."""
    solver = CanonicalSolver(
        problem,
        num_threads=num_threads,
        adversary=adversary,
        turn_sizes=sizes,
        spares_memory=spares_memory,
    )
    return solver.solve(adversary=adversary, **how)


def _usual_difference(oracle, problem):
    found = solve(problem, num_threads=1, verify=False)
    return _difference(oracle, "auto", found)


def _turns_difference(oracle, problem, random):
    sizes, num_threads = drawn_sizes(random), random.choice((1,) * 15 + (2,))
    prefer = random.choice(("fewest-nodes",) * 5 + (*MEASURES,))
    # A limit, which is never met, has plans looked for before there are any turns.
    limits = random.choice((None, Limits(time_limit_seconds=3_600)))
    # Keys are packed then, as they are where there are millions of states.
    spares_memory = random.random() < 0.5
    how = {"prefer": prefer, "limits": limits, "spares_memory": spares_memory}
    found = in_turns(problem, sizes, num_threads=num_threads, **how)
    way = f"auto, {num_threads} threads, {sizes}, {limits}, sparing {spares_memory}"
    return _difference(oracle, way, found)


def _difference(oracle, way, found):
    """What an answer says that is proven, and is wrong."""
    value, nodes = oracle.worked_out(oracle.root)
    least = nodes
    if found.prefer != "fewest-nodes":
        least = getattr(oracle.measures(oracle.root), MEASURES[found.prefer])
    answers = {
        "value": (found.expected_reward, value),
        "worth of the tree": (evaluate(found.tree, found.problem), value),
        f"{found.prefer} (nodes)": (measured(oracle, found.tree, found.prefer), least),
        "proof": (found.status is Status.OPTIMAL, True),
        "ties settled": (found.is_tie_settled, True),
    }
    for what, (said, right) in answers.items():
        if not is_close(float(said), right, oracle) and can_tell(what, oracle):
            return f"{way}: {what} {said}, and not {right}; {exact_answer(oracle)}"
    return None


def _stopped_difference(oracle, problem, random):
    """What an answer that was broken off says, and cannot be."""
    cancel = Event()
    cancel.set()
    limits = random.choice(
        (
            Limits(memory_limit_bytes=1),
            Limits(time_limit_seconds=random.choice((1e-9, 1e-4, 1e-3))),
            Limits(gap=random.choice((0.01, 0.1, 0.5))),
            Limits(cancel=cancel),
        )
    )
    found = in_turns(problem, drawn_sizes(random), limits=limits)
    value, _ = oracle.worked_out(oracle.root)
    slack = 1e-9 * max(abs(value), oracle.scale)
    worth = float(evaluate(found.tree, problem))
    proven = found.status is Status.OPTIMAL
    claims = {
        "a plan that is worth what it says": abs(found.expected_reward - worth) < slack,
        "a plan that is not too good": worth <= value + slack,
        "a bound that holds": found.upper_bound >= value - slack,
        "a proof that holds": not proven or worth >= value - slack,
    }
    for claim, holds in claims.items():
        if not holds:
            return f"auto, {limits}: not {claim}; {exact_answer(oracle)}"
    return None


def _robust_difference(oracle, problem, random):
    if len(oracle.known) > MOST_ROBUST_STATES:
        return None
    gamma, sizes = random.choice((1, 2, None)), drawn_sizes(random)
    value = float(RobustOracle(oracle.doc, DISTANCE).worst_case(gamma))
    adversary = Adversary(gamma, distance=DISTANCE)
    faced = adversary.faced_by(problem)
    found = in_turns(faced, sizes, adversary=adversary).expected_reward
    if is_close(found, value, oracle):
        return None
    return f"auto against {gamma} strikes, {sizes}: {found}, and not {value}"
