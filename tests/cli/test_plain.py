"""`solve FILE` alone: the same as with options, without loading what reads them."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from branchwise.cli.plain import PlainRequest, plain_request

EXAMPLES = sorted(Path("examples").glob("*.yaml"))[:4]

# An option that says what is so anyway.
NEUTRAL = ("--search", "auto")

FILES = {
    "a warning": "actions: {a: {outcomes: {no: 0, ok: 1}}}\n"
    "rewards: [{when: a=ok, value: 1}]\n",
    "an error": "actions: {a: {outcomes: {no: 0.5, ok: 0.6}}}\n"
    "rewards: [{when: b=ok, value: 1}]\n",
    "no problem": "[1, 2\n",
}


def ended(*arguments):
    """How the command ends: what it says, and its exit code."""
    command = [sys.executable, "-m", "branchwise", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    untimed = re.sub(r"solved in \S+ s", "solved", done.stdout)
    return done.returncode, untimed, done.stderr


@pytest.mark.parametrize("check", [(), ("--verify",), ("--no-verify",)])
def test_a_plan_is_shown_as_with_options(check):
    for example in EXAMPLES:
        plain = ended("solve", str(example), *check)

        assert plain == ended("solve", str(example), *check, *NEUTRAL)
        assert plain[0] == 0


@pytest.mark.parametrize("name", FILES)
def test_what_is_wrong_is_said_as_with_options(name, folder):
    (folder / "problem.yaml").write_text(FILES[name])

    plain = ended("solve", "problem.yaml")

    assert plain == ended("solve", "problem.yaml", *NEUTRAL)
    assert plain[0] == (0 if name == "a warning" else 2)
    assert plain[2]


def test_nothing_is_loaded_that_reads_options(example):
    code = (
        "import sys; from branchwise.__main__ import main;"
        f"sys.argv = ['branchwise', 'solve', '{example}']; main();"
        "sys.exit('click' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("solve",),
        ("solve", "there is none.yaml"),
        ("solve", "-"),
        ("solve", "--help"),
        ("solve", "illustrative.yaml", "--quiet"),
        ("solve", "illustrative.yaml", "illustrative.yaml"),
        ("solve", "illustrative.yaml", "--verify", "--no-verify"),
        ("check", "illustrative.yaml"),
    ],
)
def test_anything_else_is_read_as_options_are(arguments, example):
    assert example == "illustrative.yaml"
    assert plain_request(list(arguments)) is None


def test_whether_to_check_may_be_said(example):
    asked = plain_request(["solve", "--no-verify", example])

    assert asked == PlainRequest(example, verify=False)
    assert plain_request(["solve", example]) == PlainRequest(example)
