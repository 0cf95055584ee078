"""The work in hand: a desk, what its text says, and all that look at it."""

from __future__ import annotations

import asyncio
from importlib import resources
from pathlib import Path
from typing import Any, Final

from branchwise.errors import BranchwiseError
from branchwise.formats.read import read_text
from branchwise.model.problem import Problem
from branchwise.risk.aims import Aim, AtLeast, CVaR
from branchwise.studio.answers import answer_document
from branchwise.studio.desk import Desk
from branchwise.studio.reading import Reading, reading_of
from branchwise.studio.solving import Solving

STARTS: Final = ("blank", "attack", "pathway", "mission")
"""What a document may begin with; files of this room."""

_FIRST: Final = "attack"
_MOST_EVENTS_WAITING: Final = 1_000
_MOST_PINS: Final = 20


def start_text(name: str) -> str:
    """Return the text of a start."""
    if name not in STARTS:
        raise ValueError(f"there is no start `{name}`")
    folder = resources.files("branchwise.studio").joinpath("starts")
    return folder.joinpath(f"{name}.yaml").read_text("utf-8")


def first_text(path: Path) -> str:
    """Return what a new document begins with: a problem that works."""
    text = start_text(_FIRST)
    if path.suffix.lower() == ".json":
        from branchwise.formats.write import write_text  # noqa: PLC0415

        return write_text(read_text(text), "json")
    return text


class Work:
    """
    The document, its reading, its plan, and everyone who is told of changes.

    All of it happens in the thread of the server, but for solving, which tells what it
    finds from threads of its own.
    """

    def __init__(self, path: Path) -> None:
        self.desk = Desk(path, "" if path.exists() else first_text(path))
        self.aim: Aim | None = None
        self.aim_text = "mean"
        self._listeners: set[asyncio.Queue[dict[str, Any]]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._solving = Solving(self._told)
        self._latest: dict[str, dict[str, Any]] = {}
        self._was_overtaken = False
        self.reading = self._read()

    def begin(self) -> None:
        """Begin to solve; called in the loop that serves."""
        self._loop = asyncio.get_running_loop()
        self._solve()

    def close(self) -> None:
        """End all work, and let go of the document."""
        self._solving.close()
        self.desk.close()

    @property
    def problem(self) -> Problem | None:
        """The problem; None where there is something wrong with it."""
        return self.reading.problem

    @property
    def solving(self) -> Solving:
        """What solves it."""
        return self._solving

    def document(self) -> dict[str, Any]:
        """Return all that a page shows of the document."""
        desk = self.desk
        return {
            "version": desk.version,
            "text": desk.text,
            "outline": self.reading.outline,
            "issues": self.reading.issues,
            "sound": self.problem is not None,
            "undo": desk.can_undo,
            "redo": desk.can_redo,
            "saved": desk.is_saved,
            "overtaken": desk.is_overtaken,
            "mergeable": desk.can_merge,
            "shared": self.reading.shared,
            "file": desk.path.name,
            "json": desk.is_json,
            "aim": self.aim_text,
            "pins": [{"name": p.name, **p.answer} for p in desk.pins],
            "events": [*self._latest.values()],
        }

    def changed(self) -> None:
        """Take note that the document has changed: read it, solve it, tell of it."""
        self.reading = self._read()
        self._latest.clear()
        self._tell({"kind": "document", "version": self.desk.version})
        self._solve()

    def aim_for(self, text: str) -> None:
        """Plan for something else: ``mean``, ``cvar=0.1`` or ``least=50``."""
        self.aim, self.aim_text = aim_of(text), text
        self._latest.clear()
        self._tell({"kind": "state", "version": self.desk.version})
        self._solve()

    def pin(self, name: str) -> None:
        """Keep the document as it is now, to compare with."""
        run = self._solving.last
        known = {} if run is None or run.solution is None else _summary(run.solution)
        if len(self.desk.pins) >= _MOST_PINS:
            raise ValueError("there are 20 scenarios already; let go of one first")
        self.desk.pin(name, known)
        self._tell({"kind": "state", "version": self.desk.version})

    def unpin(self, number: int) -> None:
        """Let go of a scenario."""
        self.desk.unpin(number)
        self._tell({"kind": "state", "version": self.desk.version})

    def look(self) -> None:
        """Report once that the file has changed on the disk."""
        is_overtaken = self.desk.is_overtaken
        if is_overtaken != self._was_overtaken:
            self._was_overtaken = is_overtaken
            self._tell({"kind": "state", "version": self.desk.version})

    def listen(self) -> asyncio.Queue[dict[str, Any]]:
        """Return where all that happens from now on is told."""
        queue: asyncio.Queue[dict[str, Any]] = asyncio.Queue(_MOST_EVENTS_WAITING)
        self._listeners.add(queue)
        return queue

    def leave(self, queue: asyncio.Queue[dict[str, Any]]) -> None:
        """Tell nothing more there."""
        self._listeners.discard(queue)

    def dismiss(self) -> None:
        """Tell everyone that there is nothing more to hear."""
        self._tell({"kind": "end"})

    def _read(self) -> Reading:
        return reading_of(self.desk.text, is_json=self.desk.is_json)

    def _solve(self) -> None:
        if self.problem is None:
            self._solving.give_up()
        else:
            self._solving.start(self.desk.version, self.problem, self.aim)

    def _told(self, kind: str, said: dict[str, Any]) -> None:
        """Pass on what another thread tells."""
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._keep, {"kind": kind, **said})

    def _keep(self, event: dict[str, Any]) -> None:
        if event["version"] != self.desk.version:
            return
        self._latest[event["kind"]] = event
        self._tell(event)

    def _tell(self, event: dict[str, Any]) -> None:
        for queue in [*self._listeners]:
            if queue.full():  # It reads nothing any more; it will ask for all anew.
                self._listeners.discard(queue)
            else:
                queue.put_nowait(event)


def aim_of(text: str) -> Aim | None:
    """
    Return what a text says plans are made for.

    >>> aim_of("cvar=10%"), aim_of("mean")
    (CVaR(level=Fraction(1, 10)), None)
    """
    name, _, number = text.partition("=")
    if name == "cvar":
        return CVaR(number)
    if name == "least":
        return AtLeast(number)
    if text != "mean":
        raise BranchwiseError(f"there is nothing called `{text}` to plan for")
    return None


def _summary(solution: Any) -> dict[str, Any]:
    document = answer_document(solution)
    return {key: document[key] for key in ("worth", "shown", "first", "is_cost")}
