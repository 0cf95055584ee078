"""The server, asked as an assistant asks it: by the official client, over pipes."""

import signal
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from branchwise import read_text
from branchwise.assistant.server import INSTRUCTIONS

ROOT = Path(__file__).parents[2]
SERVER = ["-m", "branchwise", "mcp"]


def in_session(talk, folder):
    """Start a server in a folder, let an assistant talk to it, and end it."""
    start = StdioServerParameters(
        command=sys.executable, args=[*SERVER, "--folder", str(folder)]
    )

    async def main():
        async with Client(stdio_client(start)) as client:
            return await talk(client)

    return anyio.run(main)


def test_an_assistant_lists_the_tools_and_calls_them():
    async def talk(client):
        tools = (await client.list_tools()).tools
        told = client.instructions
        checked = await client.call_tool("check", {"path": "phishing.yaml"})
        solved = await client.call_tool("solve", {"path": "phishing.yaml"})
        broken = await client.call_tool("solve", {"document": "actions: {a: {}}"})
        odd = await client.call_tool("sovle", {})
        return tools, told, checked, solved, broken, odd

    tools, told, checked, solved, broken, odd = in_session(talk, ROOT / "examples")

    assert len(tools) == 8
    assert all(tool.annotations.read_only_hint for tool in tools)
    assert "Call `check` first" in told
    assert checked.structured_content["ok"]
    assert solved.structured_content["result"]["first_action"] == "guess passwords"
    assert "expected reward 30.9483" in solved.content[0].text
    assert broken.is_error
    assert broken.structured_content["issues"][0]["fix"]
    assert "did you mean `solve`?" in odd.content[0].text


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_server_though_its_input_is_open(number):
    with subprocess.Popen(
        [sys.executable, *SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as server:
        request = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n'
        server.stdin.write(request)
        server.stdin.flush()
        assert server.stdout.readline()
        server.send_signal(number)
        assert server.wait(10) == -number
        assert b"Traceback" not in server.stderr.read()


def test_the_instructions_show_a_problem_that_can_be_read():
    _, _, rest = INSTRUCTIONS.partition("\n\n")
    document, _, _ = rest.partition("\n\n")

    assert len(read_text(document).actions) == 2
