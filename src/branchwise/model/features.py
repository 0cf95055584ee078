"""Features: what the states of a problem hold besides outcomes and what is left."""

from collections.abc import Collection, Iterator

from branchwise.errors import UnsupportedError
from branchwise.model.problem import Problem

HIDDEN = "hidden facts"
COUNTERS = "counters"
COMPARISONS = "comparisons with numbers"
ENDINGS = "outcomes that end everything"
OUTCOME_COSTS = "costs of outcomes"
FINISH = "`finish`"

WHY_NO_SETS = (
    "a rewarding set is one of outcomes, and what is paid depends on more than which "
    "outcomes came up"
)
"""Why there are no rewarding sets where states hold more."""

FEATURES = (HIDDEN, COUNTERS, COMPARISONS, ENDINGS, OUTCOME_COSTS, FINISH)


def features_of(problem: Problem) -> tuple[str, ...]:
    """Return which of the features a problem uses, in the order of `FEATURES`."""
    if problem.known_features is None:
        used = set(_used(problem))
        problem.note_features(tuple(each for each in FEATURES if each in used))
    assert problem.known_features is not None
    return problem.known_features


def refuse_features(
    problem: Problem,
    what: str,
    *,
    known: Collection[str] = (),
    why: str = "",
    fix: str = "",
) -> None:
    """
    Refuse a problem that has features which something cannot deal with.

    Parameters
    ----------
    problem
        The problem.
    what
        Who refuses it, as the subject of a sentence.
    known
        The features it can deal with.
    why
        Why it never will; where nothing is said, it does not yet.
    fix
        What to do instead, if there is anything.
    """
    foreign = [each for each in features_of(problem) if each not in known]
    if foreign:
        advice = f"\n    fix: {fix}" if fix else ""
        reason = f": {why}" if why else " yet"
        raise UnsupportedError(
            f"{what} cannot deal with {', '.join(foreign)}{reason}{advice}"
        )


def _used(problem: Problem) -> Iterator[str]:
    if problem.hidden:
        yield HIDDEN
    if problem.counters:
        yield COUNTERS
    if problem.finish is not None or problem.objective != "most-reward":
        yield FINISH
    outcomes = [o for action in problem.actions for o in action.outcomes]
    if any(outcome.ends for outcome in outcomes):
        yield ENDINGS
    if any(outcome.cost.named for outcome in outcomes):
        yield OUTCOME_COSTS
    if any(True for c in problem.conditions() for _ in c.comparisons()):
        yield COMPARISONS
