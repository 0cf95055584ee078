"""The run over random problems whose states hold more than outcomes."""

from click.testing import CliRunner

from trials import wide_run


def test_a_run_says_how_many_problems_agree():
    result = CliRunner().invoke(wide_run.main, ["--number", "100", "--seed", "quick"])

    assert (result.exit_code, result.output) == (0, "100 problems agree\n")


def test_a_run_prints_the_first_problem_that_differs(monkeypatch):
    def differ(_oracle):
        raise AssertionError("7 and not 8")

    monkeypatch.setattr(wide_run, "agree", differ)
    result = CliRunner().invoke(wide_run.main, ["--number", "1"])

    assert result.exit_code == 1
    assert "7 and not 8" in result.output
