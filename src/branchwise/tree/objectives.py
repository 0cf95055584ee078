"""The names of the secondary objectives: which of the optimal trees to prefer."""

from __future__ import annotations

from typing import Final

OBJECTIVE_NAMES: Final = (
    "fewest-nodes",
    "least-depth",
    "least-expected-cost",
    "fewest-expected-actions",
    "order",
)
"""Known to every engine; the first one is the default."""
