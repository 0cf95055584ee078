"""Numbers for people: values, counts, chances and times, short and honest."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import Decimal
from fractions import Fraction
from typing import Final

from branchwise.model.numbers.number import ratio_text
from branchwise.model.problem import Problem
from branchwise.space.state_space import Real
from branchwise.tree.solution import (
    UNVERIFIED,
    AimMet,
    Solution,
    Statistics,
    Verification,
)

_is_page: Final = ContextVar("is_page", default=False)
_LONGEST_WHOLE: Final = 10**15
_LONGEST_EXACT: Final = 40


@contextmanager
def in_four_digits() -> Iterator[None]:
    """Write values with four digits for a while, as pages do."""
    token = _is_page.set(True)
    try:
        yield
    finally:
        _is_page.reset(token)


def value(number: Real) -> str:
    """
    Write a value with up to six digits that matter; whole numbers in full.

    >>> value(8.43672), value(50.0), value(1234567), value(Fraction(1, 3)), value(-0.0)
    ('8.43672', '50', '1,234,567', '0.333333', '0')
    >>> value(Fraction(10**400, 3)), value(0.00001234)
    ('3.33333e+399', '1.234e-05')
    >>> value(math.inf)
    'unlimited'
    """
    if number == 0:
        return "0"
    if number == math.inf:
        return "unlimited"
    if not -_LONGEST_WHOLE < number < _LONGEST_WHOLE:
        return _scientific(number, digits=6)
    if _is_page.get() and number != int(number):
        return short(number)
    if number == int(number) or not -100_000 < number < 100_000:
        return f"{round(number):,}"
    text = f"{float(number):.6g}"
    return text if -1000 < number < 1000 else f"{float(text):,.10g}"


def short(number: Real) -> str:
    """
    Write a value for a page: four digits, none of them lost before the point.

    Whole numbers stand in full. `precise` is what a page shows of it on hover.

    >>> short(8.43672), short(50.0), short(Fraction(2, 3)), short(12685.68)
    ('8.437', '50', '0.6667', '12,686')
    >>> short(0.00001234), short(-0.99996), short(math.inf)
    ('1.234e-05', '-1', 'unlimited')
    """
    is_plain = -_LONGEST_WHOLE < number < _LONGEST_WHOLE
    if not is_plain or number == int(number):
        return value(number)
    shown = float(number)
    return f"{shown:,.0f}" if abs(shown) >= 1000 else f"{shown:.4g}"


def short_change(number: Real) -> str:
    """
    Write by how much something changes, for a page.

    >>> short_change(0.0375111), short_change(-1 / 3), short_change(0)
    ('+0.03751', '-0.3333', '0')
    """
    text = short(number)
    return f"+{text}" if number > 0 else text


def precise(number: Real) -> str:
    """
    Write a number with all digits that are known; those of a float, less its noise.

    >>> precise(8.43672), precise(Fraction(105459, 12500)), precise(0.1 + 0.2)
    ('8.43672', '105459/12500', '0.3')
    """
    if isinstance(number, float):
        return f"{number:.12g}"
    text = exact_text(number)
    return text if len(text) <= _LONGEST_EXACT else value(number)


def rounded(number: Real, digits: int = 6) -> str:
    """
    Write a value that has been computed, with no more digits than these.

    >>> rounded(1 / 3, 2), rounded(-12685.68000000001), rounded(123_456, 3)
    ('0.33', '-12,685.7', '123,000')
    """
    return value(float(f"{float(number):.{digits}g}"))


def change(number: Real, digits: int = 6) -> str:
    """
    Write by how much something changes, with its sign.

    >>> change(2.5), change(-12685.68000000001), change(0.0), change(1 / 3, 2)
    ('+2.5', '-12,685.7', '0', '+0.33')
    """
    text = rounded(number, digits)
    return f"+{text}" if number > 0 else text


def count(number: int) -> str:
    """
    Write how many there are.

    >>> count(168), count(1234567), count(2**70)
    ('168', '1,234,567', 'about 1.18e+21')
    """
    if number < _LONGEST_WHOLE:
        return f"{number:,}"
    return f"about {_scientific(number, digits=3)}"


def plural(number: int, noun: str) -> str:
    """
    Count things.

    >>> plural(1, "leaf/leaves"), plural(1200, "node")
    ('1 leaf', '1,200 nodes')
    """
    singular, _, irregular = noun.partition("/")
    return f"{count(number)} {singular if number == 1 else irregular or noun + 's'}"


def chance(probability: Real) -> str:
    """
    Write a probability as a percentage that never pretends to be certain.

    >>> [chance(p) for p in (0.4, 1 / 3, 0.003, 0.00001, 0.99999, 0.9996, 1, 0)]
    ['40 %', '33.3 %', '0.3 %', '<0.01 %', '>99.99 %', '99.96 %', '100 %', '0 %']
    """
    percent = 100 * float(probability)
    if percent == math.inf:
        return ">100 %"  # a share of nothing
    if 0 < percent < 0.01:
        return "<0.01 %"
    # Adding up floats may miss 1 by a hair; that is still certain.
    if 99.99 < percent < 100 - 1e-9:
        return ">99.99 %"
    return f"{percent:.4g} %" if 99.9 < percent < 100 - 1e-9 else f"{percent:.3g} %"


def sentence(message: str) -> str:
    r"""
    Return a message, which may say how to mend it in a line of its own, as prose.

    >>> sentence("no time was left\n    fix: ask for `--gap`, say")
    'No time was left. To mend it: ask for `--gap`, say.'
    >>> sentence("there is nothing to vary.")
    'There is nothing to vary.'
    """
    what, _, fix = message.partition("fix: ")
    parts = [what.strip(), f"To mend it: {fix.strip()}" if fix else ""]
    return " ".join(
        f"{part[0].upper()}{part[1:].rstrip('.')}." for part in parts if part
    )


def seconds(time: float) -> str:
    """
    Write a time span.

    >>> [seconds(t) for t in (0, 0.0004, 0.0123, 3.14159, 72.3)]
    ['<0.001 s', '<0.001 s', '0.012 s', '3.1 s', '72 s']
    """
    if time < 0.001:
        return "<0.001 s"
    if time < 1:
        return f"{time:.3f} s"
    return f"{time:.1f} s" if time < 10 else f"{time:,.0f} s"


def exact_text(number: Real) -> str:
    """
    Write an exact number as a fraction.

    >>> exact_text(Fraction(105459, 12500)), exact_text(Fraction(3))
    ('105459/12500', '3')
    """
    return ratio_text(Fraction(number))


def _scientific(number: Real, *, digits: int) -> str:
    """Write a number past what a float can hold, too."""
    exact = Fraction(number)
    quotient = Decimal(exact.numerator) / Decimal(exact.denominator)
    mantissa, exponent = f"{quotient:.{digits - 1}e}".split("e")
    return f"{mantissa.rstrip('0').rstrip('.')}e{exponent}"


def state_counts(statistics: Statistics, engine: str) -> list[str]:
    """Return in words how many states there were, and how many of them mattered."""
    noun = "state" if engine == "explicit" else "canonical state"
    counts = [plural(statistics.full_graph_states, noun)]
    if statistics.reduced_graph_states is not None:
        counts.append(f"{count(statistics.reduced_graph_states)} on optimal plans")
    elif statistics.expanded_states is not None:
        counts.append(f"{count(statistics.expanded_states)} of them expanded")
    return counts


def bound_words(solution: Solution) -> str:
    """Return in words what no plan can exceed, and by how much the plan may miss it."""
    if solution.upper_bound == math.inf:
        return "what a better plan could be worth is not known"
    gap = chance(solution.relative_gap)
    return f"no plan is worth more than {value(solution.upper_bound)}, gap {gap}"


def problem_name(problem: Problem | None) -> str:
    """Return what a problem is called; a state space of one's own has no name."""
    return "state space" if problem is None else problem.name


