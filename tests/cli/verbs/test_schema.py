import json

import branchwise


def test_prints_the_schema_of_problem_files(run):
    assert json.loads(run("schema").stdout) == branchwise.problem_schema()


def test_prints_the_schema_of_solutions(run):
    printed = json.loads(run("schema", "--solution").stdout)

    assert printed == branchwise.solution_schema()
