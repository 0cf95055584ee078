import re
import shlex

import pytest

import branchwise
from branchwise.generator.recipe import DEFAULTS


@pytest.mark.parametrize("suffix", ["yaml", "json", "csv", "xlsx"])
def test_the_problem_is_written_in_the_format_that_the_name_says(run, folder, suffix):
    result = run("generate", f"random.{suffix}", "--actions", 9, "--seed", 3)

    assert result.exit_code == 0, result.stderr
    assert result.stdout == f"wrote random.{suffix}: 9 actions, 1 reward, budget 10\n"
    problem = branchwise.generate(actions=9, seed=3)
    assert branchwise.read(f"random.{suffix}") == problem


def test_a_file_that_is_there_is_not_written_over_unless_forced(run, folder):
    (folder / "random.yaml").write_text("precious")

    result = run("generate", "random.yaml")

    assert result.exit_code == 2
    assert "'random.yaml' is there already, and would be lost" in result.stderr
    assert (folder / "random.yaml").read_text() == "precious"
    assert run("generate", "random.yaml", "--force").exit_code == 0
    assert branchwise.read("random.yaml") == branchwise.generate()


@pytest.mark.parametrize("target", [[], ["-"]])
def test_without_a_file_the_problem_is_printed_as_yaml(run, folder, target):
    result = run("generate", *target, "--seed", "a b")

    assert result.stdout == branchwise.write_text(branchwise.generate(seed="a b"))
    assert not list(folder.iterdir())


def test_the_name_of_a_problem_is_the_command_that_makes_it(run):
    options = "--seed 'a b' --outcomes 2-3 --preclusions 20% --cost-weight 0.1"
    first = run("generate", *shlex.split(options)).stdout
    command = branchwise.read_text(first).name

    assert command.startswith("branchwise generate ")
    assert run(*shlex.split(command)[1:]).stdout == first


def test_every_knob_is_an_option_that_says_its_default(run):
    shown = " ".join(run("generate", "--help").stdout.split())

    for knob, usual in DEFAULTS.items():
        option = f"--{knob.replace('_', '-')}"
        said = re.search(rf"{option} [A-Z]+ [^\[]*\[default: ([^\]]*)\]", shown)[1]
        assert usual is None or said == str(usual)


def test_knobs_that_cannot_be_are_an_error(run, folder):
    result = run("generate", "random.yaml", "--budget", 1, "--layers", 5)

    assert result.exit_code == 2
    assert result.stderr == (
        "budget: a plan takes an action of each of 5 layers, which cost 5 or more, and "
        "the budget is 1\n"
        "    fix: raise the budget to 5 or more, or write fewer layers\n"
    )
    assert not list(folder.iterdir())


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("missing/random.yaml", "there is no folder 'missing'"),
        ("random.pdf", "`.pdf` is not the end of a problem file's name"),
    ],
)
def test_a_target_that_cannot_be_written_is_an_error(run, folder, target, message):
    result = run("generate", target)

    assert result.exit_code == 2
    assert message in result.stderr


def test_what_is_made_passes_the_check(run, folder):
    run("generate", "random.csv", "--rewards", 2, "--resources", 2)

    result = run("check", "random.csv")

    assert result.stderr == ""
    assert result.stdout == ("ok: 20 actions, 2 rewards, budget 10 money, 10 days\n")


def test_the_schema_is_told_in_a_file_only(run, folder):
    result = run("generate", "random.yaml", "--with-schema")
    refused = run("generate", "--with-schema")

    assert result.exit_code == 0, result.stderr
    assert (folder / "random.yaml").read_text().startswith("# yaml-language-server:")
    assert refused.exit_code == 2
    assert "--with-schema is about a file; name a TARGET" in refused.stderr


def test_many_problems_go_into_a_folder(run, folder):
    result = run("generate", "models", "--number", 3, "--actions", 6, "--budget", 4)

    assert result.exit_code == 0, result.stderr
    assert result.stdout == "models has 3 problems\n"
    made = [branchwise.read(f"models/{n}.yaml") for n in (1, 2, 3)]
    assert made == [branchwise.generate(6, 4, seed=f"0-{n}") for n in (1, 2, 3)]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--number", 3], "--number makes a folder of problems; name it as TARGET"),
        (["a.yaml", "--number", 3], "'a.yaml' is a file; name a folder"),
        (["models", "--number", 3, "--with-schema"], "leave out --number"),
        (["--cluster", "local:2"], "--cluster is for many problems"),
        ([".", "--actions", 6], "'.' is a folder; name a file in it"),
    ],
)
def test_folders_and_files_are_told_apart(run, folder, words, message):
    (folder / "a.yaml").write_text("precious")

    result = run("generate", *words)

    assert result.exit_code == 2
    assert message in result.stderr
    assert [path.name for path in folder.iterdir()] == ["a.yaml"]
