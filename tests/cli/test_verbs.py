"""All verbs alike: the same options, of the same meaning, in the same words."""

import itertools
import json
import re
import shutil
from collections import defaultdict
from pathlib import Path

import click
import jsonschema
import pytest

import branchwise
from branchwise.cli.main import program

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
VERBS = (
    "analyze batch certify check compare convert defend evaluate explain follow "
    "generate graph mcp profiles program schema sets simulate solve studio verify"
).split()

# These have the same name and say how to do other things.
EXCUSED = {
    ("generate", "--budget"): "there is no file to have another one",
    ("generate", "--seed"): "it is one of the knobs, which all show their defaults",
    ("batch", "--journal"): "what was solved is kept, not what has happened",
    ("generate", "--defense-budget"): "there is no file to have another one",
    ("program", "--method"): "the methods of linear programs are others",
}

ANSWERS = {
    "solve": ("solution", "illustrative.yaml"),
    "evaluate": ("evaluation", "illustrative.yaml", "--plan", "rules.yaml"),
    "compare": ("comparison", "illustrative.yaml", "--budget", "5"),
    "simulate": ("simulation", "illustrative.yaml", "-n", "100"),
    "sets": ("sets", "illustrative.yaml"),
    "program": ("program", "illustrative.yaml"),
    "analyze": ("analysis", "illustrative.yaml", "--only", "derivatives,frontier"),
    "batch": ("batch", "illustrative.yaml", "web_shop.yaml"),
    "explain": ("explanation", "illustrative.yaml", "--action", "a3"),
    "defend": ("interdiction", "web_shop.yaml"),
    "profiles": (
        "profiles",
        "knee_pain.yaml",
        "knee_pain.csv",
        "--keep",
        "age,sex,bmi",
    ),
}
LATER = {
    "solve": (), "explain": ("--action", "a4"), "simulate": ("-n", "100"),
    "evaluate": ("--plan", "rules.yaml"),
    "analyze": ("--only", "derivatives"), "certify": (), "program": (), "sets": (),
}  # fmt: skip


@pytest.fixture
def examples(folder):
    for name in ("illustrative.yaml", "web_shop.yaml", "knee_pain.yaml"):
        shutil.copy(EXAMPLES / name, folder)
    shutil.copy(EXAMPLES / "profiles" / "knee_pain.csv", folder)
    (folder / "rules.yaml").write_text("rules: [{when: not a1, do: a1}]")


def command(verb):
    return program.get_command(click.Context(program), verb)


def options(verb):
    """Return the options of a verb by their long names, in order."""
    listed = [each for each in command(verb).params if isinstance(each, click.Option)]
    return {max(each.opts, key=len): each for each in listed}


def test_these_are_all_verbs():
    assert sorted(program.list_commands(click.Context(program))) == VERBS


def test_an_option_that_several_verbs_take_is_the_same_everywhere():
    meanings = defaultdict(set)
    for verb in VERBS:
        for name, option in options(verb).items():
            if (verb, name) not in EXCUSED:
                kind = type(option.type).__name__
                secondary = (*option.opts, *option.secondary_opts)
                meanings[name].add((option.help, kind, option.metavar, secondary))

    assert {n: found for n, found in meanings.items() if len(found) > 1} == {}


def test_options_stand_in_the_same_order_everywhere():
    before = {
        pair
        for verb in VERBS
        for pair in itertools.combinations(options(verb), 2)
        if verb != "generate"
    }

    assert {(a, b) for a, b in before if (b, a) in before} == set()


@pytest.mark.parametrize("verb", ANSWERS)
def test_every_verb_that_answers_can_be_read_by_programs_and_be_quiet(verb):
    assert {"--json", "--html", "--csv", "--quiet"} <= options(verb).keys()


@pytest.mark.parametrize("verb", ["generate", "convert", "graph", "certify", "program"])
def test_what_a_verb_makes_goes_where_output_says(verb):
    assert options(verb)["--output"].opts == ["--output", "-o"]


@pytest.mark.parametrize("verb", VERBS)
def test_help_fits_80_columns_and_has_examples(run, verb):
    shown = run(verb, "--help").stdout

    assert max(map(len, shown.splitlines())) <= 80
    assert re.search(rf"Examples:\n +branchwise .*{verb}", shown)


@pytest.mark.parametrize("verb", VERBS)
def test_help_is_a_sentence_and_a_paragraph(verb):
    first, paragraph, *others = command(verb).help.strip().split("\n\n")

    assert first.endswith(".")
    assert paragraph.endswith(".")
    assert not others
    assert len(command(verb).short_help) <= 45
    takes_a_problem = any(each.name == "file" for each in command(verb).params)
    if takes_a_problem and verb not in {"follow", "studio", "verify"}:
        assert " ".join(paragraph.split()).endswith(
            "- as FILE reads from the standard input."
        )


@pytest.mark.parametrize("verb", VERBS)
def test_the_reference_has_every_option_of_every_verb(verb):
    page = (ROOT / "docs/reference/command-line.md").read_text(encoding="utf-8")
    [section] = re.findall(rf"(?ms)^## branchwise {verb}\n(.*?)(?=^## |\Z)", page)
    [shared] = re.findall(r"(?ms)^## Options that verbs share\n(.*?)(?=^## )", page)
    prose = shared + re.sub(r"(?ms)^```.*?^```$", "", section)

    assert f"$ branchwise {verb} --help\n" in section
    missing = [name for name in options(verb) if f"`{name}" not in prose]
    assert missing == []


