import re
import textwrap
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

import branchwise

ROOT = Path(__file__).parents[2]


def test_version_is_that_of_the_package(run):
    result = run("--version")

    assert result.stdout == f"branchwise {branchwise.__version__}\n"
    assert result.exit_code == 0
    assert version("branchwise") == branchwise.__version__


def test_the_version_is_declared_once_and_told_alike_everywhere():
    """The package is the source; what people cite and read must not fall behind."""
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

    assert pyproject["project"]["dynamic"] == ["version"]
    assert re.findall(r"(?m)^version: (.+)$", citation) == [branchwise.__version__]
    newest = re.search(r"(?m)^## \[(.+?)\]", changes)[1]
    assert newest == branchwise.__version__


def test_short_and_long_help_are_the_same(run):
    assert run("-h").stdout == run("--help").stdout
    assert run("solve", "-h").stdout == run("solve", "--help").stdout


def test_help_fits_a_small_terminal(run):
    lines = run("--help").stdout.splitlines()

    assert max(map(len, lines)) <= 80
    assert all(map(str.isprintable, lines))


@pytest.fixture
def oil(run, folder):
    """The problem file that the help shows."""
    shown = re.search(r"\n( +)name: Oil.*\n(?:\1.*\n)+", run("--help").stdout)[0]
    (folder / "oil.yaml").write_text(textwrap.dedent(shown))
    return "oil.yaml"


def test_every_command_in_the_help_runs_on_the_file_in_the_help(run, oil, folder):
    shown = run("--help").stdout + run("solve", "--help").stdout
    commands = re.findall(r"\n  +branchwise (.+?)(?: {2}.*)?(?=\n)", shown)

    assert len(commands) == 26
    (folder / "my.yaml").write_text("rules: [{when: not lease, do: lease}]")
    for command in commands:
        result = run(*command.split())
        assert result.exit_code == 0, result.output
    written = {"my.yaml", "oil.yaml", "oil.xlsx", "oil.svg", "random.yaml"}
    written |= {"plan.html", "plan.json", "plan.svg", "plan.mmd"}
    written |= {"oil.yaml.journal", "oil.yaml.certificate.json", "states"}
    assert {file.name for file in folder.iterdir()} == written


def test_the_oil_problem_of_the_help_is_worth_54_4(run, oil):
    """Test; if good (40 %) drill for 0.5 * 200, else lease for 0.6 * 40."""
    result = run("solve", oil, "--quiet")

    assert "expected reward 54.4, first action test" in result.stdout


def test_a_file_without_a_verb_is_answered_with_the_verb(run, example):
    result = run(example)

    assert result.exit_code == 2
    assert f"Did you mean `branchwise solve {example}`?" in result.stderr


def test_an_unknown_verb_is_wrong_usage(run):
    result = run("slove")

    assert result.exit_code == 2
    assert "No such command 'slove'" in result.stderr


@pytest.mark.parametrize(
    ("error", "code", "reported"),
    [
        (MemoryError(), 2, "there is not enough memory for this\n"),
        (OSError(5, "Input/output error"), 2, "cannot write: Input/output error\n"),
        (
            PermissionError(13, "Permission denied", "plan\x1b.html"),
            2,
            "cannot write 'plan\\x1b.html': Permission denied\n",
        ),
        (KeyboardInterrupt(), 130, "interrupted\n"),
        (BrokenPipeError(), 0, ""),
        (branchwise.LimitError("too little time"), 2, "too little time\n"),
    ],
)
def test_whatever_ends_a_verb_is_reported_in_words(
    run, example, monkeypatch, error, code, reported
):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(branchwise, "solve", fail)
    result = run("solve", example)

    assert (result.exit_code, result.stderr) == (code, reported)


def test_too_little_memory_to_say_what_is_wrong_is_reported_in_words(run, monkeypatch):
    def fail(*_, **__):
        raise MemoryError

    monkeypatch.setattr("click.exceptions.UsageError.show", fail)
    result = run("slove")

    assert result.exit_code == 2
    assert result.stderr == "there is not enough memory for this\n"


def test_a_mistake_of_ours_is_not_hidden(run, example, monkeypatch):
    def fail(*_, **__):
        raise AssertionError("this cannot be")

    monkeypatch.setattr(branchwise, "solve", fail)
    with pytest.raises(AssertionError, match="this cannot be"):
        run("solve", example)
