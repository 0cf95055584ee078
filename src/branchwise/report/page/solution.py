"""A solution as one self-contained HTML page to read, to walk and to print."""

from collections.abc import Iterator
from typing import Any, Final

from branchwise.model.action import Action
from branchwise.model.budget import DEFAULT_RESOURCE, UNLIMITED, counted
from branchwise.model.numbers.number import number_text
from branchwise.model.problem import Problem
from branchwise.report.answers.solution import adversary_text
from branchwise.report.charts.upright_bars import distribution_svg, worst_cases_svg
from branchwise.report.dependency_graph.dependencies import shared_preclusions
from branchwise.report.dependency_graph.picture import dependency_svg
from branchwise.report.page.assets import page_script
from branchwise.report.page.plan_data import plan_document, script_json
from branchwise.report.page.templates import is_trivial, page_from, rendered
from branchwise.report.text.outline import ShownPart, shown_part
from branchwise.report.text.wording import (
    exact_text,
    plural,
    state_counts,
    value,
    verification_words,
)
from branchwise.report.tree_drawing.drawing import budget_text, draw, title_of
from branchwise.report.tree_drawing.svg import part_svg
from branchwise.rewarding.sets import StrongestSets, strongest_sets
from branchwise.tree.decision_tree import DecisionTree
from branchwise.tree.prospects.distribution import final_rewards
from branchwise.tree.solution import Solution, Status

_HAIR: Final = 1e-9  # a smaller share of a value is rounding
_MOST_AS_GOOD: Final = 3
_LARGEST_DRAWN: Final = 1e300
_LONGEST_FRACTION: Final = 24
_MAX_DECISIONS: Final = 12
_MAX_ENDINGS: Final = 8
_MAX_STEPS: Final = 5
_MAX_NODES: Final = 50  # in the still picture, for paper
_FEWER_NODES: Final = (36, 26, 18, 12)  # where so many would be too small to read
_WIDEST_ON_PAPER: Final = 1300
_MAX_ROWS: Final = 500
_MAX_DRAWN: Final = 200


def page_with_sets(solution: Solution) -> str:
    """Return its page, with what leads to a reward."""
    return solution_page(solution, sets=strongest_sets(solution.problem))


def solution_page(solution: Solution, *, sets: StrongestSets | None = None) -> str:
    """Return a solution as one page."""
    title = title_of(solution).strip() or "Decision tree"
    return plan_page("solution", title, solution, {"sets": sets})


def plan_alone_page(solution: Solution) -> str:
    """Return the plan of a solution and nothing else, to stand inside another page."""
    title = title_of(solution).strip() or "Decision tree"
    shown = {
        "tree": solution.tree,
        "is_cost": solution.expected_cost is not None,
        **_picture_values(solution.tree, title),
    }
    data = script_json(plan_document(solution))
    return page_from("plan_alone", title, shown, script=page_script(), data=data)


def answer_text(solution: Solution, plan_is: str = "below") -> str:
    """Return the answer in three sentences, as a piece of a page with its plan."""
    problem = solution.problem
    shown = {
        "solution": solution,
        "problem": problem,
        "aim": solution.aim,
        "is_optimal": solution.status is Status.OPTIMAL,
        "plan_is": plan_is,
        **_answer_values(solution),
    }
    return rendered("answer", shown)


def plan_page(
    template: str, title: str, solution: Solution, values: dict[str, Any]
) -> str:
    """Return a page with the plan of a solution, made from a template that shows it."""
    tree, problem = solution.tree, solution.problem
    shown = {
        "solution": solution,
        "tree": tree,
        "problem": problem,
        "aim": solution.aim,
        "is_cost": solution.expected_cost is not None,
        "is_optimal": solution.status is Status.OPTIMAL,
        "exactly": _exactly(solution),
        "is_spending_counted": problem and any(problem.cost_weight.values()),
        **_picture_values(tree, title),
        **_worst_case_values(solution),
        **_ending_values(solution),
        **_answer_values(solution),
        **(_problem_values(problem) if problem else {}),
        "stages": list(_stages(solution)),
        "verified": verification_words(solution.verification),
        **values,
    }
    data = script_json(plan_document(solution))
    return page_from(template, title, shown, script=page_script(), data=data)


def _exactly(solution: Solution) -> str:
    """Return the reward as a fraction, where that adds something to the decimals."""
    cost = solution.expected_cost
    number = solution.expected_reward if cost is None else cost
    text = exact_text(number)
    is_short = len(text) <= _LONGEST_FRACTION
    if not (solution.is_exact and is_short) or text == value(number):
        return ""
    return f"exactly {text}"


def fitting_part(
    tree: DecisionTree, likely: ShownPart, widest: float = _WIDEST_ON_PAPER
) -> ShownPart:
    """Return as much of a tree as fits and can be read, the likeliest first."""
    part = likely
    for max_nodes in _FEWER_NODES:
        if draw(tree, part).width <= widest:
            break
        part = shown_part(tree, max_nodes)
    return part


def _picture_values(tree: DecisionTree, title: str) -> dict[str, Any]:
    """Collect the picture, its legend, and what to do first."""
    likely = shown_part(tree, _MAX_NODES)
    part = fitting_part(tree, likely)
    decisions = [node for node in likely.nodes if node.decision.action is not None]
    likeliest = sorted(decisions, key=lambda node: -node.place.probability)
    listed = sorted(likeliest[:_MAX_DECISIONS], key=lambda node: node.depth)
    return {
        "part": part,
        "picture": part_svg(tree, part, title=title, is_fitted=True),
        "has_penalty": any(node.decision.reward < 0 for node in part.nodes),
        "has_held": any(node.decision.reward > 0 for node in decisions),
        "is_shared": len(tree.policy) < tree.num_nodes,
        "num_decisions": tree.num_nodes - tree.num_leaves,
        # How many steps to a node are left out, the others, and its budget.
        "decisions": [
            (n, max(n.depth - _MAX_STEPS, 0), n.path(_MAX_STEPS), budget_text(tree, n))
            for n in listed
        ],
    }


