import json
import os

import pytest

from branchwise.certificate import checker


def test_the_certificate_is_written_beside_the_problem(run, example, folder):
    result = run("certify", example)

    assert result.exit_code == 0, result.stderr
    assert result.stdout == (
        "proven optimal: expected reward 8.43672, exactly 105459/12500\n"
        "23 rows of the plan, 37 rows of bounds\n"
        "written to illustrative.yaml.certificate.json; check it: branchwise verify "
        "illustrative.yaml.certificate.json illustrative.yaml\n"
    )
    assert (folder / "illustrative.yaml.certificate.json").is_file()


def test_a_certificate_can_be_verified_with_and_without_its_problem(run, example):
    run("certify", example, "-o", "proof.json", "-q")

    for arguments in ([], [example]):
        result = run("verify", "proof.json", *arguments)
        assert result.exit_code == 0
        assert result.stdout == (
            "ACCEPTED: the best plan is worth exactly 105459/12500 (8.43672)\n"
        )


def test_the_budget_may_differ_from_the_file_in_both(run, example):
    run("certify", example, "--budget", 3, "-o", "proof.json")

    same = run("verify", "proof.json", example, "--budget", 3)
    other = run("verify", "proof.json", example)
    assert (same.exit_code, other.exit_code) == (0, 1)
    assert "exactly 33/5 (6.6)" in same.stdout
    assert other.stdout == "REJECTED: it is about another problem\n"


def test_a_certificate_that_was_tampered_with_is_rejected(run, example, folder):
    run("certify", example, "-o", "proof.json")
    document = json.loads((folder / "proof.json").read_text())
    document["claim"]["at_least"] = "9"
    (folder / "proof.json").write_text(json.dumps(document))

    result = run("verify", "proof.json")
    assert result.exit_code == 1
    assert result.stdout == (
        "REJECTED: at_least: the policy is worth no more than 105459/12500\n"
    )


def test_a_certificate_may_be_printed(run, example, folder):
    result = run("certify", example, "-o", "-")

    assert json.loads(result.stdout)["claim"]["at_most"] == "105459/12500"
    assert len(list(folder.iterdir())) == 1


def test_the_problem_itself_is_not_overwritten(run, example):
    result = run("certify", example, "-o", example)

    assert result.exit_code == 2
    assert "is the problem itself" in result.stderr


def test_a_gap_is_reported(run, folder):
    run("generate", "hard.yaml", "--actions", 25, "--budget", 12, "--seed", 3)
    result = run("certify", "hard.yaml", "--gap", "90%", "--time-limit", "60", "-q")

    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("proven: the best plan is worth at least ")
    assert run("verify", "hard.yaml.certificate.json", "hard.yaml").exit_code == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "proof.json:1:2: this is no JSON: Expecting property name"),
        (b"\xff", "proof.json:1:1: byte 0 (0xff) is not UTF-8 text"),
    ],
)
def test_a_file_that_is_no_certificate_cannot_be_read(run, folder, text, message):
    data = text if isinstance(text, bytes) else text.encode()
    (folder / "proof.json").write_bytes(data)
    result = run("verify", "proof.json")

    assert result.exit_code == 2
    assert result.stderr.startswith(message)
    assert "fix: name a file that `branchwise certify` has written" in result.stderr


def test_a_budget_without_a_problem_is_wrong_usage(run, example):
    run("certify", example, "-o", "proof.json")
    result = run("verify", "proof.json", "--budget", 3)

    assert result.exit_code == 2
    assert "name a FILE" in result.stderr


@pytest.fixture
def anything(folder):
    """What is no ordinary file, or far too large."""
    os.mkfifo(folder / "pipe")
    (folder / "proofs").mkdir()
    with (folder / "sparse.json").open("wb") as file:
        file.truncate(30 * 2**30)


@pytest.mark.usefixtures("anything")
@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/dev/zero", "this is a device or a pipe, not a file"),
        ("pipe", "this is a device or a pipe, not a file"),
        ("proofs", "this is a folder"),
        ("sparse.json", "the file has more than 256 MB, the most that is read"),
        ("prof", "there is no such file; did you mean `proofs`?"),
    ],
)
def test_verify_reads_only_ordinary_files_of_a_reasonable_size(run, path, message):
    result = run("verify", path)

    assert result.exit_code == 2
    assert result.stderr.startswith(f"{path}: {message}\n    fix: ")


def test_a_certificate_may_come_from_the_standard_input(run, example):
    certificate = run("certify", example, "-o", "-").stdout

    assert run("verify", "-", input=certificate).exit_code == 0


@pytest.mark.usefixtures("anything")
@pytest.mark.parametrize("path", ["/dev/zero", "pipe", "proofs", "sparse.json"])
def test_the_checker_by_itself_reads_only_ordinary_files(path, capsys):
    assert checker.main([path]) == 2
    assert "usage: python checker.py" in capsys.readouterr().err
