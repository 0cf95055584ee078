"""Sharing out: many like questions, in batches that are worth their way."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Event
from typing import Any, Final, Generic, NamedTuple, TypeVar

from branchwise.errors import ExecutorError
from branchwise.executors.executor import (
    Executor,
    Future,
    check_version,
    check_versions,
    checked_executor,
    in_our_words,
    is_dask,
    is_loss,
    num_workers,
    own_version,
)
from branchwise.executors.halt import Halt, Sign, watched

Question = TypeVar("Question")
Answer = TypeVar("Answer")

Work = Callable[[Sequence[Question], Event], list[Answer]]
"""Answers some questions, and stops where the event is set."""

# How long a batch should take. What sending it costs is milliseconds, which is then a
# small part of it; and one that is lost with its worker is soon made up for.
_SECONDS_PER_BATCH: Final = 0.5

# The next batch has at most so many times as many questions, as the first ones may have
# been easy.
_MOST_GROWTH: Final = 4.0

# So many batches are under way for each worker: one in work, and one to go on with.
_BATCHES_PER_WORKER: Final = 2

# A batch that has ended so many workers is at fault itself.
_MOST_LOSSES: Final = 12

_LOOK_SECONDS: Final = 0.002
_LONGEST_LOOK_SECONDS: Final = 0.1


class _Reply(NamedTuple, Generic[Answer]):
    """What a worker sends back."""

    version: str
    answers: list[Answer]
    seconds: float  # for the whole batch


@dataclass(eq=False)
class _Batch(Generic[Answer]):
    """Some questions in a row, on their way."""

    first: int
    size: int
    future: Future[_Reply[Answer]]
    num_losses: int = 0


def answers(
    work: Work[Question, Answer],
    questions: Sequence[Question],
    executor: Executor,
    look: Callable[[int], object] = lambda _: None,
) -> Generator[tuple[int, Answer]]:
    """
    Yield answers as they come, each with the number of its question; see `share`.

    Who stops asking before the end calls off all that is left, begun or not.
    """
    return _Sharing(work, questions, checked_executor(executor), look).answers()


def share(
    work: Work[Question, Answer],
    questions: Sequence[Question],
    executor: Executor,
    look: Callable[[int], object] = lambda _: None,
) -> list[Answer]:
    """
    Have all questions answered by the workers of an executor.

    Parameters
    ----------
    work
        Answers some questions, in their order; it is also given an event, and may stop
        where that is set, as nothing waits for its answers then. It is pickled: a
        function of a module, or a `functools.partial` of one. What it answers must not
        depend on which questions come together.
    questions
        All there are.
    executor
        Who does it.
    look
        Called again and again with how many are answered. What it raises ends it all.

    Returns
    -------
    list
        The answers, in the order of the questions.

    Raises
    ------
    ExecutorError
        The executor has no workers any more, or such of another version.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor(2) as executor:
    ...     share(lambda some, _: [n * n for n in some], range(5), executor)
    [0, 1, 4, 9, 16]
    """
    found = dict(answers(work, questions, executor, look))
    return [found[number] for number in range(len(questions))]


@dataclass(eq=False)
class _Sharing(Generic[Question, Answer]):
    """Questions on their way to an executor and back."""

    work: Work[Question, Answer]
    questions: Sequence[Question]
    executor: Executor
    look: Callable[[int], object]
    _under_way: list[_Batch[Answer]] = field(default_factory=list)
    _num_sent: int = 0
    _num_answered: int = 0
    _size: int = 1

    def answers(self) -> Generator[tuple[int, Answer]]:
        """Yield all answers, each with the number of its question."""
        check_versions(self.executor)
        self._num_workers = num_workers(self.executor)
        is_here = isinstance(self.executor, ThreadPoolExecutor)
        self._packed = None if is_here else pickle.dumps(self.work)
        self._halt = Halt(self.executor)
        try:
            self._send()
            while self._under_way:
                for batch in self._done():
                    yield from self._kept(batch)
                self.look(self._num_answered)
                self._send()
        finally:
            self._halt.end(batch.future for batch in self._under_way)

    def _send(self) -> None:
        """Send batches until there are enough under way."""
        most = _BATCHES_PER_WORKER * self._num_workers
        while len(self._under_way) < most and self._num_sent < len(self.questions):
            left = len(self.questions) - self._num_sent
            # Towards the end they get small, so that all workers end together.
            size = max(1, min(self._size, left // most))
            self._under_way.append(self._sent(self._num_sent, size))
            self._num_sent += size

    def _sent(self, first: int, size: int, num_losses: int = 0) -> _Batch[Answer]:
        questions = self.questions[first : first + size]
        sign = self._halt.sign
        asked: tuple[object, ...] = _answered, self.work, questions, sign
        if self._packed is not None:
            # Dask looks into everything but bytes; and what a worker cannot load is an
            # error then.
            asked = _unpacked, self._packed, pickle.dumps(questions), sign
        # It would take what is equal for the same work, after a long look at it.
        how = {"pure": False} if is_dask(self.executor) else {}
        try:
            future = self.executor.submit(*asked, **how)  # type: ignore[arg-type]
        except RuntimeError as error:  # It was shut down, or is broken.
            raise in_our_words(error) from None
        return _Batch(first, size, future, num_losses)

    def _done(self) -> list[_Batch[Answer]]:
        """Wait until some batches are done, and return these."""
        seconds = _LOOK_SECONDS
        while not any(batch.future.done() for batch in self._under_way):
            self.look(self._num_answered)
            time.sleep(seconds)
            seconds = min(2 * seconds, _LONGEST_LOOK_SECONDS)
        done = [batch for batch in self._under_way if batch.future.done()]
        self._under_way = [batch for batch in self._under_way if batch not in done]
        return done

    def _kept(self, batch: _Batch[Answer]) -> Iterator[tuple[int, Answer]]:
        try:
            reply = batch.future.result()
        except Exception as error:  # noqa: BLE001 - whatever the work comes to
            if not is_loss(error):
                raise in_our_words(error) from None
            self._send_again(batch)
            return
        check_version(reply.version, "a worker")
        self._num_answered += batch.size
        per_question = max(reply.seconds / batch.size, 1e-9)
        wanted = min(_SECONDS_PER_BATCH / per_question, _MOST_GROWTH * batch.size)
        self._size = max(1, int(wanted))
        yield from enumerate(reply.answers, batch.first)

    def _send_again(self, batch: _Batch[Answer]) -> None:
        """Give a batch whose worker was lost to others, in halves."""
        num_losses = batch.num_losses + 1
        if num_losses > _MOST_LOSSES:
            raise ExecutorError(
                f"{num_losses} workers were lost one after another with the same work"
                "\n    fix: give each worker more memory, or have fewer of them"
            )
        half = batch.size // 2
        parts = [(batch.first, half), (batch.first + half, batch.size - half)]
        for first, size in parts:
            if size:
                self._under_way.append(self._sent(first, size, num_losses))


def _unpacked(work: bytes, questions: bytes, sign: Sign) -> _Reply[Any]:
    """Answer some questions, in a worker of another process."""
    return _answered(_loaded(work), pickle.loads(questions), sign)


# The same work comes with every batch; what it has at hand stays with it.
_loaded = lru_cache(maxsize=2)(pickle.loads)


def _answered(
    work: Work[Question, Answer], questions: Sequence[Question], sign: Sign
) -> _Reply[Answer]:
    """Answer some questions, in a worker."""
    began = time.perf_counter()
    cancel = watched(sign)
    try:
        answers = work(questions, cancel)
    except KeyboardInterrupt:
        if not cancel.is_set():
            raise
        # It would end the worker, which others may go on to use.
        raise ExecutorError("called off: nothing waits for it any more") from None
    return _Reply(own_version(), answers, time.perf_counter() - began)
