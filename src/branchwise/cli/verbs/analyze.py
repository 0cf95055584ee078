"""``branchwise analyze``: what matters, and what would change the plan."""

from typing import Any, Final

import click

import branchwise
from branchwise.cli.delivery import Outputs, answer_options, deliver, usage_errors
from branchwise.cli.options import solving
from branchwise.cli.options.problem import problem_options
from branchwise.cli.options.values import TEXT, WholeNumber, share, valued, words
from branchwise.cli.terminal.progress import TerminalProgress

_MOST_DRAWS: Final = 1_000_000

_EXAMPLES: Final = """\b
Examples:
  branchwise analyze oil.yaml
  branchwise analyze oil.yaml --only criticality --html oil-analysis.html
  branchwise analyze oil.yaml --csv tables/
"""


def _ranges(
    _: click.Context, __: click.Parameter, texts: tuple[str, ...]
) -> dict[str, tuple[str, str]]:
    """Read ``P(a1=ok)=0.4..0.7``."""
    found = {}
    for text in texts:
        name, equals, ends = text.rpartition("=")
        low, dots, high = ends.partition("..")
        if not equals or not dots:
            raise click.BadParameter(f"`{text}` is no range; write `P(a1=ok)=0.4..0.7`")
        found[name.strip()] = low, high
    return found


def _prices(
    _: click.Context, __: click.Parameter, texts: tuple[str, ...]
) -> dict[str, str]:
    """Read ``money=1``."""
    found = {}
    for text in texts:
        resource, equals, price = text.rpartition("=")
        if not equals:
            raise click.BadParameter(f"`{text}` is no price; write `money=1`, say")
        found[resource.strip()] = price
    return found


@click.command(short_help="See what matters, and why.", epilog=_EXAMPLES)
@problem_options()
@valued(
    "--only SECTION,...",
    TEXT,
    f"The sections wanted: {', '.join(branchwise.analysis.SECTIONS)}.",
    multiple=True,
    callback=words,
)
@solving.aim_with("aims", multiple=True)
@valued(
    "--test tests TEST",
    TEXT,
    "What is it worth to test first how an action would come out? "
    "`drill=oil:90%:80%`: sensitivity and specificity, and maybe `:5` for its cost "
    "(may be repeated).",
    multiple=True,
)
@valued(
    "--share SHARE",
    share,
    "How far numbers may be off, for the tornado, unless the file says it.",
    usual="10%",
)
@valued(
    "--range ranges NUMBER=LOW..HIGH",
    TEXT,
    "The range of one number, such as `P(a1=ok)=0.4..0.7`, whatever the file says "
    "(may be repeated; then only these are varied).",
    multiple=True,
    callback=_ranges,
)
@valued(
    "--sample-size sample_sizes N",
    TEXT,
    "How many trials the probabilities rest on, for uncertainty: N for all "
    "actions of which the file does not say it, `drill=N` for one (may be repeated).",
    usual=("20",),
    multiple=True,
)
@valued(
    "--draws num_draws N",
    WholeNumber(1, _MOST_DRAWS),
    "How often to draw the probabilities, for uncertainty.",
    usual=200,
)
@valued(
    "--price prices RESOURCE=PRICE",
    TEXT,
    "What a unit of a resource counts in cost, for cost-effectiveness: `money=1` (may "
    "be repeated).",
    multiple=True,
    callback=_prices,
)
@solving.seed_option
@solving.gap_option
@solving.time_limit_option
@solving.cluster_option
@valued(
    "--most-states N",
    WholeNumber(1),
    "How many states to explore afresh for what conditions are worth; what needs "
    "more is reported between bounds.",
    usual=branchwise.analysis.AnalysisOptions().most_states,
)
@answer_options("html", "csv")
def analyze(  # noqa: PLR0913
    *,
    problem: branchwise.Problem,
    only: tuple[str, ...],
    share: float,
    ranges: dict[str, tuple[str, str]],
    sample_sizes: tuple[str, ...],
    num_draws: int,
    prices: dict[str, str],
    seed: str,
    aims: tuple[branchwise.risk.Aim, ...],
    tests: tuple[str, ...],
    gap: float,
    time_limit_seconds: float | None,
    cluster: str | None,
    most_states: int,
    outputs: Outputs,
) -> None:
    """
    Look into the problem in FILE: what matters, and what would change the plan.

    Every number compares optimal plans: after each change one plans anew. With --gap,
    or where --time-limit leaves no optimum, the best plan by then is kept and evaluated
    instead, and sections that need the optimum say so. --aim is for the section `risk`,
    and may be repeated. - as FILE reads from the standard input.
    """
    options = branchwise.analysis.AnalysisOptions(
        share=share,
        ranges=ranges,
        num_draws=num_draws,
        prices=prices,
        seed=seed,
        aims=aims,
        most_states=most_states,
        tests=_tests(tests, problem),
        **_trials(sample_sizes),
    )
    show = TerminalProgress(suggests_gap=not gap)
    at = solving.executor_at(cluster)
    with show as progress, usage_errors(), at as executor:
        analysis = branchwise.analyze(
            problem,
            only=only or None,
            options=options,
            gap=gap,
            time_limit_seconds=time_limit_seconds,
            progress=progress,
            executor=executor,
        )
    deliver(analysis, outputs)


def _trials(texts: tuple[str, ...]) -> dict[str, Any]:
    """Read ``20`` for all actions, and ``drill=50`` for one."""
    found: dict[str, Any] = {"sample_sizes": {}}
    for text in texts:
        name, equals, size = text.rpartition("=")
        if equals:
            found["sample_sizes"][name.strip()] = size
        else:
            found["sample_size"] = size
    return found


def _tests(
    texts: tuple[str, ...], problem: branchwise.Problem
) -> tuple[branchwise.analysis.OutcomeTest, ...]:
    try:
        parse = branchwise.analysis.parse_outcome_test
        tests = tuple(parse(text, problem) for text in texts)
        for test in tests:
            list(test.results(problem))
    except (KeyError, ValueError) as error:
        raise click.BadParameter(str(error.args[0]), param_hint="'--test'") from None
    return tests
