import pytest

import branchwise


@pytest.mark.parametrize("suffix", ["yaml", "yml", "json", "csv", "xlsx"])
def test_the_problem_is_the_same_in_every_format(run, example, suffix):
    result = run("convert", example, f"other.{suffix}")

    assert result.exit_code == 0, result.stderr
    assert result.stdout == f"wrote other.{suffix}: 7 actions, 3 rewards, budget 6\n"
    assert branchwise.read(f"other.{suffix}") == branchwise.read(example)


def test_a_model_for_storm_is_written_and_not_read_back(run, example):
    result = run("convert", example, "other.prism")

    assert result.exit_code == 0, result.stderr
    assert result.stdout == "wrote other.prism: 7 actions, 3 rewards, budget 6\n"
    refused = run("solve", "other.prism")
    assert refused.exit_code == 2
    assert "`.prism` is written for other programs" in refused.stderr


def test_converting_a_file_to_itself_keeps_the_problem(run, example):
    before = branchwise.read(example)

    assert run("convert", example, example).exit_code == 0
    assert branchwise.read(example) == before


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("missing/other.yaml", "there is no folder 'missing'"),
        (".", "'.' is a folder"),
        ("other.pdf", "`.pdf` is not the end of a problem file's name"),
    ],
)
def test_a_target_that_cannot_be_written_is_an_error(run, example, target, message):
    result = run("convert", example, target)

    assert result.exit_code == 2
    assert message in result.stderr


def test_a_broken_problem_is_not_written(run, folder):
    (folder / "oil.yaml").write_text("actions: {drill: {outcomes: {oil: 2}}}")

    assert run("convert", "oil.yaml", "oil.json").exit_code == 2
    assert not (folder / "oil.json").exists()
