from pathlib import Path

import pytest

import branchwise


@pytest.mark.parametrize("suffix", ["yaml", "yml", "json", "csv", "xlsx"])
def test_the_problem_is_the_same_in_every_format(run, example, suffix):
    result = run("convert", example, f"other.{suffix}")

    assert result.exit_code == 0, result.stderr
    assert result.stdout == f"wrote other.{suffix}: 7 actions, 3 rewards, budget 6\n"
    assert branchwise.read(f"other.{suffix}") == branchwise.read(example)


def test_a_model_for_storm_is_written_and_read_back(run, example):
    result = run("convert", example, "other.prism")

    assert result.exit_code == 0, result.stderr
    assert result.stdout == "wrote other.prism: 7 actions, 3 rewards, budget 6\n"
    again = run("solve", "other.prism")
    assert again.exit_code == 0, again.stderr
    assert "expected reward 8.43672" in again.stdout


@pytest.mark.parametrize("target", ["illustrative.yaml", "./illustrative.yaml"])
def test_converting_a_file_to_itself_keeps_its_comments(run, example, target):
    before = Path(example).read_bytes()

    result = run("convert", example, target)

    assert result.exit_code == 2
    assert f"'{example}' is there already, and would be lost" in result.stderr
    assert "name another file, or write over it with --force" in result.stderr
    assert Path(example).read_bytes() == before


@pytest.mark.parametrize("suffix", ["yaml", "yml", "json", "csv", "xlsx", "prism"])
def test_a_file_that_is_there_is_not_written_over_unless_forced(run, example, suffix):
    other = Path(f"other.{suffix}")
    other.write_text("precious")

    assert run("convert", example, other).exit_code == 2
    assert other.read_text() == "precious"
    assert run("convert", example, other, "--force").exit_code == 0
    assert other.read_bytes() != b"precious"


def test_forced_a_file_is_converted_to_itself_and_the_problem_stays(run, example):
    before = branchwise.read(example)

    assert run("convert", example, example, "--force").exit_code == 0
    assert branchwise.read(example) == before


def test_a_device_is_there_and_may_be_written_to(run, folder, example):
    Path("out.yaml").symlink_to("/dev/null")

    assert run("convert", example, "out.yaml").exit_code == 0


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


def test_the_schema_is_told_and_written_when_asked(run, example, folder):
    result = run("convert", example, "other.yaml", "--with-schema")
    refused = run("convert", example, "other.json", "--with-schema")

    assert result.exit_code == 0, result.stderr
    assert (folder / "other.yaml").read_text().startswith("# yaml-language-server:")
    assert (folder / "branchwise.schema.json").is_file()
    assert run("check", "other.yaml").exit_code == 0
    assert refused.exit_code == 2
    assert "only YAML has comments" in refused.stderr
    assert not (folder / "other.json").exists()


def test_a_file_of_another_tool_is_converted_and_what_is_assumed_is_said(run, folder):
    tree = "<adtree><node><label>enter</label></node></adtree>"
    (folder / "tree.xml").write_text(tree, encoding="utf-8")
    result = run("convert", "tree.xml", "tree.yaml")

    assert result.exit_code == 0, result.stderr
    assert result.stdout == "wrote tree.yaml: 1 action, 1 reward, budget unlimited\n"
    assert "tree.xml:1:9: warning: no probability (domain `ProbSucc`)" in result.stderr
    assert branchwise.read("tree.yaml") == branchwise.read("tree.xml")
    changed = run("solve", "tree.xml", "--set", "chance of enter=0.2", "--quiet")
    assert "expected reward 0.2" in changed.stdout


def test_what_was_assumed_stands_at_the_top_of_what_is_written(run, folder):
    tree = "<adtree><node><label>enter</label></node></adtree>"
    (folder / "tree.xml").write_text(tree, encoding="utf-8")
    for target in ("tree.yaml", "tree.prism"):
        result = run("convert", "tree.xml", target, "--quiet")
        assert result.exit_code == 0, result.stderr
        assert branchwise.read(target).actions[0].name in ("enter", "take_enter")
    text = (folder / "tree.yaml").read_text()
    lines = (folder / "tree.prism").read_text().splitlines()

    first, second, *_ = text.splitlines()
    assert first == "# Made of tree.xml. What that does not say was assumed:"
    assert second.startswith("# - tree.xml:1:9: no probability (domain `ProbSucc`) is")
    assert '#   fix: say better: `--set "chance of ..."=0.2`' in text
    assert all(len(line) < 90 for line in text.splitlines())
    assert lines[1].startswith("// property: ")
    assert lines[4] == "// Made of tree.xml. What that does not say was assumed:"
    assert branchwise.read("tree.yaml") == branchwise.read("tree.xml")
    run("convert", "tree.xml", "other.yaml", "--with-schema")
    assert f"{first}\n{second}" in (folder / "other.yaml").read_text()


def test_formats_without_comments_say_that_it_is_not_in_them(run, folder):
    tree = "<adtree><node><label>enter</label></node></adtree>"
    (folder / "tree.xml").write_text(tree, encoding="utf-8")
    result = run("convert", "tree.xml", "tree.json")

    said = "what was assumed is not in it: `.json` has no comments, `.yaml` has\n"
    assert result.stdout.endswith(said)
    assert branchwise.read("tree.json") == branchwise.read("tree.xml")
    assert said not in run("convert", "tree.json", "tree.csv").stdout


def test_constants_of_a_model_are_set(run, folder):
    """Each of N legs succeeds with 1/2."""
    model = (
        "// property: Pmax=? [F s=N]\nmdp\nconst int N;\nmodule m\n s: [0..9];\n [go] "
        "s<N -> 1/2 : (s'=s+1) + 1/2 : (s'=9);\nendmodule\n"
    )
    (folder / "legs.nm").write_text(model, encoding="utf-8")
    result = run("convert", "legs.nm", "legs.yaml", "--set", "N=3")
    assert result.exit_code == 0, result.stderr
    assert branchwise.solve(branchwise.read("legs.yaml")).expected_reward == 0.125
    assert "expected reward 0.25" in run("solve", "legs.nm", "--set", "N=2").stdout
    compared = run("compare", "legs.nm", "legs.yaml", "--set", "N=3")
    assert compared.exit_code == 0, compared.stderr
    for arguments, said in (
        ((), "legs.nm:3:1: the constant has no value: `N`"),
        (("--set", "M=3"), "there is no constant `M`"),
        (("--set", "N"), "`N` sets nothing"),
        (("--set", "N=2", "--set", "N=3"), "`N` is set twice"),
    ):
        refused = run("solve", "legs.nm", *arguments)
        assert refused.exit_code == 2
        assert said in refused.stderr


def test_a_broken_file_of_another_tool_leaves_nothing_behind(run, folder):
    (folder / "tree.xml").write_text("<adtree>", encoding="utf-8")
    result = run("convert", "tree.xml", "tree.yaml")

    assert result.exit_code == 2
    assert result.stderr.startswith("tree.xml:1:9: this is no XML: no element found")
    assert "\n    fix: " in result.stderr
    assert not (folder / "tree.yaml").exists()


def test_a_problem_is_converted_to_an_attack_flow(run, example):
    result = run("convert", example, "other.stix.json")

    assert result.exit_code == 0, result.stderr
    assert "expected reward 8.43672" in run("solve", "other.stix.json").stdout