def aim_words(aim: AimMet) -> str:
    """
    Return in words how well a plan meets its aim.

    >>> aim_words(AimMet("expected utility", 0.75, 40.0, is_probability=False))
    'expected utility is 0.75, as good as a sure 40'
    """
    worth = chance(aim.worth) if aim.is_probability else value(aim.worth)
    words, sure = f"{aim.title} is {worth}", aim.certainty_equivalent
    if sure is None or sure == aim.worth:
        return words
    return f"{words}, as good as a sure {value(sure)}"


def aim_proof(aim: AimMet) -> str:
    """
    Return in words how much better any plan could meet an aim.

    >>> aim_proof(AimMet("P(reward >= 1)", 0.5, None, is_probability=True, bound=0.75))
    'no plan does better than 75 %'
    """
    if aim.bound is None:
        return "no plan does better"
    most = chance(aim.bound) if aim.is_probability else value(aim.bound)
    return f"no plan does better than {most}"


def verification_words(verification: Verification) -> str:
    """
    Return in words whether an answer was checked; nothing where that was not wanted.

    >>> verification_words(Verification(is_checked=True, num_rows=60))
    'checked independently by a certificate of 60 rows'
    >>> verification_words(Verification(reason="certificates know no adversary"))
    'not checked independently: certificates know no adversary'
    """
    if verification.is_checked:
        rows = plural(verification.num_rows, "row")
        return f"checked independently by a certificate of {rows}"
    if verification == UNVERIFIED:
        return ""
    return f"not checked independently: {verification.reason}"
