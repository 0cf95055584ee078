"""The guard: who may ask the studio for anything, and how much may be sent."""

from __future__ import annotations

import secrets
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from branchwise.formats.file_limits import LARGEST_FILE

LARGEST_BODY: Final = LARGEST_FILE + 2**20
"""Bytes of a request; a little more than any file may have."""

_STATUS: Final = {
    400: b"Bad request",
    403: b"Forbidden",
    404: b"Not found",
    413: b"Too large",
}


class _TooLargeError(Exception):
    """A request has more bytes than any file may have."""


class Guard:
    """
    Lets through only who knows the token, from a page of our own.

    The token is the first part of every address. The name in `Host` has to be that of
    this machine, or a foreign name could be made to lead here; `Origin`, where it is
    sent, has to be our own.
    """

    def __init__(self, app: ASGIApp, token: str, hosts: frozenset[str]) -> None:
        self._app, self._token, self._hosts = app, token, hosts
        self._origins = {f"http://{host}" for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        status = self._refusal(scope)
        if status:
            await _refuse(send, status)
            return
        inside = {**scope, "path": scope["path"][len(self._token) + 1 :]}
        inside["raw_path"] = inside["path"].encode()
        try:
            await self._app(inside, _limited(receive), send)
        except _TooLargeError:
            await _refuse(send, 413)

    def _refusal(self, scope: Scope) -> int:
        """Return the status to refuse a request with; 0 where it may pass."""
        if scope["type"] != "http":
            return 403
        said = [(name, value.decode("latin-1")) for name, value in scope["headers"]]
        hosts = [value for name, value in said if name == b"host"]
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return 403
        origins = [value for name, value in said if name == b"origin"]
        if any(origin not in self._origins for origin in origins):
            return 403
        if (b"sec-fetch-site", "cross-site") in said:
            return 403
        is_known = secrets.compare_digest(
            scope["path"][: len(self._token) + 2].encode(), f"/{self._token}/".encode()
        )
        if not is_known:
            return 404
        sizes = [value for name, value in said if name == b"content-length"]
        if any(not size.isdecimal() for size in sizes):
            return 400
        return 413 if any(int(size) > LARGEST_BODY for size in sizes) else 0


def _limited(receive: Receive) -> Receive:
    """Return what receives no more than a request may have."""
    size = 0

    async def limited() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > LARGEST_BODY:
            raise _TooLargeError
        return message

    return limited


async def _refuse(send: Send, status: int) -> None:
    headers = [(b"content-type", b"text/plain"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": _STATUS[status]})


def policy(nonce: str) -> str:
    """Return the content security policy of the page."""
    return (
        "default-src 'none'; script-src 'self'; connect-src 'self'; frame-src 'self'; "
        f"style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; font-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


FRAME_POLICY: Final = (
    "sandbox allow-scripts allow-downloads; default-src 'none'; "
    "style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'"
)
"""The policy of a page of the report in a frame: it cannot reach the studio."""

COMMON_HEADERS: Final = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
