"""The server: the tools over the Model Context Protocol, on the standard streams."""

from __future__ import annotations

from functools import partial
from importlib.metadata import version
from threading import Event
from typing import Any, Final

import anyio
from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from branchwise.assistant.results import RESULT_SCHEMA, Result
from branchwise.assistant.tools import TOOLS, Tool, call

_MOST_AT_ONCE: Final = 2

INSTRUCTIONS: Final = """\
branchwise finds the optimal contingent plan when every step may fail: what to do
first, and what next whatever happens. A problem is a YAML text:

name: Oil wildcatter
budget: 100
actions:
  test:
    cost: 10
    outcomes: {good: 0.4, bad: rest}
  drill:
    cost: 70
    requires: test=good or test=bad   # and, or, not; action=outcome, or action alone
    outcomes: {oil: 0.2, dry: rest}   # probabilities: 0.2, 20%, 1/5, rest
    given:                            # the first that holds decides
      - {when: test=good, outcomes: {oil: 0.6, dry: rest}}
rewards:
  - {when: drill=oil, value: 200}
combine: sum     # of several rewards; without it the highest counts
cost_weight: 1   # costs count against rewards, too; without it only the budget matters

Also: `attempts: 3` and `precluded_by:` of actions, `hidden:` facts that tests hint at,
`counters:`, `ends: lose` of outcomes, named `parameters:`, `defenses:`. `schema` has
all keys. Names with spaces stand in double quotes within conditions.

Call `check` first and after each edit; every issue says where, why and what to write.
Where that is an option of the command line, such as `--set x=0.2`, give it as an
argument: `--set` is `parameters`, `--budget` and `--after` are called so.
Then `solve`; then `analyze` and `explain` for questions about the plan. Report whether
`status` is `optimal`, and where not, the `upper_bound`. Nothing is written to disk.
"""


def serve() -> None:
    """Serve an assistant until it hangs up, or until interrupted."""
    anyio.run(_serve)


async def _serve() -> None:
    server = server_of_tools()
    async with stdio_server() as (requests, replies):
        await server.run(requests, replies, server.create_initialization_options())


def server_of_tools() -> Server[Any]:
    """Return what answers an assistant."""
    limiter = CapacityLimiter(_MOST_AT_ONCE)

    async def on_list_tools(*_: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_listed(tool) for tool in TOOLS])

    async def on_call_tool(
        _: object, asked: types.CallToolRequestParams
    ) -> types.CallToolResult:
        cancel = Event()
        answer = partial(call, asked.name, asked.arguments or {}, cancel)
        try:
            # An assistant that has lost interest does not wait for the thread to end.
            result = await run_sync(answer, abandon_on_cancel=True, limiter=limiter)
        finally:
            cancel.set()
        return _replied(result)

    return Server(
        "branchwise",
        version=version("branchwise"),
        title="branchwise",
        description="Finds the best contingent plan when every step may fail",
        instructions=INSTRUCTIONS,
        on_list_tools=on_list_tools,
        on_call_tool=on_call_tool,
    )


def _listed(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=RESULT_SCHEMA,
        annotations=types.ToolAnnotations(
            read_only_hint=True, idempotent_hint=True, open_world_hint=False
        ),
    )


def _replied(result: Result) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(text=result.text)],
        structured_content=dict(result.data),
        is_error=result.is_error,
    )
