"""The worst of what `hostile_options.py` tries, and why no other can be missing."""

import click
import pytest

from branchwise.cli.main import program
from branchwise.cli.options.values import TEXT, WholeNumber
from trials.hostile_options import PROBLEM

LONG = "12345678901234567890123456"
BYTES = "a\udcffb"

REFUSED = [
    *(
        (*command, value)
        for command in (
            ("solve", "p.yaml", "--threads"),
            ("solve", "p.yaml", "--sets"),
            ("solve", "p.yaml", "--robust", "--gamma"),
            ("solve", "p.yaml", "--memory-limit"),
            ("solve", "p.yaml", "--time-limit"),
            ("solve", "p.yaml", "--gap"),
            ("simulate", "p.yaml", "--runs"),
            ("simulate", "p.yaml", "-n"),
            ("simulate", "p.yaml", "--paths"),
            ("analyze", "p.yaml", "--draws"),
            ("analyze", "p.yaml", "--most-states"),
            ("analyze", "p.yaml", "--share"),
            ("sets", "p.yaml", "--limit"),
            ("program", "p.yaml", "--limit"),
        )
        for value in (LONG, "9" * 5_000, "nan")
    ),
    *(
        (*command, BYTES)
        for command in (
            ("simulate", "p.yaml", "--seed"),
            ("analyze", "p.yaml", "--seed"),
            ("analyze", "p.yaml", "--only"),
            ("analyze", "p.yaml", "--test"),
            ("analyze", "p.yaml", "--range"),
            ("analyze", "p.yaml", "--sample-size"),
            ("solve", "p.yaml", "--after"),
            ("solve", "p.yaml", "--budget"),
            ("solve", "p.yaml", "--aim"),
            ("explain", "p.yaml", "--action"),
            ("profiles", "p.yaml", "t.csv", "--keep"),
            ("generate", "--seed"),
            ("check",),
        )
    ),
    ("solve", "p.yaml", "--after", "(" * 10_000),
    ("solve", "p.yaml", "--after", "a1=ok," * 3_000),
    ("solve", "p.yaml", "--memory-limit", "9" * 400 + "TB"),
    ("solve", "p.yaml", "--budget", "9" * 10_000),
    ("solve", "p.yaml", "--aim", "cvar=nan"),
    ("solve", "p.yaml", "--json", "x" * 5_000),
    ("solve", "p.yaml", "--html", "\x1b[31m.htm"),
    ("explain", "p.yaml", "--action", "\x1b[31mred"),
    ("generate", "--actions", "9" * 10_000),
    ("check", "x" * 10_000),
]


@pytest.mark.parametrize(
    "arguments", REFUSED, ids=lambda words: ascii(" ".join(words))[:60]
)
def test_what_cannot_be_meant_is_refused_in_words(run, folder, arguments):
    (folder / "p.yaml").write_text(PROBLEM)
    (folder / "t.csv").write_text("P(a1=ok)\n0.3\n")

    result = run(*arguments)

    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.strip()
    assert len(result.stderr) < 15_000
    assert all(each.isprintable() or each == "\n" for each in result.stderr)


@pytest.mark.parametrize(
    ("arguments", "reported"),
    [
        (("--threads", LONG), f"`{LONG}` is too much; write 1,024 or less"),
        (("--threads", "0"), "`0` is too little; write 1 or more"),
        (
            ("--threads", "two"),
            "`two` is not a whole number; write one from 1",
        ),
        (("--time-limit", LONG), f"`{LONG}` is too much to be meant; write seconds"),
        (("--after", BYTES), r"`a\udcffb` is not UTF-8 text: byte 0xff; write it in"),
    ],
)
def test_the_message_says_what_to_write_instead(run, example, arguments, reported):
    assert reported in run("solve", example, *arguments).stderr


def parameters():
    context = click.Context(program)
    for verb in program.list_commands(context):
        for param in program.get_command(context, verb).params:
            yield verb, param


def test_every_text_is_checked_and_every_whole_number_has_a_most():
    """An option of a new verb cannot be forgotten: click's own types are not enough."""
    for verb, param in parameters():
        is_text = isinstance(param.type, click.types.StringParamType)
        is_whole = isinstance(param.type, click.types.IntParamType)
        assert not is_text or param.type is TEXT, (verb, param.name)
        assert not is_whole or isinstance(param.type, WholeNumber), (verb, param.name)
