def test_a_sound_problem_is_counted(run, example):
    result = run("check", example)

    assert result.stdout == "ok: 7 actions, 3 rewards, budget 6\n"
    assert result.stderr == ""
    assert result.exit_code == 0


def test_warnings_are_reported_and_harmless(run, folder):
    (folder / "oil.yaml").write_text("actions: {drill: {outcomes: {oil: 1}}}")

    result = run("check", "oil.yaml")

    assert result.stdout == "ok: 1 action, 0 rewards, budget unlimited\n"
    assert "warning: " in result.stderr
    assert result.exit_code == 0


def test_all_errors_are_reported_at_once(run, folder):
    (folder / "oil.yaml").write_text(
        "actions:\n"
        "  test: {outcomes: {good: 0.4, bad: 0.7}}\n"
        "  drill: {requires: tset=good, outcomes: {oil: 0.2, dry: rest}}\n"
    )

    result = run("check", "oil.yaml")

    assert result.exit_code == 2
    assert result.stdout == ""
    assert "oil.yaml:2" in result.stderr
    assert "oil.yaml:3" in result.stderr
    assert result.stderr.count("fix: ") == 2


def test_a_missing_file_is_an_error_in_words(run, example):
    result = run("check", "ilustrative.yaml")

    assert result.exit_code == 2
    assert "did you mean `illustrative.yaml`?" in result.stderr


def test_a_folder_is_no_problem_file(run, folder):
    result = run("check", ".")

    assert result.exit_code == 2
    assert "this is a folder" in result.stderr
