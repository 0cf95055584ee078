"""Bounds: what an expected reward lies between, and how the plan in hand starts."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Bounds", "PlanStart"]


class Bounds(NamedTuple):
    """What an expected reward lies between; it is proven where the two are one."""

    lower: float
    upper: float


class PlanStart(NamedTuple):
    """What a plan is worth, and what it does first; None where it does nothing."""

    expected_reward: float
    first_action: str | None
