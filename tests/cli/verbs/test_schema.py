import json

from branchwise import report


def test_prints_the_schema_of_problem_files(run):
    assert json.loads(run("schema").stdout) == report.schema("problem")


def test_prints_the_schema_of_solutions(run):
    printed = json.loads(run("schema", "--solution").stdout)

    assert printed == report.schema("solution")
