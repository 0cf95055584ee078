"""What an engine says of a problem, and brute force does not.

`first_difference` asks all searches of the canonical engine, at the compiled core,
which is fastest. `first_difference_elsewhere` asks other ways to solve, through the
public names.
"""

import branchwise._core as core
from branchwise import Adversary, evaluate, solve
from branchwise.engine.lower import Lowered
from oracles.oracle import Oracle
from oracles.robust_oracle import RobustOracle
from problems.straight_problem import straight_problem

__all__ = [
    "DISTANCE",
    "ELSEWHERE",
    "can_tell",
    "exact_answer",
    "first_difference",
    "first_difference_elsewhere",
    "first_robust_difference",
    "is_close",
    "plans",
]

DISTANCE = "0.1"
ENDLESS = 10.0  # seconds; all of these problems take less than one hundredth


def first_difference(oracle):
    """What the first search that is wrong says; None if all are right."""
    value, nodes = oracle.worked_out(oracle.root)
    problem = straight_problem(oracle.doc)
    for search, plan in plans(problem):
        score = plan.score(plan.root, 0)
        score += sum(float(problem.rewards[i].value) for i in plan.root_gained)
        answers = {
            "value": (score, value),
            "nodes": (plan.shape()[0], nodes),
            **_followed_answers(oracle, plan),
            "time": ("without end" in search, False),
        }
        for what, (found, right) in answers.items():
            if not is_close(found, right, oracle) and can_tell(what, oracle):
                return (
                    f"{search}: {what} {found}, and not {right}; {exact_answer(oracle)}"
                )
    return None


def plans(problem):
    """The plan of each search, over states of its own."""
    instance = Lowered(problem).instance
    # Of half of them as where there are millions of states.
    spares_memory = len(problem.actions) % 2 == 0
    explorer = core.CanonicalEngine(instance, 1, spares_memory)
    objective = core.Objective.FEWEST_NODES
    explorer.explore(objective, None, None, _go_on)
    yield "exhaustive", core.Plan(explorer)
    searcher = core.CanonicalEngine(instance, 1)
    _, ending = searcher.search(0.0, objective, ENDLESS, None, _go_on)
    is_cut_short = ending is not core.Ending.DONE
    yield f"best first{', without end' if is_cut_short else ''}", core.Plan(searcher)
    deepener = core.CanonicalEngine(instance, 1)
    if deepener.can_deepen:
        deepener.deepen(objective, None, None, _go_on)
        yield "deepening", core.Plan(deepener)


def _go_on(*_):
    return True


def _followed_answers(oracle, plan):
    value, nodes = oracle.worked_out(oracle.root)
    try:
        followed = _follow(oracle, plan, oracle.root, plan.root, {})
    except LookupError as error:
        return {f"plan that takes {error}": (1, 0)}
    return {
        "worth of the plan": (followed[0], value),
        "nodes of the plan": (followed[1], nodes),
    }


def _follow(oracle, plan, raw, state, known):
    """The value and the nodes of a plan, from a raw state and the engine's on."""
    if (raw, state) in known:
        return known[raw, state]
    step = plan.step(state, 0)
    if step is None:
        return oracle.reward(raw[0]), 1
    action, _, branches = step[0]
    offers = {index: (offer, rest) for index, offer, rest in oracle.available(raw)}
    if action not in offers:
        raise LookupError(f"action {action} where it cannot be taken")
    offer, rest = offers[action]
    if [branch[0] for branch in branches] != [at for _, _, at in offer.probabilities]:
        raise LookupError(f"action {action} for one with other outcomes")
    value, nodes = -offer.charge, 1
    for (_, child, *_), (chance, unit, _) in zip(
        branches, offer.probabilities, strict=True
    ):
        worth, more = _follow(oracle, plan, (raw[0] + unit, rest), child, known)
        value += chance * worth
        nodes += more
    known[raw, state] = value, nodes
    return value, nodes


def is_close(found, right, oracle):
    """Whether two numbers differ by rounding only."""
    return abs(found - right) <= 1e-9 * max(abs(right), oracle.scale)


def can_tell(what, oracle):
    """How many nodes there are depends on what is tied, and that may be too close."""
    return "nodes" not in what or not oracle.has_near_ties


def exact_answer(oracle):
    """What is right, by brute force in fractions."""
    exact = Oracle(oracle.doc)
    value, nodes = exact.value(exact.root), exact.worth("fewest-nodes", exact.root)
    return f"exactly: value {value} = {float(value)}, {nodes} nodes"


ELSEWHERE = {
    "canonical": {"engine": "canonical"},
    "paper": {"engine": "paper"},
    "naive": {"engine": "paper", "naive": True},
    "reference": {"engine": "reference"},
    "exact": {"exact": True},
}


def first_difference_elsewhere(oracle, ways=tuple(ELSEWHERE)):
    """What the first of these ways that is wrong says; None if all are right."""
    value, nodes = oracle.worked_out(oracle.root)
    problem = straight_problem(oracle.doc)
    for name in ways:
        solution = solve(problem, num_threads=1, **ELSEWHERE[name])
        worth = evaluate(solution.tree, problem)
        for what, found, right in (
            ("value", solution.expected_reward, value),
            ("nodes", solution.tree.num_nodes, nodes),
            ("worth of the tree", float(worth), value),
        ):
            if not is_close(found, right, oracle) and can_tell(what, oracle):
                return (
                    f"{name}: {what} {found}, and not {right}; {exact_answer(oracle)}"
                )
    return None


def first_robust_difference(oracle):
    """What the first search says that is wrong about the worst case, if one is."""
    robust, problem = RobustOracle(oracle.doc, DISTANCE), straight_problem(oracle.doc)
    for gamma in (1, None):
        value = float(robust.worst_case(gamma))
        for search in ("exhaustive", "best-first"):
            adversary = Adversary(gamma, distance=DISTANCE)
            found = solve(problem, adversary=adversary, search=search, num_threads=1)
            if not is_close(found.expected_reward, value, oracle):
                return (
                    f"{search} against {gamma} strikes at distance {DISTANCE}: "
                    f"{found.expected_reward}, and not {value}"
                )
    return None
