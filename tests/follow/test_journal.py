"""The journal: resumed exactly, torn lines told, damage refused with the line."""

import json
from io import FileIO
from random import Random

import pytest

from branchwise import Follower, read_text
from branchwise.errors import JournalError
from problems.strategies import seeded_documents

OIL = read_text("""
    name: Oil
    budget: 3
    actions:
      test: {outcomes: {good: 0.4, bad: rest}}
      drill: {attempts: 2, outcomes: {oil: 1/3, dry: rest}}
    rewards: [{when: drill=oil, value: 200}]
    """)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "oil.journal"


def tell_all(follower):
    """One entry of every kind."""
    follower.happened("drill=dry")
    follower.change_probability("drill=oil", "1/7")
    follower.change_cost("drill", "1/2")
    follower.change_budget("unlimited")
    follower.change_reward(1, 90)
    follower.happened("test=odd", force=True)
    follower.rule_out("test")
    follower.undo()
    return follower


def test_whoever_resumes_is_exactly_where_the_other_was(path):
    with Follower(OIL, journal=path) as first:
        tell_all(first)
    with Follower.resume(path) as second:
        assert second.reported == first.reported
        assert second.state == first.state
        assert second.problem == first.problem
        assert second.advice == first.advice
        assert second.beginning == OIL
        second.undo()
    with Follower.resume(path) as third:
        assert third.reported == first.reported[:-1]


def test_random_walks_are_resumed_at_the_same_place_of_the_same_plan(tmp_path):
    for number, document in enumerate(seeded_documents(25, "journal", max_states=200)):
        problem = read_text(json.dumps(document), format="json")
        random, file = Random(number), tmp_path / f"{number}.journal"
        follower = Follower(problem, journal=file)
        for _ in range(6):
            if follower.reported and random.random() < 0.2:
                follower.undo()
                continue
            if not follower.advice.probabilities:
                break
            label = random.choice(follower.advice.probabilities)[0]
            follower.happened(f'"{follower.advice.action}"="{label}"')
        follower.close()

        with Follower.resume(file) as again:
            assert again.advice == follower.advice
            assert again.solution.tree.num_nodes == follower.solution.tree.num_nodes


def test_it_is_on_the_disk_before_anybody_is_told(path, monkeypatch):
    order = []
    monkeypatch.setattr("os.fsync", lambda _: order.append(path.read_text()))
    with Follower(OIL, journal=path) as follower:
        follower.happened("drill=dry")

    assert order[-1].endswith("\n")
    assert '"outcome": "dry"' in order[-1]


@pytest.mark.parametrize("cut", [1, 5, 60])
def test_a_torn_last_line_is_taken_off_and_told(path, cut):
    with Follower(OIL, journal=path) as follower:
        follower.happened("drill=dry")
        follower.happened("drill=oil")
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])

    with Follower.resume(path) as again:
        assert again.journal.is_torn
        assert [str(entry) for entry in again.reported] == ["drill=dry"]
        again.happened("drill=dry")
    with Follower.resume(path) as third:
        assert not third.journal.is_torn
        assert [str(entry) for entry in third.reported] == ["drill=dry", "drill=dry"]


def test_a_journal_whose_first_line_is_torn_begins_anew(path):
    path.write_text('{"format": "branchwise-journal", "version": 1, "begu')

    assert not Follower.is_begun(path)
    with Follower(OIL, journal=path) as follower:
        assert follower.journal.is_torn
        follower.happened("drill=dry")
    with Follower.resume(path) as again:
        assert len(again.reported) == 1


def damage(lines, kind):
    if kind == "garbage":
        lines[2] = "garbage"
    elif kind == "missing line":
        del lines[1]
    elif kind == "unknown kind":
        lines[1] = lines[1].replace('"happened"', '"hapened"')
    elif kind == "no such outcome":
        lines[1] = lines[1].replace('"dry"', '"gas"')
    elif kind == "other problem":
        lines[0] = lines[0].replace("200", "300")
    elif kind == "newer":
        lines[0] = lines[0].replace('"version": 1', '"version": 2')
    elif kind == "number":
        lines[2] = lines[2].replace('"1/7"', '"x"')
    return lines


