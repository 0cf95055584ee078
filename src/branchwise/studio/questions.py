"""Questions: what pages ask that takes a while, worked out once for all that ask it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from typing import Final

from anyio import CapacityLimiter, to_thread

_AT_ONCE: Final = 2
_MOST_KEPT: Final = 8

Work = Callable[[], str]


class Questions:
    """
    Answers a few questions at a time, in the order in which they came.

    Parameters
    ----------
    is_wanted
        Whether a question, by its first part, still makes sense once it is its turn.
    """

    def __init__(self, is_wanted: Callable[[Hashable], bool]) -> None:
        self._is_wanted = is_wanted
        self._limiter = CapacityLimiter(_AT_ONCE)
        self._asked: dict[tuple[Hashable, ...], asyncio.Task[str | None]] = {}

    async def answer(self, question: tuple[Hashable, ...], work: Work) -> str | None:
        """Return the answer, or None where the question makes no sense any more."""
        task = self._asked.get(question)
        if task is None:
            task = asyncio.create_task(self._worked_out(question, work))
            self._asked[question] = task
            self._forget()
        # Who goes away while it is worked out leaves it to the others.
        return await asyncio.shield(task)

    async def _worked_out(
        self, question: tuple[Hashable, ...], work: Work
    ) -> str | None:
        try:
            async with self._limiter:
                if not self._is_wanted(question[0]):
                    return None
                return await to_thread.run_sync(work)
        except BaseException:
            self._asked.pop(question, None)
            raise

    def _forget(self) -> None:
        """Keep the newest answers only."""
        done = [question for question, task in self._asked.items() if task.done()]
        for question in done[: max(0, len(self._asked) - _MOST_KEPT)]:
            del self._asked[question]
