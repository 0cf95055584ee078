"""The server: what the page asks for, and what it is told."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache, partial
from importlib import resources
from typing import Any, Final

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route

from branchwise.errors import BranchwiseError, IssuesError
from branchwise.follow.follower import Follower
from branchwise.formats.problem_schema import problem_schema
from branchwise.model.problem import Problem
from branchwise.report.page.templates import plain_page
from branchwise.report.text.wording import chance, short
from branchwise.studio import frames, work
from branchwise.studio.desk import VersionError
from branchwise.studio.guard import COMMON_HEADERS, FRAME_POLICY, policy
from branchwise.studio.questions import Questions
from branchwise.studio.text.characters import offset_in_page, with_page_text

_SECONDS_BETWEEN_LOOKS: Final = 1.0
_KINDS: Final = {"js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}

_POSTS: Final = (
    "edit", "text", "undo", "redo", "save", "take", "merge", "start", "bring", "stop",
    "aim", "pin", "unpin", "follow",
)  # fmt: skip

_SENSELESS: Final = (
    AttributeError,
    IndexError,
    KeyError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What is raised where a request says what no page of ours would say."""

Handler = Callable[[Request], Awaitable[Response]]


class PageMissingError(BranchwiseError):
    """The page was not built into this copy of branchwise."""


@cache
def page_file(name: str) -> bytes | None:
    """Return a file of the page; None where there is none of this name."""
    folder = resources.files("branchwise.studio").joinpath("page")
    for part in name.split("/"):
        if not part or part.startswith(".") or "\\" in part:
            return None
        folder = folder.joinpath(part)
    return folder.read_bytes() if folder.is_file() else None


