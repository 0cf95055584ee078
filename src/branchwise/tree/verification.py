"""Verification: what the independent checker says of an answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["UNVERIFIED", "Verification"]


@dataclass(frozen=True, slots=True)
class Verification:
    """
    Whether an answer was checked by a certificate of its own.

    The checker goes over the problem by its own rules, in exact arithmetic, and shares
    no code with any engine. An answer that it contradicts is never given.

    Parameters
    ----------
    is_checked
        Whether the checker has confirmed the answer: what the tree is worth, and what
        no plan can exceed.
    num_rows
        How many rows the certificate has; 0 where there is none.
    seconds
        How long making and checking it took, or trying to.
    reason
        Why the answer was not checked; nothing where it was.
    is_asked
        Whether it was asked for, and not only done because it was quick.
    """

    is_checked: bool = False
    num_rows: int = 0
    seconds: float = 0.0
    reason: str = ""
    is_asked: bool = False


UNVERIFIED: Final = Verification(reason="it was not asked for")
"""An answer that was given without a check, as the one who asked wanted it."""