def _answer_values(solution: Solution) -> dict[str, Any]:
    """Collect what a plan earns and spends, and how likely it ends with nothing."""
    problem, rewards = solution.problem, final_rewards(solution.tree, solution.problem)
    is_plain = solution.adversary is None and solution.aim is None
    is_weighted = problem is not None and any(problem.cost_weight.values())
    cost = rewards.mean - solution.expected_reward if is_plain and is_weighted else 0
    chances = [(float(reward), share) for reward, share in rewards.chances]
    return {
        "gross": rewards.mean,
        "weighted_cost": cost,
        "nothing": sum(share for reward, share in chances if reward == 0),
        "loss": sum(share for reward, share in chances if reward < 0),
        "as_good": _as_good(solution) if is_plain else [],
        "unfinished": sum(share for reward, share in chances if reward < 0),
    }


def _as_good(solution: Solution) -> list[str]:
    """Return with what one may as well start, where that is known."""
    worth = float(solution.expected_reward)
    slack = _HAIR * max(abs(worth), 1.0)
    return [
        other.action
        for other in solution.tree.root.alternatives
        if not other.is_bound and abs(float(other.value) - worth) <= slack
    ][:_MOST_AS_GOOD]


def _worst_case_values(solution: Solution) -> dict[str, Any]:
    adversary, robustness = solution.adversary, solution.robustness
    if adversary is None or robustness is None:
        return {"robustness": None}
    return {
        "robustness": robustness,
        "adversary": adversary_text(adversary),
        "worst_cases": worst_cases_svg(robustness.by_gamma, adversary.gamma),
    }


def _ending_values(solution: Solution) -> dict[str, Any]:
    """Collect the likeliest rewards, the highest first, and a picture of all."""
    rewards = final_rewards(solution.tree, solution.problem)
    chances = [(reward, float(share)) for reward, share in rewards.chances]
    likely = sorted(chances, key=lambda pair: -pair[1])
    listed = {reward for reward, _ in likely[:_MAX_ENDINGS]}
    endings, so_far = [], 0.0
    for reward, share in reversed(chances):
        so_far += share
        if reward in listed:
            endings.append((reward, share, so_far))
    is_drawn = len(chances) > 1 and all(
        -_LARGEST_DRAWN < reward < _LARGEST_DRAWN for reward, _ in chances
    )
    return {
        "endings": endings,
        "num_other_endings": len(likely[_MAX_ENDINGS:]),
        "other_share": sum(share for _, share in likely[_MAX_ENDINGS:]),
        "endings_picture": distribution_svg(chances) if is_drawn else "",
    }


def _problem_values(problem: Problem) -> dict[str, Any]:
    """Collect what the section on a problem shows; a large one is not drawn."""
    is_drawn = len(problem.actions) <= _MAX_DRAWN
    return {
        "graph": dependency_svg(problem) if is_drawn else "",
        "shared": shared_preclusions(problem),
        "weights": [*_weights(problem)],
        "most_rows": _MAX_ROWS,
        "action_columns": _action_columns(problem.actions[:_MAX_ROWS]),
        "unlimited": UNLIMITED,
    }


def _weights(problem: Problem) -> Iterator[str]:
    """Return in words what each unit spent counts."""
    for resource, weight in problem.cost_weight.items():
        one = counted(resource, 1)
        name = "" if resource == DEFAULT_RESOURCE else f" of {resource}"
        yield f"each {one if one != resource else f'unit{name}'} {number_text(weight)}"


def _action_columns(actions: tuple[Action, ...]) -> list[tuple[str, str]]:
    """Return the columns of the table of actions; empty ones are left out."""
    has_content = {
        ("Action", ""): True,
        ("Requires", ""): not all(is_trivial(a.requires) for a in actions),
        ("Precluded by", ""): not all(is_trivial(a.precluded_by) for a in actions),
        ("Cost", "number"): bool(actions),
        ("Outcomes", ""): bool(actions),
        ("Effects", ""): any(a.effects for a in actions),
        ("Attempts", "number"): any(a.attempts != 1 for a in actions),
        ("Given", ""): any(a.given for a in actions),
    }
    return [column for column, is_shown in has_content.items() if is_shown]


def _stages(solution: Solution) -> Iterator[tuple[str, str, float | None]]:
    statistics, spent = solution.statistics, solution.statistics.seconds
    if statistics.expanded_states is not None:
        counts = ", ".join(state_counts(statistics, solution.engine))
        title = "States" if solution.engine == "explicit" else "Canonical states"
        yield title, counts, spent.full_graph
    else:
        sets, reduced = statistics.rewarding_sets, statistics.reduced_graph_states
        if sets is not None:
            yield "Rewarding sets", plural(sets, "set"), spent.rewarding_sets
        assert reduced is not None
        full = plural(statistics.full_graph_states, "state")
        yield "Full graph", full, spent.full_graph
        yield "Reduced graph", plural(reduced, "state"), spent.reduced_graph
    yield "Tree", plural(statistics.tree_nodes, "node"), spent.tree