def app_for(project: work.Work) -> Starlette:
    """Return the server of one document, behind its guard."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        project.begin()
        watch = asyncio.create_task(_watch(project))
        yield
        watch.cancel()
        project.close()

    server = _Server(project)
    routes = [
        Route("/", server.page),
        Route("/assets/{name}", server.asset),
        Route("/document", server.document),
        Route("/schema", server.schema),
        Route("/events", server.events),
        Route("/graph", server.graph),
        Route("/frames/{name}", server.frame),
        Route("/export/{name}", server.export),
        *(
            Route(f"/{each}", _told(getattr(server, each)), methods=["POST"])
            for each in _POSTS
        ),
    ]
    return Starlette(routes=routes, lifespan=lifespan)


async def _watch(project: work.Work) -> None:
    """Look now and then whether another program has changed the file."""
    while True:
        await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
        project.look()


def _told(handler: Callable[[Request], Awaitable[Any]]) -> Handler:
    """Let a handler answer with data, and its errors be answers, too."""

    async def answered(request: Request) -> Response:
        try:
            return _json(await handler(request))
        except VersionError as error:
            return _json({"error": str(error), "conflict": True}, 409)
        except IssuesError as error:
            first = error.issues[0]
            return _json({"error": first.what, "fix": first.fix}, 400)
        except BranchwiseError as error:
            return _json({"error": str(error)}, 400)
        except _SENSELESS as error:
            return _json({"error": f"this cannot be done: {error}"}, 400)

    return answered


def _json(data: Any, status: int = 200) -> Response:
    return JSONResponse(data, status, headers=COMMON_HEADERS)


class _Server:
    """Answers the page: a method for each thing that it may ask."""

    def __init__(self, project: work.Work) -> None:
        self._work = project
        self._questions = Questions(lambda version: version == project.desk.version)

    async def page(self, _: Request) -> Response:
        markup = page_file("index.html")
        if markup is None:
            raise PageMissingError("the page of the studio was not built")
        nonce = secrets.token_urlsafe(16)
        headers = {**COMMON_HEADERS, "content-security-policy": policy(nonce)}
        return HTMLResponse(
            markup.decode().replace("{{nonce}}", nonce), headers=headers
        )

    async def asset(self, request: Request) -> Response:
        name = request.path_params["name"]
        found = page_file(f"assets/{name}")
        if found is None:
            return Response("Not found", 404, headers=COMMON_HEADERS)
        kind = _KINDS.get(name.rpartition(".")[2], "application/octet-stream")
        headers = {**COMMON_HEADERS, "cache-control": "private, max-age=86400"}
        return Response(found, media_type=kind, headers=headers)

    async def document(self, _: Request) -> Response:
        return _json(self._document())

    async def schema(self, _: Request) -> Response:
        return _json(problem_schema())

    async def events(self, _: Request) -> Response:
        headers = {**COMMON_HEADERS, "x-accel-buffering": "no"}
        return StreamingResponse(
            self._events(), media_type="text/event-stream", headers=headers
        )

    async def _events(self) -> AsyncIterator[str]:
        queue = self._work.listen()
        try:
            said: dict[str, Any] = {"kind": "hello"}
            while said["kind"] != "end":
                yield f"data: {json.dumps(said)}\n\n"
                said = await queue.get()
        finally:
            self._work.leave(queue)

    def _document(self) -> dict[str, Any]:
        """Return the document, with characters counted as browsers count them."""
        document = self._work.document()
        text = self._work.desk.text
        for issue in document["issues"]:
            issue["page_from"] = offset_in_page(text, issue["from"])
            issue["page_to"] = offset_in_page(text, issue["to"])
        return {
            **document,
            "sections": frames.sections(),
            "starts": work.STARTS,
        }

    def _changed(self) -> dict[str, Any]:
        self._work.changed()
        return self._document()

    async def edit(self, request: Request) -> Any:
        said = await request.json()
        edits, name = said["edits"], str(said.get("name", ""))[:80]
        self._work.desk.edit(said["version"], edits, name)
        return self._changed()

    async def text(self, request: Request) -> Any:
        said = await request.json()
        desk = self._work.desk
        text = with_page_text(desk.text, str(said["text"]))
        desk.replace(said["version"], text, "typing")
        return self._changed()

    async def undo(self, request: Request) -> Any:
        self._work.desk.undo((await request.json())["version"])
        return self._changed()

    async def redo(self, request: Request) -> Any:
        self._work.desk.redo((await request.json())["version"])
        return self._changed()

    async def save(self, request: Request) -> Any:
        said = await request.json()
        self._work.desk.save(even_if_overtaken=said.get("even") is True)
        return self._document()

    async def take(self, _: Request) -> Any:
        self._work.desk.take_disk()
        return self._changed()

    async def merge(self, _: Request) -> Any:
        self._work.desk.merge()
        return self._changed()

    async def start(self, request: Request) -> Any:
        said = await request.json()
        text = work.start_text(said["name"])
        if self._work.desk.is_json:
            text = frames.imported(text.encode(), "start.yaml", is_json=True)
        self._work.desk.replace(said["version"], text, "the start")
        return self._changed()

    async def bring(self, request: Request) -> Any:
        version = int(request.query_params["version"])
        name = request.query_params["name"]
        data = await request.body()
        is_json = self._work.desk.is_json
        text = await run_in_threadpool(frames.imported, data, name, is_json=is_json)
        self._work.desk.replace(version, text, "the import")
        return self._changed()

    async def stop(self, _: Request) -> Any:
        self._work.solving.stop()
        return {}

    async def aim(self, request: Request) -> Any:
        self._work.aim_for(str((await request.json())["aim"]))
        return self._document()

    async def pin(self, request: Request) -> Any:
        self._work.pin(str((await request.json())["name"])[:80])
        return self._document()

    async def unpin(self, request: Request) -> Any:
        self._work.unpin(int((await request.json())["number"]))
        return self._document()

    async def follow(self, request: Request) -> Any:
        steps = (await request.json())["steps"]
        return await run_in_threadpool(followed, self._problem(), steps)

    async def graph(self, _: Request) -> Response:
        if self._work.problem is None:
            return _json({"error": "put right what is wrong first"}, 400)
        return _json(await run_in_threadpool(frames.graph_of, self._work.problem))

    async def frame(self, request: Request) -> Response:
        name = request.path_params["name"]
        headers = {**COMMON_HEADERS, "content-security-policy": FRAME_POLICY}
        run = self._work.solving.last
        if name == "plan":
            return HTMLResponse(run.page if run else "", headers=headers)
        asked = dict(request.query_params)
        try:
            if name == "compare":
                asked["text"] = self._work.desk.pins[int(asked["pin"])].text
                asked["form"] = "json" if self._work.desk.is_json else "yaml"
            problem, solution = self._problem(), run.solution if run else None
            work = partial(frames.frame_of, name, problem, solution, asked)
            # A plan may get better while the document stays as it is.
            question = (self._work.desk.version, name, id(solution), *asked.items())
            page = await self._questions.answer(question, work)
        except (BranchwiseError, ValueError, KeyError, IndexError) as error:
            return _sorry(str(error))
        if page is None:
            return _sorry("the problem has changed meanwhile")
        return HTMLResponse(page, headers=headers)

    async def export(self, request: Request) -> Response:
        name = request.path_params["name"]
        run = self._work.solving.last
        solution = run.solution if run else None
        try:
            data, kind = await run_in_threadpool(
                frames.export_of, name, self._problem(), solution
            )
        except BranchwiseError as error:
            return Response(str(error), 400, headers=COMMON_HEADERS)
        stem = self._work.desk.path.stem
        safe = "".join(c if c.isascii() and c.isalnum() else "-" for c in stem)
        headers = {
            **COMMON_HEADERS,
            "content-disposition": f'attachment; filename="{safe}.{name}"',
            "content-security-policy": "sandbox; default-src 'none'",
        }
        return Response(data, media_type=kind, headers=headers)

    def _problem(self) -> Problem:
        if self._work.problem is None:
            raise frames.NothingToShowError("put right what is wrong first")
        return self._work.problem


def _sorry(what: str) -> Response:
    """Return a page that says why there is none."""
    page = plain_page("Nothing to show", "studio", [what], [])
    headers = {**COMMON_HEADERS, "content-security-policy": FRAME_POLICY}
    return HTMLResponse(page, headers=headers)


def followed(problem: Problem, steps: list[dict[str, str]]) -> dict[str, Any]:
    """Return what the plan says after all that has happened."""
    follower = Follower(problem)
    is_surprise = False
    for step in steps:
        if "ruled_out" in step:
            change = follower.rule_out(step["ruled_out"])
        else:
            change = follower.happened(step["happened"])
        is_surprise = change.is_surprise
    advice = follower.advice
    return {
        "action": advice.action,
        "outcomes": [[label, chance(p)] for label, p in advice.probabilities],
        "worth": short(-advice.value if advice.is_least_cost else advice.value),
        "is_cost": advice.is_least_cost,
        "reward": short(advice.reward),
        "left": str(advice.left),
        "surprise": is_surprise,
        "actions": [
            {"name": action.name, "outcomes": list(action.labels)}
            for action in problem.actions
        ],
    }