@pytest.mark.parametrize("verb", ANSWERS)
@pytest.mark.usefixtures("examples")
def test_json_is_as_the_schema_of_its_kind_says(run, verb):
    kind, *arguments = ANSWERS[verb]
    layout = json.loads(run("schema", kind).stdout)

    result = run(verb, *arguments, "--json", "-")

    assert result.exit_code == 0, result.stderr
    jsonschema.Draft202012Validator(layout).validate(json.loads(result.stdout))


@pytest.mark.usefixtures("examples")
def test_a_certificate_is_as_its_schema_says(run):
    layout = json.loads(run("schema", "certificate").stdout)
    written = run("certify", "illustrative.yaml", "-o", "-").stdout

    jsonschema.Draft202012Validator(layout).validate(json.loads(written))


@pytest.mark.parametrize("verb", ANSWERS)
@pytest.mark.usefixtures("examples")
def test_an_answer_goes_to_files_and_quiet_shows_the_rest_of_it(run, folder, verb):
    _, *arguments = ANSWERS[verb]
    whole = run(verb, *arguments).stdout

    result = run(
        verb, *arguments, "-q", "--json", "a.json", "--csv", "t", "--csv", "a.csv"
    )
    run(verb, *arguments, "-q", "--csv", "t", "--html", "a.html")
    shown = run(verb, *arguments, "--html", "a.html").stdout

    assert result.exit_code == 0, result.stderr
    head = re.sub("solved in .*", "", result.stdout).splitlines()
    assert 0 < len(head) < len(whole.splitlines())
    assert head == re.sub("solved in .*", "", whole).splitlines()[: len(head)]
    assert (
        shown.splitlines()[-1].split(" in ")[0]
        == whole.splitlines()[-1].split(" in ")[0]
    )
    assert (folder / "a.html").read_text().endswith("</html>\n")
    assert json.loads((folder / "a.json").read_text())
    tables = [path.read_text() for path in (folder / "t").iterdir()]
    assert (folder / "a.csv").read_text() in tables


@pytest.mark.parametrize("verb", LATER)
@pytest.mark.usefixtures("examples")
def test_a_verb_may_begin_at_a_later_state(run, verb):
    """After a1=ok the illustrative example is worth 11.9316."""
    result = run(verb, "illustrative.yaml", *LATER[verb], "--after", "a1=ok")
    refused = run(verb, "illustrative.yaml", *LATER[verb], "--after", "a7=ok")

    assert result.exit_code == 0, result.stderr
    assert "11.9316" in result.stdout or verb == "sets"
    assert "a1=ok" in result.stdout or verb == "certify"
    assert refused.exit_code == 2
    assert "history, step 1 `a7=ok`" in refused.stderr


@pytest.mark.usefixtures("examples")
def test_defenses_may_be_chosen_at_a_later_state(run):
    result = run("defend", "web_shop.yaml", "--after", "scan=open", "-q")

    assert result.exit_code in (0, 2)


@pytest.mark.usefixtures("examples")
def test_a_certificate_of_a_later_state_is_compared_with_that_state(run):
    said = run("certify", "illustrative.yaml", "--after", "a1=ok", "--budget", 5).stdout
    command = re.search(r"check it: branchwise (.*)\n", said)[1]

    result = run(*command.replace("'", "").split())

    assert "--budget 5 --after a1=ok" in command
    assert result.stdout.startswith("ACCEPTED")
    other = run("verify", "illustrative.yaml.certificate.json", "illustrative.yaml")
    assert other.exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["sovle"], "No such command 'sovle'; did you mean `solve`?"),
        (["simulat"], "did you mean `simulate`?"),
        (["tree"], "No such command 'tree'; did you mean `solve`?"),
        (["Diff"], "did you mean `compare`?"),
        (["zzz"], "No such command 'zzz'."),
        (["solve", "x.yaml", "--bugdet", "3"], "'--budget'"),
        (["solve", "x.yaml", "--full"], "No such option '--full'. Write --all."),
        (["sets", "x.yaml", "--json"], "Write --json - to print it."),
        (["program", "x.yaml", "--json", "--all"], "'--all' is an option; name a file"),
    ],
)
def test_what_is_not_quite_right_is_answered_with_what_is(run, folder, arguments, hint):
    result = run(*arguments)

    assert result.exit_code == 2
    assert hint in result.stderr
    assert not list(folder.iterdir())


def test_problems_are_written_where_either_names_the_file(run, folder):
    run("generate", "-o", "one.yaml", "-q")
    run("convert", "one.yaml", "-o", "two.json", "-q")
    run("convert", "one.yaml", "three.json")

    assert branchwise.read("two.json") == branchwise.read("one.yaml")
    assert Path("two.json").read_text() == Path("three.json").read_text()
    for arguments, message in (
        (("convert", "one.yaml"), "name a TARGET"),
        (("convert", "one.yaml", "a.json", "-o", "b.json"), "name one"),
        (("convert", "one.yaml", "-o", "two.json"), "write over it with --force"),
        (("generate", "-o", "two.json"), "write over it with --force"),
    ):
        result = run(*arguments)
        assert result.exit_code == 2
        assert message in result.stderr
