"""Costs in words: what is said of rewards, where the least cost is wanted."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

_PHRASES: Final = (
    ("expected reward", "expected cost"),
    ("Expected reward", "Expected cost"),
    ("with the highest expected cost", "with the least expected cost"),
    ("would be worth", "would cost"),
    ("are worth", "cost"),
    ("is worth", "costs"),
    ("the mean it gives up", "what that costs more on average"),
)
_TITLES: Final = {
    ("value", "worth"): "cost",
    ("gain", "gain"): "change",
    ("loss", "loss"): "change",
    ("gain_per_unit", "per unit"): "change per unit",
    ("gain", "gain without it"): "change without it",
    ("price", "given up"): "costs more",
    ("certainty_equivalent", "as sure"): "as a sure cost",
}

_COUNTING: ContextVar[bool] = ContextVar("counting costs", default=False)


@contextmanager
def counting_costs(*, is_cost: bool) -> Iterator[None]:
    """Let tables speak of costs while this lasts."""
    token = _COUNTING.set(is_cost)
    try:
        yield
    finally:
        _COUNTING.reset(token)


def is_counting_costs() -> bool:
    """Whether tables speak of costs now."""
    return _COUNTING.get()


def title_of(key: str, title: str) -> str:
    """Return the title of a column, of costs where these are counted."""
    return _TITLES.get((key, title), title) if _COUNTING.get() else title


def cost_words(text: str) -> str:
    """Return what is said of expected rewards, said of expected costs."""
    for reward, cost in _PHRASES:
        text = text.replace(reward, cost)
    return text
