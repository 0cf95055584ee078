"""A batch has a row for every file, and does nothing twice."""

import json
import shutil
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from threading import Event

import pytest
from jsonschema import Draft202012Validator

from branchwise import batch, read, report, solve
from branchwise.errors import JournalError
from branchwise.tree.solution import Status

EXAMPLES = ("bid", "illustrative", "oil_wildcatter", "used_car")


@pytest.fixture
def folder(tmp_path):
    for name in EXAMPLES:
        shutil.copy(f"examples/{name}.yaml", tmp_path)
    below = tmp_path / "below"
    below.mkdir()
    (below / "broken.yaml").write_text("actions: {a: {outcomes: {x: 2}}}")
    (below / "empty.json").write_text("")
    (below / "notes.txt").write_text("not looked at")
    return tmp_path


def timeless(found):
    return [replace(row, seconds=None) for row in found.rows]


def test_every_file_has_a_row(folder):
    found = batch(folder)

    names = [row.file for row in found.rows]
    assert names == ["below/broken.yaml", "below/empty.json"] + [
        f"{name}.yaml" for name in EXAMPLES
    ]
    assert [row.status for row in found.rows] == ["error"] * 2 + ["optimal"] * 4
    assert "fix: " in found.rows[0].error
    assert found.num_errors == 2
    assert found.status == Status.OPTIMAL
    for row in found.rows[2:]:
        solution = solve(read(folder / row.file))
        assert row.expected_reward == row.upper_bound == solution.expected_reward
        assert row.first_action == solution.first_action
        assert row.num_nodes == solution.tree.num_nodes
        assert row.num_states > 0


def test_files_may_be_named(folder):
    found = batch([folder / "bid.yaml", folder / "below"])

    assert [row.status for row in found.rows] == ["optimal", "error", "error"]
    with pytest.raises(FileNotFoundError):
        batch(folder / "none.yaml")


def test_an_executor_gives_the_same(folder):
    with ProcessPoolExecutor(2) as executor:
        assert timeless(batch(folder, executor=executor)) == timeless(batch(folder))


def test_a_journal_saves_what_is_done(folder, tmp_path_factory):
    journal = tmp_path_factory.mktemp("journal") / "done.jsonl"
    cancel = Event()

    def stop_early(progress):
        if progress.num_states > 2:
            cancel.set()

    how = {"num_threads": 1, "progress": stop_early, "cancel": cancel}
    first = batch(folder, journal=journal, **how)
    whole = batch(folder, journal=journal)

    assert first.status == Status.INTERRUPTED
    assert 2 < len(first.rows) < 6
    assert whole.num_resumed == len(first.rows)
    assert timeless(whole) == timeless(batch(folder))
    assert set(first.rows) < set(whole.rows)


def test_a_file_that_has_changed_is_solved_again(folder, tmp_path_factory):
    journal = tmp_path_factory.mktemp("journal") / "done.jsonl"
    batch(folder, journal=journal)
    shutil.copy("examples/phishing.yaml", folder / "bid.yaml")

    found = batch(folder, journal=journal)

    assert found.num_resumed == 5
    assert found.rows[2].expected_reward == pytest.approx(30.9483, abs=1e-4)


def test_a_torn_line_is_taken_off(folder, tmp_path_factory):
    journal = tmp_path_factory.mktemp("journal") / "done.jsonl"
    batch(folder, journal=journal)
    whole = journal.read_bytes()
    journal.write_bytes(whole[:-20])

    assert batch(folder, journal=journal).num_resumed == 5
    assert journal.read_bytes().count(b"\n") == whole.count(b"\n")


@pytest.mark.parametrize(
    ("contents", "options", "message"),
    [
        (b"actions: {}\n", {}, "holds something else"),
        (b"no line", {}, "holds something else"),
        (b'{"a problem": "without a line end"}', {}, "holds something else"),
        (None, {"gap": 0.1}, "was begun with other limits"),
        (b'{"digest": ""}\n', {}, "holds a line that is no row"),
    ],
)
def test_what_is_no_journal_of_this_batch_is_refused(
    folder, tmp_path_factory, contents, options, message
):
    journal = tmp_path_factory.mktemp("journal") / "done.jsonl"
    if contents is None or contents.startswith(b'{"digest'):
        batch(folder / "bid.yaml", journal=journal)
        contents = journal.read_bytes() + (contents or b"")
    journal.write_bytes(contents)

    with pytest.raises(JournalError, match=message):
        batch(folder, journal=journal, **options)
    assert journal.read_bytes() == contents


def test_the_document_follows_its_schema(folder):
    document = report.document(batch(folder))

    Draft202012Validator(report.schema("batch")).validate(
        json.loads(json.dumps(document))
    )
    assert document["num_all"] == len(document["rows"]) == 6
