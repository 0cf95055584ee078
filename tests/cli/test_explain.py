def test_it_says_why_not(run, example):
    result = run("explain", example, "--after", "a1=ok", "--action", "a3")

    assert result.exit_code == 0
    assert "a3 is worth 3.6984: 8.2332 less." in result.stdout


def test_an_unknown_action_is_wrong_usage(run, example):
    result = run("explain", example, "--action", "b3")

    assert result.exit_code == 2
    assert "there is no action 'b3'" in result.stderr


def test_an_impossible_history_is_told_with_its_step(run, example):
    result = run("explain", example, "--after", "a7=ok", "--action", "a1")

    assert result.exit_code == 2
    assert "history, step 1 `a7=ok`" in result.stderr