@pytest.mark.parametrize(
    ("kind", "line", "reason"),
    [
        ("garbage", 3, "this line is damaged"),
        ("missing line", 2, "entry 1 should stand here, not 2"),
        ("unknown kind", 2, "there is no entry of the kind 'hapened'"),
        ("no such outcome", 2, "`drill` has no outcome `gas`"),
        ("other problem", 1, "not the one it was begun with"),
        ("newer", 1, "version 2 of the layout is not known here"),
        ("number", 3, "`x` is not a number"),
    ],
)
def test_any_other_damage_is_an_error_with_its_line(path, kind, line, reason):
    with Follower(OIL, journal=path) as follower:
        tell_all(follower)
    lines = damage(path.read_text().splitlines(), kind)
    path.write_text("\n".join(lines) + "\n")

    with pytest.raises(JournalError) as caught:
        Follower.resume(path)

    [issue] = caught.value.issues
    assert issue.where == f"{path}:{line}"
    assert reason in issue.what
    assert issue.fix


def test_two_cannot_follow_one_journal(path):
    with Follower(OIL, journal=path):
        with pytest.raises(JournalError, match="another process is following"):
            Follower.resume(path)
        with pytest.raises(JournalError, match="another process is following"):
            Follower.archive(path)
    Follower.resume(path).close()


def test_a_journal_is_never_begun_over_another(path):
    Follower(OIL, journal=path).close()

    with pytest.raises(JournalError, match="there is a journal already"):
        Follower(OIL, journal=path)
    with pytest.raises(JournalError, match="no journal to resume"):
        Follower.resume(path.with_name("other.journal"))


@pytest.mark.parametrize(
    "notes", ["buy milk", "buy milk\n", '{"format": "branchwise-jour', "{", "\n", " "]
)
def test_what_is_not_a_journal_is_never_written_over_or_moved(path, notes):
    path.write_text(notes)

    for ask in (
        lambda: Follower(OIL, journal=path),
        lambda: Follower.resume(path),
        lambda: Follower.archive(path),
    ):
        with pytest.raises(JournalError):
            ask()
        assert path.read_text() == notes
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_an_empty_file_may_become_a_journal(path):
    path.touch()

    Follower(OIL, journal=path).close()

    Follower.resume(path).close()


def test_what_was_interrupted_while_it_was_written_does_not_count(path, monkeypatch):
    with Follower(OIL, journal=path) as follower:

        def interrupt(_):
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr("os.fsync", interrupt)
            with pytest.raises(KeyboardInterrupt):
                follower.happened("drill=oil")
        follower.happened("drill=dry")
        told = follower.reported
    with Follower.resume(path) as again:
        assert again.reported == told


def test_where_half_a_line_cannot_be_taken_off_it_is_before_the_next(path, monkeypatch):
    class Failing(FileIO):
        is_full = is_broken = False

        def write(self, data):
            if not Failing.is_full:
                return super().write(data)
            super().write(data[:5])
            Failing.is_broken = True
            raise OSError(28, "No space left on device")

        def truncate(self, size=None):
            if Failing.is_broken:
                raise OSError(5, "Input/output error")
            return super().truncate(size)

    monkeypatch.setattr("branchwise.formats.line_file.FileIO", Failing)
    with Follower(OIL, journal=path) as follower:
        Failing.is_full = True
        with pytest.raises(JournalError, match="No space left on device"):
            follower.happened("drill=oil")
        assert not path.read_bytes().endswith(b"\n")
        Failing.is_full = Failing.is_broken = False
        follower.happened("drill=dry")
    with Follower.resume(path) as again:
        assert [str(entry) for entry in again.reported] == [str(follower.reported[0])]


def test_an_archived_journal_keeps_what_it_holds(path):
    Follower(OIL, journal=path).close()
    whole = path.read_bytes()

    first = Follower.archive(path)
    Follower(OIL, journal=path).close()
    second = Follower.archive(path)

    assert (first.name, second.name) == ("oil.journal.1", "oil.journal.2")
    assert first.read_bytes() == whole
    assert not path.exists()


def test_a_full_disk_is_told_and_what_was_said_last_does_not_count(path, monkeypatch):
    with Follower(OIL, journal=path) as follower:
        follower.happened("drill=dry")
        whole = path.read_bytes()

        def full(_):
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr("os.fsync", full)
            with pytest.raises(JournalError, match="No space left on device"):
                follower.happened("drill=oil")
        assert len(follower.reported) == 1
    assert path.read_bytes() == whole
