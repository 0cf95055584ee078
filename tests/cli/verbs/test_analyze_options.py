"""Options of ``branchwise analyze`` that concern one section."""

import pytest


@pytest.mark.parametrize(
    ("option", "text", "message"),
    [
        ("--test", "test=good:1:1", "there is no action 'test'"),
        ("--test", "a1=ok", "`a1=ok` is no test"),
        ("--test", "a1=ok:2:1", "they must be from 0 to 1"),
        ("--aim", "cvar", "`cvar` lacks a number"),
    ],
)
def test_wrong_tests_and_aims_are_wrong_usage(run, example, option, text, message):
    result = run("analyze", example, option, text)

    assert result.exit_code == 2
    assert message in result.stderr


def test_tests_and_aims_are_taken_from_the_command_line(run, example):
    options = ["--only", "risk,information", "--aim", "cvar=5%", "--test", "a1=ok:1:1"]

    result = run("analyze", example, *options)

    assert "CVaR at 5 %" in result.stdout
    assert "a test of a1 first: worth 8.43672, gain 0" in result.stdout
