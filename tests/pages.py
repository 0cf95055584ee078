"""
The pages of the documentation, and what really comes of the code on them.

Blocks of a page run in order, in one folder and with one set of Python names:

* ``python``: with ``>>>`` every output is compared, without it the code must run;
* ``console``: every ``$ command`` is run by a shell and its output is compared;
* ``yaml``, ``csv`` and ``json``: written to the file that the line before names
  (``<!-- file: oil.yaml -->``, or a paragraph that ends in "`oil.yaml`:"); a problem
  without a file's name must be read without error;
* ``text``: for people only.

``...`` stands for any text. ``<!-- not run: why -->`` excuses the block below it.
"""

import io
import json
import os
import re
import shlex
import subprocess
import sys
import traceback
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from doctest import ELLIPSIS, DocTestParser, OutputChecker
from pathlib import Path

from click.testing import CliRunner

import branchwise
from branchwise.cli.main import program

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted(ROOT.glob("docs/**/*.md")),
]

TERMINAL = {"COLUMNS": "80", "NO_COLOR": "1"}
_HELP_WIDTH = 78  # what click takes of a terminal of 80 columns

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"(?:<!-- file: (\S+) -->|`([^`\s]+)`(?: \([^)]*\))?:)\s*\Z")
_NOT_RUN = re.compile(r"<!-- not run: (.+) -->\s*\Z")
_COMMAND = re.compile(r"\$ (.*\n(?:(?<=\\\n)> .*\n)*)")
_PLAIN = re.compile(
    r"""branchwise (?!.*--memory)(?:[\w ./=:,%+-]|'[^']*'|"[^"$`\\]*")+"""
)
"""No pipes and the like, and no limit on its own memory."""


@dataclass
class Block:
    """One fenced block: its language, its text, and what the line before says."""

    language: str
    text: str
    line: int
    file: str = ""
    excuse: str = ""


@dataclass
class Step:
    """What a reader types, what the page says comes of it, and what really does."""

    source: str
    expected: str
    actual: str

    @property
    def is_as_shown(self):
        return OutputChecker().check_output(self.expected, self.actual, ELLIPSIS)


def blocks(path):
    """Find the fenced blocks of a page."""
    text = path.read_text(encoding="utf-8")
    for match in _FENCE.finditer(text):
        before = text[: match.start()]
        named, excused = _FILE.search(before), _NOT_RUN.search(before)
        yield Block(
            match[1],
            match[2],
            before.count("\n") + 1,
            (named[1] or named[2]) if named else "",
            excused[1] if excused else "",
        )


@dataclass
class Session:
    """A folder and the names that the blocks of one page share."""

    folder: Path
    page: Path
    names: dict = field(default_factory=lambda: {"__name__": "__main__"})
    exit_code: int = 0

    def run(self, block):
        """Do what a block says; give the steps whose output the page shows."""
        if block.file:
            (self.folder / block.file).write_text(block.text, encoding="utf-8")
        if block.language == "console":
            return list(self._console(block))
        if block.language == "python":
            return list(self._python(block))
        if block.language == "json":
            json.loads(block.text)
        elif block.language in {"yaml", "csv"} and not block.file:
            branchwise.read_text(block.text, format=block.language)
        return []

    def _console(self, block):
        _, *parts = _COMMAND.split(block.text)
        for command, expected in zip(parts[::2], parts[1::2], strict=True):
            typed = re.sub(r"\\\n> ", "", command).strip()
            yield Step(f"$ {command}", expected, self.shell(typed))

    def shell(self, command, **more):
        """Run a command as at a terminal; `$?` is that of the command before."""
        if _PLAIN.fullmatch(command) and not more:
            return self._branchwise(shlex.split(command)[1:])
        done = subprocess.run(
            ["bash", "-c", f"(exit {self.exit_code}); {command}"],
            cwd=self.folder,
            env=environment(self.folder) | more,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        self.exit_code = done.returncode
        return done.stdout

    def _branchwise(self, arguments):
        """Run `branchwise` here: to start it takes longer than most that it does."""
        before = Path.cwd()
        os.chdir(self.folder)
        try:
            runner = CliRunner(env=TERMINAL, catch_exceptions=False)
            done = runner.invoke(
                program, arguments, prog_name="branchwise", terminal_width=_HELP_WIDTH
            )
        finally:
            os.chdir(before)
        self.exit_code = done.exit_code
        return done.output

    def _python(self, block):
        place = f"{self.page.name}:{block.line}"
        if ">>> " not in block.text:
            self._execute(compile("\n" * block.line + block.text, place, "exec"))
            return
        for example in DocTestParser().get_examples(block.text, place):
            prompt = [">>> ", *["... "] * example.source.count("\n")]
            lines = zip(prompt, example.source.splitlines(), strict=False)
            source = "".join(f"{mark}{line}".rstrip() + "\n" for mark, line in lines)
            yield Step(source, example.want, self._output(example.source, place))

    def _output(self, source, place):
        printed = io.StringIO()
        with redirect_stdout(printed):
            try:
                self._execute(compile(source, place, "single"))
            except Exception as error:  # noqa: BLE001
                last = "".join(traceback.format_exception_only(error))
                return f"Traceback (most recent call last):\n    ...\n{last}"
        return printed.getvalue()

    def _execute(self, code):
        """Run code as a program of its own would: here a browser may be at work."""
        with ThreadPoolExecutor(1) as thread:
            thread.submit(exec, code, self.names).result()


def environment(folder):
    """Give a shell in which `branchwise` is the one that is being tested."""
    programs = folder / ".bin"
    programs.mkdir(exist_ok=True)
    modules = {"branchwise": " -m branchwise", "dask": " -m dask", "python": ""}
    for name, arguments in modules.items():
        program = programs / name
        if not program.exists():  # One that runs beside must not be written to.
            program.write_text(f'#!/bin/sh\nexec "{sys.executable}"{arguments} "$@"\n')
            program.chmod(0o755)
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}
    source = str(Path(branchwise.__file__).parents[1])
    return kept | {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": source,
        "PYTHONIOENCODING": "utf-8",
        **TERMINAL,
    }


def shown(steps):
    """Write a block anew, with what really happens where the page is wrong."""
    return "".join(
        step.source
        + (step.expected if step.is_as_shown else _without_times(step.actual))
        for step in steps
    )


def _without_times(text):
    text = re.sub(r"(?m)^solved in .*$", "solved in ...", text)
    return text if text.endswith("\n") or not text else f"{text}\n"
