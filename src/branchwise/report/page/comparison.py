"""Pages that compare: a plan with the best one, or two problems with their plans."""

from collections.abc import Iterable, Mapping

from branchwise.analysis.comparison.compare import Comparison
from branchwise.analysis.comparison.evaluation import Evaluation
from branchwise.report.answers import comparison, evaluation
from branchwise.report.charts.profile_chart import profile_chart, profile_steps
from branchwise.report.column import table_html
from branchwise.report.markup import minus
from branchwise.report.page.templates import page_from
from branchwise.report.text.label import as_read
from branchwise.report.text.wording import in_four_digits
from branchwise.tree.prospects.distribution import Distribution
from branchwise.tree.prospects.outlook import outlook
from branchwise.tree.solution import Status


def evaluation_page(found: Evaluation) -> str:
    """Return a page about a plan of one's own: its worth, and where it loses."""
    chart = ""
    if found.outlook is not None:
        best = outlook(found.best.tree, found.problem).net_rewards
        chart = _chart({"the plan": found.outlook.net_rewards, "the best plan": best})
    values = {
        "found": found,
        "is_optimal": found.status is Status.OPTIMAL,
        "sentences": _sentences(evaluation.sentences(found)),
        "losses": table_html(
            evaluation.LOSSES, found.losses, "Where it is lost", is_wordy=True
        ),
        "chart": chart,
    }
    return page_from("evaluation", found.problem.name, values)


def comparison_page(found: Comparison) -> str:
    """Return a page about two problems: what differs in them, and in their plans."""
    chart = ""
    if found.outlooks is not None:
        first, second = (each.net_rewards for each in found.outlooks)
        chart = _chart({"first": first, "second": second})
    values = {
        "found": found,
        "sides": [("First", found.first), ("Second", found.second)],
        "side_words": comparison.side_words,
        "change": comparison.rounded_change(found),
        "sentences": _sentences(comparison.sentences(found)),
        "differences": table_html(
            comparison.DIFFERENCES, found.differences, "What the problems say"
        ),
        "partings": table_html(
            comparison.PARTINGS,
            found.partings,
            "Where the plans part",
            is_wordy=True,
        ),
        "chart": chart,
    }
    names = dict.fromkeys(problem.name.strip() for problem in found.problems)
    return page_from("comparison", " and ".join(filter(None, names)), values)


def _sentences(sentences: Iterable[str]) -> list[str]:
    """Return sentences as prose has them."""
    with in_four_digits():
        return [minus(as_read(f"{each[:1].upper()}{each[1:]}.")) for each in sentences]


def _chart(profiles: Mapping[str, Distribution]) -> str:
    return profile_chart({name: profile_steps(p) for name, p in profiles.items()})
