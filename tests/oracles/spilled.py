"""What a run with states in files says that one in memory does not say."""

from itertools import islice
from tempfile import TemporaryDirectory

from branchwise import solve
from branchwise.engine.limits import Limits
from branchwise.engine.spill.spilled_run import PartLimits
from branchwise.engine.spill.spilled_solver import solve_in_folder
from branchwise.errors import ProblemError
from problems.gadgets import gadget_oracles
from problems.strategies import seeded_oracles
from problems.wide_documents import wide_oracles

__all__ = [
    "KINDS",
    "OBJECTIVES",
    "drawn_parts",
    "in_files",
    "same_answer",
    "spilled_difference",
]

MOST_NODES = 400

OBJECTIVES = (
    "fewest-nodes",
    "least-depth",
    "least-expected-cost",
    "fewest-expected-actions",
    "order",
)

KINDS = {
    "uniform": seeded_oracles,
    "gadgets": gadget_oracles,
    "wide": wide_oracles,
}


def drawn_parts(random):
    """Parts of so few states that small problems come to many."""
    return PartLimits(
        met=random.choice((1, 2, 4, 8, 16, 32, 64, None)),
        most=random.choice((None, None, 60, 120)),
        plan=random.choice((None, None, 0, 5)),
    )


def in_files(problem, folder, parts, *, prefer="fewest-nodes", **how):
    """The solution of a run with parts of these sizes, which only explores."""
    limits = Limits(**how)
    return solve_in_folder(
        problem,
        folder,
        prefer=prefer,
        search="exhaustive",
        num_threads=1,
        limits=limits,
        parts=parts,
    )


def same_answer(solution, parts):
    """All that a run says, to the last bit, but how long it took."""
    statistics = solution.statistics
    # Where there was no room for all that is tied, only the tree was put together.
    has_all = parts.plan is None
    return (
        solution.expected_reward,
        solution.status,
        solution.upper_bound,
        statistics.full_graph_states,
        statistics.reduced_graph_states,
        statistics.tree_nodes,
        solution.tree.depth,
        [
            (node.path, node.action, node.value, node.alternatives if has_all else ())
            for node in islice(solution.tree.walk(), MOST_NODES)
        ],
    )


def spilled_difference(problem, parts, prefer="fewest-nodes"):
    """What differs from the answer in memory; None if nothing does."""
    try:
        ours = solve(
            problem,
            engine="canonical",
            search="exhaustive",
            prefer=prefer,
            verify=False,
        )
        expected = same_answer(ours, parts)
    except ProblemError as error:
        expected = str(error)
    with TemporaryDirectory() as folder:
        try:
            found = same_answer(in_files(problem, folder, parts, prefer=prefer), parts)
        except ProblemError as error:
            found = str(error)
    return None if found == expected else (expected, found)
