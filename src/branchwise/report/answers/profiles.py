"""Profiles, shown: what plans are worth, which plan goes to whom, and why."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Final

from branchwise.analysis.individuals.individuals import PlanRule, Profiles
from branchwise.analysis.table import Table
from branchwise.report.answer import Answer, Detail
from branchwise.report.fields import (
    NUMBER,
    STATUS,
    TEXT,
    WHOLE,
    Field,
    Kind,
    document,
    nullable,
    one_of,
    plain_cell,
    rows_of,
)
from branchwise.report.least_cost import in_costs
from branchwise.report.text.ink import Look, aligned, title_line
from branchwise.report.text.label import label
from branchwise.report.text.wording import chance, change, count, plural, rounded
from branchwise.space.state_space import Real
from branchwise.tree.solution import Status

_QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
_MOST_NAMES: Final = 8

_AMOUNT: Final = Kind(
    {"anyOf": [{"type": "number"}, {"const": "unlimited"}]}, plain_cell
)
_COLUMNS: Final[Mapping[str, Mapping[str, Kind]]] = {
    "individuals": {
        "profile": TEXT,
        "expected_reward": NUMBER,
        "first_action": nullable(TEXT),
        "plan": TEXT,
        "loss_common": nullable(NUMBER),
        "loss_base": nullable(NUMBER),
        "upper_bound": NUMBER,
        "status": STATUS,
    },
    "plans": {
        "plan": TEXT,
        "individuals": WHOLE,
        "share": NUMBER,
        "first_action": nullable(TEXT),
        "nodes": WHOLE,
        "depth": WHOLE,
        "mean_expected_reward": NUMBER,
        "mean_for_all": nullable(NUMBER),
        "rule_number": nullable(TEXT),
        "rule_side": one_of("above", "below", None),
        "rule_threshold": nullable(NUMBER),
        "rule_hits": nullable(NUMBER),
        "rule_false_alarms": nullable(NUMBER),
    },
    "numbers": {"plan": TEXT, "number": TEXT}
    | dict.fromkeys(("low", "mean", "high"), _AMOUNT),
}


def _rows(number: int, key: str) -> Field:
    """Return the field of one table; individuals may have further columns."""
    rows = rows_of(*(Field(column, kind) for column, kind in _COLUMNS[key].items()))
    return Field(key, rows, lambda found: found.tables()[number])


class ProfilesAnswer(Answer[Profiles]):
    """The best plan for each of many individuals."""

    formats: ClassVar = (*Answer.formats, "csv")
    page = "page.profiles.profiles_page"
    layout: ClassVar = document(
        "branchwise-profiles",
        "The best plan for each of many individuals.",
        Field("problem", TEXT, "problem.name", "Its name."),
        Field("status", STATUS),
        Field("num_individuals", WHOLE, "num_all"),
        Field("mean_expected_reward", NUMBER, lambda found: float(found.rewards.mean)),
        Field("mean_loss_common", nullable(NUMBER)),
        Field("mean_loss_base", nullable(NUMBER)),
        Field("base_plan", nullable(TEXT)),
        Field("base_expected_reward", NUMBER),
        *(_rows(number, key) for number, key in enumerate(_COLUMNS)),
    )

    def lines(self, look: Look, detail: Detail = "likely") -> Iterator[str]:
        """Return how many plans there are, what they are worth, and who gets which."""
        found = self.result
        plans, numbers = len(found.plans), plural(len(found.parameters), "number")
        differ = f"{plural(plans, 'plan')}; they differ in {numbers}"
        yield title_line(found.problem, look)
        yield look.line(f"{how_many(found)}, {differ}")
        if detail == "answer":
            return
        is_cost = found.problem.is_least_cost
        shown = in_costs(found) if is_cost else found
        worth = "Expected reward"
        if any(found.problem.cost_weight.values()):
            worth = "Expected reward, net of weighted cost"
        for title, part in (
            ("Expected cost" if is_cost else worth, _values(shown, look)),
            ("Plans", _plans(shown, look)),
            ("What tells them apart", _rules(found, look)),
            ("One plan for all", _one_for_all(found, look)),
            ("Who gets which", _who(found, look)),
        ):
            yield ""
            yield look.line((title, "title"))
            yield from part

    def tables(self) -> tuple[Table, ...]:
        """Return the rows of individuals, of plans, and of the numbers that decide."""
        return self.result.tables()


def how_many(found: Profiles) -> str:
    """Return in words how many individuals have a plan, of how many."""
    counted = plural(len(found.individuals), "individual")
    is_whole = found.status is Status.OPTIMAL
    return counted if is_whole else f"{counted} of {found.num_all:,} ({found.status})"


def rule_words(rule: PlanRule) -> str:
    """Return in words by what question those who get a plan are known."""
    asked = f"{rule.parameter} {rule.side} {rounded(rule.threshold)}"
    if rule.is_exact:
        return f"{asked}: all of them, and no others"
    return (
        f"{asked}: {chance(rule.hits)} of them, {chance(rule.false_alarms)} of others"
    )


def spread(found: Profiles) -> list[tuple[str, Real]]:
    """Return the mean, the least, some quantiles and the most of the rewards."""
    rewards = found.rewards
    quantiles = [(chance(share), rewards.quantile(share)) for share in _QUANTILES]
    low = [("mean", rewards.mean), ("least", rewards.least)]
    return [*low, *quantiles, ("most", rewards.most)]


def _values(found: Profiles, look: Look) -> Iterator[str]:
    titles, numbers = zip(*spread(found), strict=True)
    row = [*map(rounded, numbers)]
    yield from aligned(titles, [row], look, words=-1, inks={0: "reward"})


def _plans(found: Profiles, look: Look) -> Iterator[str]:
    worth = "costs" if found.problem.is_least_cost else "worth"
    heads = ["plan", "individuals", "share", worth, "for all", "nodes", "starts with"]
    rows = [
        [
            f"{plan.letter} *" if plan.letter == found.base_plan else plan.letter,
            f"{len(plan.members):,}",
            chance(plan.share),
            rounded(plan.mean_expected_reward),
            "-" if plan.mean_for_all is None else rounded(plan.mean_for_all),
            count(plan.num_nodes),
            look.name(plan.first_action or "nothing", 0.4),
        ]
        for plan in found.main_plans
    ]
    yield from aligned(heads, rows, look, words=0)
    more = found.plans[len(rows) :]
    if more:
        members = plural(sum(len(plan.members) for plan in more), "individual")
        words = f"and {plural(len(more), 'other plan')} for {members}"
        yield look.line((words, "faint"))


def _rules(found: Profiles, look: Look) -> Iterator[str]:
    if not any(plan.rule for plan in found.main_plans):
        yield "all get the same plan" if len(found.plans) == 1 else "no single number"
        return
    for plan in found.main_plans:
        if plan.rule is not None:
            yield look.line((f"{plan.letter}  ", "action"), rule_words(plan.rule))


def _one_for_all(found: Profiles, look: Look) -> Iterator[str]:
    if found.mean_loss_common is None:
        yield "the plans are too large, or others cannot carry them out"
        return
    first = f"{found.plans[0].letter}, the most common plan"
    own = found.base_plan or "nobody's"
    common = [each.loss_common or 0.0 for each in found.individuals]
    base = [each.loss_base or 0.0 for each in found.individuals]
    # What is lost of a reward is added to a cost.
    sign = 1 if found.problem.is_least_cost else -1
    own = f"{own}, the problem's own plan"
    rows = [
        _lost(first, sign * found.mean_loss_common, sign * max(common), common),
        _lost(own, sign * (found.mean_loss_base or 0.0), sign * max(base), base),
    ]
    titles = ["everybody gets", "on average", "at worst", "lose"]
    yield from aligned(titles, rows, look, words=0)
    best = found.best_for_all
    if best is not None and best is not found.plans[0]:
        worth = f"plan {best.letter} would be the best for all of them"
        mean = -sign * (best.mean_for_all or 0.0)
        yield look.line((f"{worth}: {rounded(mean)}", "faint"))


def _lost(plan: str, mean: float, most: float, losses: Sequence[float]) -> list[str]:
    number = sum(loss > 0 for loss in losses)
    return [plan, change(mean, 4), change(most, 4), f"{number:,}"]


def _who(found: Profiles, look: Look) -> Iterator[str]:
    for plan in found.main_plans:
        shown = [label(name) for name in plan.members[:_MOST_NAMES]]
        more = len(plan.members) - len(shown)
        names = ", ".join(shown) + (f" and {more:,} more" if more > 0 else "")
        yield look.line((f"{plan.letter}  ", "action"), names)
    if found.base_plan in [plan.letter for plan in found.main_plans]:
        yield look.line(("* the plan of the problem itself", "faint"))
