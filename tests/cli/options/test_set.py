"""The option `--set`: other values of named parameters, for every verb with a FILE."""

import pytest

import branchwise

CLINIC = """
name: Clinic
parameters: {rate: 0.3, visit: 2}
budget: 4
actions:
  test: {cost: visit, outcomes: {yes: rate, no: rest}}
  treat: {requires: test=yes, cost: visit, outcomes: {cured: 0.5, not: rest}}
rewards: [{when: treat=cured, value: 100}]
"""


@pytest.fixture
def clinic(folder):
    (folder / "clinic.yaml").write_text(CLINIC)
    return "clinic.yaml"


def test_another_value_counts(run, clinic):
    result = run("solve", clinic, "--set", "rate=0.4", "-q")

    assert "expected reward 20" in result.stdout


def test_several_are_set_at_once(run, clinic):
    result = run("solve", clinic, "--set", "rate=60%", "--set", "visit=3", "-q")

    assert "expected reward 0" in result.stdout


@pytest.mark.parametrize(
    "verb",
    [
        ("check",),
        ("simulate", "-n", "100"),
        ("analyze", "--only", "derivatives"),
        ("sets",),
        ("explain", "--action", "test"),
        ("program",),
        ("graph",),
        ("certify", "-o", "proof.json"),
    ],
    ids=lambda verb: verb[0],
)
def test_every_verb_that_reads_a_problem_has_it(run, clinic, verb):
    name, *options = verb
    fine = run(name, clinic, *options, "--set", "rate=0.4")
    wrong = run(name, clinic, *options, "--set", "rte=0.4", "--force")

    assert fine.exit_code == 0, fine.output
    assert wrong.exit_code == 2


def test_a_problem_is_converted_with_what_is_set(run, clinic, folder):
    assert run("convert", clinic, "moved.yaml", "--set", "rate=0.4").exit_code == 0

    problem = branchwise.read(folder / "moved.yaml")
    assert problem == branchwise.read(folder / clinic).with_parameters(rate="0.4")
    assert "'yes': rate" in (folder / "moved.yaml").read_text()


def test_a_certificate_is_about_what_is_set(run, clinic):
    run("certify", clinic, "--set", "rate=0.4", "-o", "proof.json")

    assert run("verify", "proof.json", clinic, "--set", "rate=0.4").exit_code == 0
    assert run("verify", "proof.json", clinic).exit_code == 1
    without = run("verify", "proof.json", "--set", "rate=0.4")
    assert "--set changes the problem in FILE; name a FILE" in without.stderr


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--set", "rte=0.4"], "there is no parameter 'rte'; did you mean `rate`?"),
        (["--set", "rate"], "`rate` sets nothing; write `rate=0.4`, say"),
        (["--set", "rate=lots"], "`lots` is not a number"),
        (["--set", "rate=0.1", "--set", "rate=0.2"], "`rate` is set twice"),
        (["--set", "rate=1.4"], "the others already sum to 1.4, with `rate`"),
        (["--set", "visit=-1"], "the cost is -1 (`visit`), less than 0"),
    ],
)
def test_what_cannot_be_set_is_refused(run, clinic, options, words):
    result = run("solve", clinic, *options)

    assert result.exit_code == 2
    assert words in " ".join(result.stderr.split())
