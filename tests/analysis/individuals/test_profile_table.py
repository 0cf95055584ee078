"""Tables of profiles: every dialect, and every mistake with its place and its fix."""

from fractions import Fraction

import openpyxl
import pytest

from branchwise import FormatError, ProblemError, profiles, read_text
from branchwise.analysis.individuals.profile_table import read_profiles

OIL = """
budget: 3
actions:
  test: {outcomes: {good: 0.4, bad: rest}}
  drill:
    precluded_by: test=bad
    outcomes: {dry: 0.5, wet: 0.3, soaking: 0.2}
    given: [{when: test=good, outcomes: {dry: 0.2, soaking: 0.8}}]
rewards: [{when: drill=wet, value: 50}, {when: drill=soaking, value: 200}]
"""


def numbers(table, **how):
    """What is read of each row, by name and column."""
    found = read_profiles(read_text(OIL), table, **how)
    names = [column.name for column in found.columns]
    return {
        each.name: dict(zip(names, each.overrides, strict=True))
        for each in found.profiles
    }


def message(table, **how):
    with pytest.raises(FormatError) as caught:
        read_profiles(read_text(OIL), table, **how)
    return str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "who,P(test=good),reward of drill=wet\nAnn,30%,\nBob,,3/4\n",
        "who;P(test=good);reward of drill=wet\nAnn;30%;\nBob;;0.75\n",
        "sep=;\nwho;P(test=good);reward of drill=wet\nAnn;0.3;\nBob;;.75\n",
        "\ufeffwho\tP(test=good)\treward of drill=wet\r\nAnn\t.3\r\n\r\nBob\t\t75%\r\n",
        'P(test=good),profile,"reward of drill=wet"\n"30%",Ann,\n,Bob,3/4',
    ],
)
def test_csv_of_any_dialect_reads_the_same(tmp_path, text):
    path = tmp_path / "wells.csv"
    path.write_text(text, encoding="utf-8", newline="")

    assert numbers(path) == {
        "Ann": {"P(test=good)": Fraction(3, 10), "reward of drill=wet": None},
        "Bob": {"P(test=good)": None, "reward of drill=wet": Fraction(3, 4)},
    }


def test_a_workbook_reads_the_same(tmp_path):
    book = openpyxl.Workbook()
    book.active.title = "My wells"
    book.active.append(["profile", "P(test=good)", "budget"])
    book.active.append(["Ann", 0.3, "unlimited"])
    book.active.append(["Bob", "lots", 2])
    path = tmp_path / "wells.xlsx"
    book.save(path)

    assert message(path) == (
        f"{path}:'My wells'!B3: `lots` is not a number\n"
        "    fix: write a number such as `2`, `0.5`, `1/3` or `30%`"
    )
    book.active["B3"] = None
    book.save(path)
    assert numbers(path) == {
        "Ann": {"P(test=good)": Fraction(3, 10), "budget": float("inf")},
        "Bob": {"P(test=good)": None, "budget": 2},
    }


def test_rows_without_names_are_numbered():
    assert list(numbers([{"cost of drill": 2}, {"cost of drill": 3}])) == ["1", "2"]


def test_probabilities_that_are_not_given_keep_their_proportions():
    """0.5 and 0.3 share the 0.6 that 0.4 leaves."""
    found = profiles(read_text(OIL), [{"P(drill=soaking)": 0.4}])

    probabilities = found.plans[0].problem.action("drill").outcomes
    assert [o.probability for o in probabilities] == [
        Fraction(3, 8),
        Fraction(9, 40),
        Fraction(2, 5),
    ]


def test_probabilities_of_a_clause_are_named_as_analyze_does():
    found = profiles(read_text(OIL), [{"P(drill=soaking | test=good)": 1}])

    assert found.individuals[0].expected_reward == pytest.approx(80)


def test_probabilities_that_programs_computed_may_miss_one_by_a_hair():
    row = {"P(test=good)": 0.1 + 0.2, "P(test=bad)": 0.7}

    probabilities = (
        profiles(read_text(OIL), [row]).plans[0].problem.action("test").outcomes
    )

    assert sum(o.probability for o in probabilities) == 1


def test_all_mistakes_come_at_once_with_place_and_fix(tmp_path):
    path = tmp_path / "wells.csv"
    path.write_text(
        "profile,P(test=good),P(test=bad),cost of drill,reward of drill=wet\n"
        'Ann,0.3,0.8,1,5\nBob,30,,-1,"1,5"\nAnn,0.3,0.3,,x\n'
    )

    assert message(path) == "\n".join(
        f"{path}:{line}" if line[1:2].isdigit() else f"    {line}"
        for line in (
            "C2: the probabilities of `test` sum to 1.1, more than 1",
            "fix: lower them by 0.1 in all",
            "B3: the probability 30 is more than 1",
            "fix: write `30%` if you mean percent, or a number from 0 to 1",
            "D3: -1 is less than 0",
            "fix: write a number from 0 on",
            "E3: `1,5` is not a number",
            "fix: write `1.5` with a point",
            "A4: the name `Ann` stands at A2 already",
            "fix: give each row a name of its own, or `--keep profile` if it is none",
            "E4: `x` is not a number",
            "fix: write a number such as `2`, `0.5`, `1/3` or `30%`",
        )
    )


def test_unknown_columns_are_reported_with_the_nearest_number(tmp_path):
    path = tmp_path / "wells.csv"
    path.write_text("profile,P(test=god),depth\nAnn,0.3,900\n")

    assert message(path) == (
        f"{path}:B1: the problem has no number `P(test=god)`; "
        "did you mean `P(test=good)`?\n"
        "    fix: write `P(test=good)`; `--keep P(test=god)` carries it through as it "
        "is\n"
        f"{path}:C1: the problem has no number `depth`\n"
        "    fix: name a number as `analyze` does, such as `P(test=good)`; "
        "`--keep depth` carries it through as it is"
    )
    path.write_text("profile,P(test=good),depth\nAnn,0.3,900\n")
    assert numbers(path, keep=["depth"]) == {"Ann": {"P(test=good)": Fraction(3, 10)}}
    assert "there is no column `dept` to keep; did you mean `depth`?" in message(
        path, keep=["dept"]
    )


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("", "the table is empty"),
        ("profile,P(test=good)\n", "the table has no individuals"),
        ("profile,budget,budget\nAnn,1,2\n", "there are two columns `budget`"),
        ("profile,budget\nAnn,1,2\n", "`2` stands in a column without a title"),
    ],
)
def test_the_layout_is_checked(tmp_path, text, reported):
    path = tmp_path / "wells.csv"
    path.write_text(text)

    assert reported in message(path)


def test_of_many_mistakes_the_first_are_reported():
    reported = message([{"P(test=good)": "x"}] * 50)

    assert reported.count("is not a number") == 10
    assert reported.endswith("and 40 more")


def test_other_files_and_things_are_refused():
    assert "`.yaml` is not the end of a table's name" in message("wells.yaml")
    with pytest.raises(TypeError, match="a list of mappings, not int"):
        read_profiles(read_text(OIL), 7)


def test_an_unsound_problem_names_its_row():
    problem = read_text(
        "{budget: 3, actions: {a: {attempts: unlimited, outcomes: {x: 1}}}, "
        "rewards: [{when: a=x, value: 1}]}"
    )

    with pytest.raises(ProblemError) as caught:
        profiles(problem, [{"profile": "Ann"}, {"profile": "Bob", "cost of a": 0}])

    assert str(caught.value).startswith("row 2, column `profile` actions.a")
