"""The run over random problems whose states hold more than outcomes."""

from trials import wide_run


def test_a_run_says_how_many_problems_agree(capsys):
    assert wide_run.main(["--number", "100", "--seed", "quick"]) == 0
    assert capsys.readouterr().out == "100 problems agree\n"


def test_a_run_prints_the_first_problem_that_differs(capsys, monkeypatch):
    def differ(_oracle):
        raise AssertionError("7 and not 8")

    monkeypatch.setattr(wide_run, "agree", differ)
    assert wide_run.main(["--number", "1"]) == 1
    assert "7 and not 8" in capsys.readouterr().out
