"""Probabilities: each between 0 and 1, together exactly 1."""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from branchwise.errors import Issue, Path
from branchwise.model.action import Outcome
from branchwise.model.checks.interval_issues import interval_issues
from branchwise.model.checks.issue import about, listed, shown, ticked
from branchwise.model.checks.naming import repeated
from branchwise.model.numbers.formula import expression_of
from branchwise.model.numbers.number import fraction_sum, number_text

_ROUNDED = Fraction(1, 100)  # A sum that misses 1 by no more may be rounded.
_LARGEST_BOTTOM = 12  # Of the fractions that people round: 1/3, 5/6, 1/12.
_MOST_TERMS = 6


ADD_OUTCOMES: Final = (
    "add some: `outcomes: {ok: 0.6, fail: 0.4}`, or `outcomes: {done: 1}` "
    "if it cannot fail"
)


def outcomes_issues(path: Path, outcomes: Sequence[Outcome]) -> Iterator[Issue]:
    """Find what is wrong with outcomes, wherever they stand."""
    if not outcomes:
        yield about(path, "there are no outcomes", ADD_OUTCOMES)
    for label in repeated(outcome.label for outcome in outcomes):
        what = f"the outcome {ticked(label)} is there more than once"
        fix = "add their probabilities up, or give each its own name"
        yield about((*path, label), what, fix, culprit=label)
    yield from _probability_issues(path, outcomes)
    for outcome in outcomes:
        yield from interval_issues((*path, outcome.label), outcome)


def _probability_issues(path: Path, outcomes: Sequence[Outcome]) -> Iterator[Issue]:
    if _are_fine([outcome.probability for outcome in outcomes]):
        return
    total = fraction_sum(outcome.probability for outcome in outcomes)
    out_of_range = [o for o in outcomes if not _is_probability(o.probability)]
    for outcome in out_of_range:
        if outcome.probability < 0:
            yield _negative(path, outcome, outcomes)
        elif not (total == 1 and any(o.probability < 0 for o in outcomes)):
            yield _too_large(path, outcome)
    if outcomes and not out_of_range and total != 1:
        yield _wrong_sum(path, outcomes, total)


def _is_probability(number: Fraction) -> bool:
    """Return whether a number is from 0 to 1; whole numbers compare far faster."""
    return 0 <= number.numerator <= number.denominator


def _are_fine(probabilities: Sequence[Fraction]) -> bool:
    """Return whether there is nothing to say; in whole numbers, which is far faster."""
    bottom = math.lcm(*[number.denominator for number in probabilities])
    tops = [
        number.numerator * (bottom // number.denominator) for number in probabilities
    ]
    return sum(tops) == bottom and min(tops) >= 0


def _negative(path: Path, outcome: Outcome, outcomes: Sequence[Outcome]) -> Issue:
    what = f"the probability of {ticked(outcome.label)} is {shown(outcome.probability)}"
    fix = f"write a number from 0 to 1, or {ticked(f'{outcome.label}: rest')}"
    if fraction_sum(o.probability for o in outcomes) == 1:
        # So it was `rest`, or might as well have been.
        others = shown(1 - outcome.probability)
        known = (expression_of(o.probability) for o in outcomes if o is not outcome)
        computed = [str(each) for each in known if each is not None]
        computed = [text for text in computed if text != "rest"]
        others += f", with {listed(computed)}" if computed else ""
        what += f", less than 0: the others already sum to {others}"
        fix = f"lower the others by {shown(-outcome.probability)} or more in all"
        largest = max(outcomes, key=lambda each: each.probability)
        less = largest.probability + outcome.probability
        if not computed and less >= 0:
            fix += f": write {ticked(f'{largest.label}: {shown(less)}')}, say"
    else:
        what += ", less than 0"
    return about((*path, outcome.label), what, fix)


def _too_large(path: Path, outcome: Outcome) -> Issue:
    number = outcome.probability
    what = f"the probability of {ticked(outcome.label)} is {shown(number)}, more than 1"
    fix = "write a number from 0 to 1"
    if 2 <= number <= 100 and shown(number) == number_text(number):
        fix = f"write `{shown(number)}%` if you mean percent, or a number from 0 to 1"
    return about((*path, outcome.label), what, fix)


def _wrong_sum(path: Path, outcomes: Sequence[Outcome], total: Fraction) -> Issue:
    terms = " + ".join(shown(outcome.probability) for outcome in outcomes)
    if len(outcomes) == 1:
        what = f"the only outcome has probability {terms}, not 1"
    elif len(outcomes) <= _MOST_TERMS and "about" not in terms:
        what = f"{terms} = {_sum_text(total)}, not 1"
    else:
        what = f"the {len(outcomes)} probabilities sum to {_sum_text(total)}, not 1"
    fractions = _meant_fractions(outcomes)
    is_close = abs(total - 1) <= _ROUNDED
    if is_close and (len(outcomes) > 2 or fractions):
        fix = _rest(outcomes, total) or f"lower one by {shown(total - 1)}"
        what += ": the numbers are rounded"
        fix += f", or exact fractions: {fractions}" if fractions else ""
        return about(path, what, fix)
    return about(path, what, _mended(outcomes, total))


def _sum_text(total: Fraction) -> str:
    text = shown(total)
    if text != "about 1":
        return text
    side = "over" if total > 1 else "under"
    return f"a little {side} 1 (by {shown(abs(total - 1))})"


def _mended(outcomes: Sequence[Outcome], total: Fraction) -> str:
    if len(outcomes) == 1:
        return f"write `{outcomes[0].label}: 1`, or add the other outcomes"
    rest = _rest(outcomes, total)
    if total < 1:
        return f"raise one by {shown(1 - total)}, or {rest}"
    if rest:
        return f"lower one by {shown(total - 1)}, or {rest}"
    return f"lower them by {shown(total - 1)} in all"


def _rest(outcomes: Sequence[Outcome], total: Fraction) -> str:
    """Name the last outcome that can be what the others leave."""
    for outcome in reversed(outcomes):
        if outcome.probability > total - 1:
            return f"write {ticked(f'{outcome.label}: rest')}"
    return ""


def _meant_fractions(outcomes: Sequence[Outcome]) -> str:
    """Guess the fractions behind rounded numbers; nothing where there are none."""
    if len(outcomes) > _MOST_TERMS:
        return ""
    given = [outcome.probability for outcome in outcomes]
    meant = [number.limit_denominator(_LARGEST_BOTTOM) for number in given]
    misses = [abs(g - m) for g, m in zip(given, meant, strict=True)]
    if sum(meant) != 1 or max(misses) >= _ROUNDED / 2 or not all(meant):
        return ""
    pairs = zip(outcomes, meant, strict=True)
    return ", ".join(ticked(f"{o.label}: {number_text(m)}") for o, m in pairs)
