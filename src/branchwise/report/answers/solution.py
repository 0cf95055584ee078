"""Solutions, shown: the answer in words, the plan, and what it took to find."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from heapq import nlargest
from typing import TYPE_CHECKING, ClassVar, Final

from branchwise.errors import LimitError
from branchwise.report.answer import Answer, Detail
from branchwise.report.json_text import Object, json_lines, json_text
from branchwise.report.least_cost import shown_aim
from branchwise.report.text.ink import Ink, Look, Piece, title_line
from branchwise.report.text.label import history_text, label
from branchwise.report.text.wording import (
    aim_proof,
    aim_words,
    bound_words,
    chance,
    count,
    exact_text,
    plural,
    rounded,
    seconds,
    state_counts,
    value,
    verification_words,
)
from branchwise.space.state_space import Real
from branchwise.tree.deadline import LEFT_OUT
from branchwise.tree.prospects.distribution import final_rewards
from branchwise.tree.solution import Solution, Statistics, Status

if TYPE_CHECKING:
    from branchwise.model.adversary import Adversary
    from branchwise.report.fields import Record
    from branchwise.tree.robustness import Robustness

_MAX_PAYOFFS: Final = 5
_MOST_NAMED: Final = 5
_NO_BREAK: Final = "\u00a0"


class SolutionAnswer(Answer[Solution]):
    """The optimal plan for a problem, and what it took to find."""

    page = "page.solution.page_with_sets"
    drawings: ClassVar = {
        "svg": "tree_drawing.svg.solution_svg",
        "dot": "tree_drawing.dot.solution_dot",
        "gv": "tree_drawing.dot.solution_dot",
        "mmd": "tree_drawing.mermaid.solution_mermaid",
        "silver.json": "tree_drawing.silver_decisions.solution_silver_decisions",
    }
    formats: ClassVar = ("html", *drawings, "txt", "json")

    @classmethod
    def record(cls) -> Record:
        """Return the fields of the document, which few solutions are written as."""
        from branchwise.report.answers.solution_layout import SOLUTION_LAYOUT  # noqa: PLC0415

        return SOLUTION_LAYOUT

    def lines(self, look: Look, detail: Detail = "likely") -> Iterator[str]:
        """Return the answer, the tree, and what it took."""
        yield from _answer(self.result, look)
        if detail == "answer":
            return
        # Start-up is felt, and whoever asks for the answer alone sees no tree.
        from branchwise.report.text import tree_text  # noqa: PLC0415

        tree = self.result.tree
        max_nodes = tree_text.MAX_NODES if detail == "likely" else None
        yield ""
        yield from tree_text.tree_lines(tree, look, max_nodes=max_nodes)
        yield ""
        is_folded = max_nodes is not None and tree.num_nodes > max_nodes
        yield from _counts(self.result, look, tree_text.FOLDED if is_folded else None)

    def document(self) -> Object:
        """
        Return the solution as plain data.

        The policy holds every state once, however often the tree comes to it; the first
        one is the root.
        """
        written = super().document()
        states = written["policy"]
        # Outcomes lead nowhere whose states there was no time for.
        for state in states:
            for outcome in state["outcomes"]:
                outcome["to"] = outcome["to"] if outcome["to"] < len(states) else None
        return written

    def json(self) -> Iterator[str]:
        """Return the document as text, each state of the plan on a line of its own."""
        written = self.document()
        states = written.pop("policy")
        head = json_text(written).removesuffix("\n}")
        policy = ",\n    ".join(json_lines(states))
        yield f'{head},\n  "policy": [\n    {policy}\n  ]\n}}\n'


def _answer(solution: Solution, look: Look) -> Iterator[str]:
    if solution.problem is not None:
        left = " left" if solution.history else ""
        yield title_line(solution.problem, look, more=left)
    if solution.history:
        yield from _wrapped(f"after {history_text(solution.history)}", look)
    if (aim := shown_aim(solution)) is not None:
        met = "" if solution.status is Status.OPTIMAL else f" ({solution.status})"
        yield look.line(f"{aim_words(aim)}, {aim_proof(aim)}{met}")
    yield look.uncut.line(*_worth(solution, look))
    for sentence in _sentences(solution):
        yield from _wrapped(sentence, look)


def _sentences(solution: Solution) -> Iterator[str]:
    if solution.adversary is not None:
        yield f"with {adversary_text(solution.adversary)}"
    if solution.first_action is not None:
        is_cost = solution.problem is not None and solution.problem.is_least_cost
        yield from [_costs(solution)] if is_cost else _endings(solution)
    if solution.robustness is not None:
        yield from _robust_sentences(solution.robustness)
    if solution.verification.is_asked:
        yield verification_words(solution.verification)


def _worth(solution: Solution, look: Look) -> list[Piece]:
    """Return what the plan is worth, how it begins, and how good it is known to be."""
    is_cost = solution.problem is not None and solution.problem.is_least_cost
    reward = "expected reward " if solution.adversary is None else "worst case "
    number = solution.expected_reward
    if is_cost:
        reward, number = "expected cost ", -number
    words: list[Piece] = [reward, (value(number), "reward")]
    exact = exact_text(number)
    if solution.is_exact and exact != value(number):
        words.append(f" = {exact}")
    if solution.first_action is None:
        words.append(", best to do nothing")
    else:
        first = look.name(solution.first_action, 0.4)
        words += [", first action ", (first, "action")]
    return [*words, f", {_proof(solution)}"]


def _proof(solution: Solution) -> str:
    if solution.aim is not None:
        is_known = solution.status is Status.OPTIMAL and solution.is_tie_settled
        says = "the highest of any plan is" if is_known else "no plan has more than"
        if solution.expected_cost is not None:
            says = "the least of any plan is" if is_known else "no plan costs less than"
            return f"{says} {value(-solution.upper_bound)}"
        return f"{says} {value(solution.upper_bound)}"
    if solution.status is Status.OPTIMAL:
        return "proven optimal"
    if solution.upper_bound == math.inf:
        return f"{bound_words(solution)} ({solution.status})"
    bound = f"no plan is worth more than {value(solution.upper_bound)}"
    if solution.problem is not None and solution.problem.is_least_cost:
        bound = f"no plan costs less than {value(-solution.upper_bound)}"
    if solution.status is Status.LOWER_BOUND:
        return f"a lower bound: {bound}"
    return f"{bound} (gap {chance(solution.relative_gap)}, {solution.status})"


def _endings(solution: Solution) -> Iterator[str]:
    """Return in words how likely each reward is, if there is time to find out."""
    try:
        found = final_rewards(solution.tree, solution.problem)
    except LimitError:
        yield f"what it pays, and how likely, is {LEFT_OUT}"
        return
    # Highest first.
    chances = dict(reversed(found.chances))
    yield f"pays {', '.join(_likely(chances, 'reward'))}"
    problem = solution.problem
    is_plain = solution.adversary is None
    if problem is not None and problem.cost_weight and is_plain:
        net, gross = solution.expected_reward, found.mean
        cost = rounded(float(gross) - float(net))
        yield f"net {value(net)}: gross reward {rounded(gross)}, weighted cost {cost}"


def _likely(chances: Mapping[Real, Real], what: str) -> list[str]:
    """Return the likeliest amounts with how likely each is, and how many others."""
    shares: dict[str, float] = {}
    # Those that look alike are alike.
    for amount, share in chances.items():
        shares[value(amount)] = shares.get(value(amount), 0.0) + float(share)
    likely = nlargest(_MAX_PAYOFFS, shares, key=lambda amount: shares[amount])
    named = {amount: share for amount, share in shares.items() if amount in likely}
    parts = [f"{amount} with {chance(share)}" for amount, share in named.items()]
    num_others = len(shares) - len(named)
    if num_others:
        others = chance(max(0.0, 1 - sum(named.values())))
        parts.append(f"one of {plural(num_others, f'other {what}')} with {others}")
    return parts


def _costs(solution: Solution) -> str:
    """Return in words how likely each cost is, if there is time to find out."""
    assert solution.problem is not None
    try:
        # Start-up is felt, and most plans make the most of rewards.
        from branchwise.tree.prospects.outlook import net_rewards  # noqa: PLC0415

        found = net_rewards(solution.tree, solution.problem)
    except LimitError:
        return f"what it costs, and how likely, is {LEFT_OUT}"
    return f"costs {', '.join(_likely({-c: p for c, p in found.chances}, 'cost'))}"


def _counts(solution: Solution, look: Look, folded: str | None) -> Iterator[str]:
    statistics = solution.statistics
    if not solution.verification.is_asked:
        yield from _wrapped(verification_words(solution.verification), look)
    yield from _wrapped(_size(solution), look)
    if folded:
        yield from _wrapped(folded, look, "title")
    reason = f": {solution.reason}" if solution.reason else ""
    ties = "" if solution.is_tie_settled else ", ties not settled"
    engine = f"engine {solution.engine}{reason}{ties}"
    for words in (_explored(statistics, solution.engine), _times(statistics), engine):
        yield from _wrapped(words, look, "faint")


def _size(solution: Solution) -> str:
    """Return in words how large the tree is; how deep, only if there is time."""
    tree, nodes = solution.tree, plural(solution.statistics.tree_nodes, "node")
    try:
        leaves, depth = tree.num_leaves, tree.depth
    except LimitError:
        return f"{nodes}; how many leaves, and how deep, is {LEFT_OUT}"
    ends = plural(leaves, "leaf/leaves")
    return f"{nodes}, {ends}, at most {plural(depth, 'action')} deep"


def _explored(statistics: Statistics, engine: str) -> str:
    if statistics.expanded_states is not None:
        return ", ".join(state_counts(statistics, engine))
    assert statistics.reduced_graph_states is not None
    full = plural(statistics.full_graph_states, "state")
    reduced = count(statistics.reduced_graph_states)
    found = "explored naively"
    if statistics.rewarding_sets is not None:
        found = plural(statistics.rewarding_sets, "rewarding set")
    return f"{found}, {full} in the full graph, {reduced} in the reduced graph"


def _times(statistics: Statistics) -> str:
    spent = statistics.seconds
    total = f"solved in {seconds(spent.total)}"
    if statistics.expanded_states is not None:
        return total
    stages = ["full_graph", "reduced_graph", "tree"]
    if statistics.rewarding_sets is not None:
        stages.insert(0, "rewarding_sets")
    times = (f"{s.replace('_', ' ')} {seconds(getattr(spent, s))}" for s in stages)
    return f"{total}: {', '.join(times)}"


def _wrapped(text: str, look: Look, ink: Ink = "plain") -> Iterator[str]:
    """Return a text of numbers as lines, broken at commas: none may be lost."""
    width = look.width or len(text)
    if text and len(text) <= width:
        yield look.line((text, ink))
        return
    # Start-up is felt, and most texts fit.
    from textwrap import wrap  # noqa: PLC0415

    glued = re.sub(r"(?<![,:]) ", _NO_BREAK, text)
    for line in wrap(glued, max(width, 20), subsequent_indent="  "):
        yield look.line((line.replace(_NO_BREAK, " "), ink))


def adversary_text(adversary: Adversary) -> str:
    """Return what the adversary may do."""
    if adversary.gamma is None:
        return "every action at the worst probabilities it may have"
    most = plural(adversary.gamma, "action")
    return f"at most {most} on any path at other probabilities"


def _robust_sentences(robustness: Robustness) -> Iterator[str]:
    """Return what the plan costs and saves, one line each."""
    if not robustness.perturbations:
        none = "no probabilities have an interval or a distance"
        yield f"{none}: the worst case is nominal"
        return
    unseen = value(robustness.unseen)
    if unseen != value(robustness.worst_case):
        blind = "carried out without seeing the deviations"
        yield f"{blind}, it is worth {unseen} at least"
    yield (
        f"at nominal probabilities it is worth {value(robustness.nominal)}, "
        f"the best nominal plan {value(robustness.nominal_optimum)}: "
        f"the price of robustness is {value(robustness.price)}"
    )
    spoiled = value(robustness.nominal_worst_case)
    yield f"in the worst case the best nominal plan is worth {spoiled}"
    hurts = [each for each in robustness.perturbations if each.gain > 0][:_MOST_NAMED]
    if hurts:
        named = (f"{label(each.action)} +{value(each.gain)}" for each in hurts)
        yield f"worth knowing exactly: {', '.join(named)}"
