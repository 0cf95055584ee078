"""Coins: fair random bits that a seed decides, and counts split by them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import shake_128
from typing import Final

from branchwise.analysis.simulation.rounds import Deal

_AT_ONCE: Final = 2048


@dataclass(frozen=True, slots=True)
class SeededDeals:
    """Deals runs out by coins of which every position of every round has its own."""

    seed: object

    def __call__(self, num_actions: int, number: int) -> Deal[int]:
        """Return what splits runs at one position."""
        return Coins(f"{self.seed}/{num_actions}/{number}").split


class Coins:
    """
    Any number of fair coins, the same for the same seed on every machine.

    The bits are those of SHAKE-128 (FIPS 202) of the text ``seed/block``, for blocks 0,
    1, 2 and so on. All else is whole numbers and the doubling of floats, so that no
    machine rounds otherwise than another.
    """

    def __init__(self, seed: object) -> None:
        self._seed = seed
        self._num_blocks = 0
        self._pool = 0
        self._num_left = 0

    def toss(self, count: int) -> int:
        """Toss coins, and return their faces as the bits of a number."""
        if count > self._num_left:
            self._refill(count)
        self._num_left -= count
        faces = self._pool & ((1 << count) - 1)
        self._pool >>= count
        return faces

    def successes(self, count: int, probability: float) -> int:
        """
        Return how many of so many independent tries succeed.

        Every try draws a number from 0 to 1, bit by bit from the highest, and succeeds
        if it is below the probability. A try is decided at the first bit in which the
        two differ; half of those that are left are, each time. So a million tries take
        two million bits, and the number of successes has exactly the binomial
        distribution.
        """
        succeeded = 0
        while count and probability > 0:
            if probability >= 1:
                return succeeded + count
            num_high = self.toss(count).bit_count()
            probability *= 2
            if probability >= 1:
                succeeded += count - num_high
                count = num_high
                probability -= 1
            else:
                count -= num_high
        return succeeded

    def split(self, count: int, probabilities: Sequence[float]) -> list[int]:
        """Return how many of so many come out each way, at random."""
        return list(self._dealt(count, probabilities))

    def _dealt(self, count: int, probabilities: Sequence[float]) -> Iterator[int]:
        left = 1.0
        for probability in probabilities[:-1]:
            # Rounding may leave nothing of one where a sliver should be.
            share = probability / left if probability < left else 1.0
            number = self.successes(count, share)
            yield number
            count -= number
            left -= probability
        yield count

    def _refill(self, count: int) -> None:
        num_bytes = -(-max(count, _AT_ONCE) // 8)
        block = f"{self._seed}/{self._num_blocks}".encode()
        self._pool = int.from_bytes(shake_128(block).digest(num_bytes), "little")
        self._num_left = 8 * num_bytes
        self._num_blocks += 1
