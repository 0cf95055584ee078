"""The studio as a program: a server on this machine, for one document."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Final

import uvicorn

from branchwise.errors import FormatError
from branchwise.formats.place import Place
from branchwise.formats.source_text import refuse
from branchwise.studio.app import app_for, page_file
from branchwise.studio.desk import journal_of
from branchwise.studio.guard import Guard
from branchwise.studio.work import Work

LOOPBACK: Final = "127.0.0.1"
SUFFIXES: Final = (".yaml", ".yml", ".json")
"""What a document may be: tables are taken in from the page."""

_NAME: Final = "problem.yaml"
_SECONDS_TO_END: Final = 1


def usual_path(folder: Path) -> Path:
    """Return where a problem goes that has no name yet: not over any that is there."""
    number = 1
    while True:
        path = folder / (_NAME if number == 1 else f"problem-{number}.yaml")
        if journal_of(path).exists() or not path.exists():
            return path
        number += 1


def serve(
    path: Path,
    *,
    host: str = LOOPBACK,
    port: int = 0,
    ready: Callable[[str], object],
) -> None:
    """
    Serve a document until interrupted.

    Parameters
    ----------
    path
        The problem file, which need not exist yet.
    host, port
        Where to listen; on this machine only, at any free port, unless said.
    ready
        Called with the address of the page once it can be opened.
    """
    server_of(path, host=host, port=port, ready=ready).serve_until_ended()


def server_of(
    path: Path, *, host: str, port: int, ready: Callable[[str], object]
) -> Server:
    """Return what serves a document; see `serve`."""
    _check(path)
    listening = _listening(host, port)
    try:
        work = Work(path)
    except BaseException:
        listening.close()
        raise
    here = listening.getsockname()[1]
    token = secrets.token_urlsafe(24)
    names = {f"{name}:{here}" for name in (host, LOOPBACK, "localhost")}
    config = uvicorn.Config(
        Guard(app_for(work), token, frozenset(names)),
        log_config=None,
        lifespan="on",
        timeout_graceful_shutdown=_SECONDS_TO_END,
        server_header=False,
        log_level="critical",
    )
    address = f"http://{host}:{here}/{token}/"
    return Server(config, listening, lambda: ready(address), work.dismiss)


class Server(uvicorn.Server):
    """A server that says when it can be asked."""

    def __init__(
        self,
        config: uvicorn.Config,
        listening: socket.socket,
        ready: Callable[[], object],
        ending: Callable[[], object],
    ) -> None:
        super().__init__(config)
        self._listening, self._ready, self._ending = listening, ready, ending

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Hang up on the pages, which listen for as long as they are open."""
        self._ending()
        await super().shutdown(sockets)

    def serve_until_ended(self) -> None:
        """Serve until interrupted, or until `should_exit` is set."""
        self.run(sockets=[self._listening])

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, and say so."""
        await super().startup(sockets)
        if self.started:
            self._ready()


def _check(path: Path) -> None:
    place = Place(str(path))
    if page_file("index.html") is None:
        what = "the page of the studio was not built into this copy of branchwise"
        raise refuse(place, what, "install it again: `pip install .`")
    if path.suffix.lower() not in SUFFIXES:
        what = f"the studio edits YAML and JSON, and `{path.suffix}` is neither"
        fix = "open it without a file and drop this one on the page"
        raise refuse(place, what, fix)
    if not path.parent.is_dir():
        what = f"there is no folder `{path.parent}`"
        raise refuse(place, what, "check the path")


def _listening(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port))
    except OSError as error:
        place = Place(f"{host}:{port}")
        what = f"nothing can be served there: {error.strerror}"
        raise _cannot_listen(place, what) from error


def _cannot_listen(place: Place, what: str) -> FormatError:
    return refuse(place, what, "name another port, or none: `--port 0`")
