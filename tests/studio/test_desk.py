"""The desk loses nothing: journal, undo, versions, and the file on the disk."""

import pytest

from branchwise.errors import JournalError
from branchwise.studio.desk import Desk, VersionError, journal_of

TEXT = "# mine\nbudget: 6\nactions:\n  a: {outcomes: {ok: 0.50, no: rest}}\n"


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "problem.yaml"
    path.write_bytes(TEXT.encode())
    return path


def set_budget(desk, budget):
    desk.edit(desk.version, [{"path": ["budget"], "put": budget}], "budget")


def test_what_was_done_is_there_after_a_restart_and_can_be_undone(path):
    desk = Desk(path)
    set_budget(desk, "7")
    set_budget(desk, "8")
    desk.undo(desk.version)
    desk.close()
    desk = Desk(path)
    assert "budget: 7" in desk.text
    assert desk.can_redo == "budget"
    desk.undo(desk.version)
    assert desk.text == TEXT
    assert desk.is_saved
    desk.redo(desk.version)
    desk.redo(desk.version)
    assert "budget: 8" in desk.text
    assert path.read_bytes() == TEXT.encode()
    desk.close()


def test_half_a_line_at_the_end_of_the_journal_does_not_count(path):
    desk = Desk(path)
    set_budget(desk, "7")
    set_budget(desk, "8")
    desk.close()
    journal = journal_of(path)
    data = journal.read_bytes()
    for size in range(data.rindex(b"\n", 0, -1) + 1, len(data)):
        journal.write_bytes(data[:size])
        desk = Desk(path)
        assert "budget: 7" in desk.text
        desk.close()


def test_a_change_of_an_old_version_is_refused(path):
    desk = Desk(path)
    version = desk.version
    set_budget(desk, "7")
    with pytest.raises(VersionError):
        desk.edit(version, [{"path": ["budget"], "put": "8"}])
    assert "budget: 7" in desk.text
    desk.close()


def test_several_edits_are_made_together_or_not_at_all(path):
    desk = Desk(path)
    edits = [{"path": ["budget"], "put": "8"}, {"path": ["rewards", 3], "put": "x"}]
    desk.edit(0, edits[:1])
    with pytest.raises(ValueError, match="outside of the text"):
        desk.edit(1, [{"path": ["budget"], "put": "9"}, {"splice": [0, 10**6, ""]}])
    assert "budget: 8" in desk.text
    desk.close()


def test_two_studios_cannot_have_one_problem(path):
    desk = Desk(path)
    with pytest.raises(JournalError, match="another studio"):
        Desk(path)
    desk.close()


def test_saving_writes_every_byte_and_then_it_is_saved(path):
    path.write_bytes(b"\xef\xbb\xbfbudget: 6 # \xc3\xa9\r\nactions: {}\r\n")
    desk = Desk(path)
    set_budget(desk, "7")
    assert not desk.is_saved
    desk.save()
    assert path.read_bytes() == b"\xef\xbb\xbfbudget: 7 # \xc3\xa9\r\nactions: {}\r\n"
    assert desk.is_saved
    desk.close()


def test_what_an_editor_wrote_meanwhile_is_not_overwritten_unasked(path):
    desk = Desk(path)
    assert not desk.is_overtaken
    set_budget(desk, "7")
    path.write_bytes(TEXT.replace("mine", "theirs").encode())
    assert desk.is_overtaken
    with pytest.raises(VersionError):
        desk.save()
    desk.take_disk()
    assert "theirs" in desk.text
    assert desk.is_saved
    desk.undo(desk.version)
    assert "budget: 7" in desk.text
    desk.save()
    assert "budget: 7" in path.read_text()
    desk.close()


def test_changes_in_other_places_are_merged_and_can_be_taken_back(path):
    desk = Desk(path)
    set_budget(desk, "7")
    path.write_bytes(TEXT.replace("0.50", "0.60").encode())
    assert desk.can_merge
    desk.merge()
    merged = TEXT.replace("0.50", "0.60").replace("budget: 6", "budget: 7")
    assert desk.text == merged
    assert not desk.is_overtaken
    assert not desk.is_saved
    path.write_bytes(TEXT.replace("0.50", "0.70").encode())
    desk.close()
    # What was merged before is what later changes of the file are compared with.
    desk = Desk(path)
    assert desk.can_merge
    desk.merge()
    assert desk.text == merged.replace("0.60", "0.70")
    path.write_bytes(TEXT.replace("budget: 6", "budget: 9").encode())
    assert desk.is_overtaken
    assert not desk.can_merge
    with pytest.raises(VersionError, match="both"):
        desk.merge()
    for _ in range(3):
        desk.undo(desk.version)
    assert desk.text == TEXT
    desk.close()


def test_scenarios_are_there_after_a_restart(path):
    desk = Desk(path)
    desk.pin("A", {"worth": 1.0})
    set_budget(desk, "7")
    desk.pin("B", {"worth": 2.0})
    desk.pin("C", {})
    desk.unpin(1)
    desk.undo(desk.version)
    desk.close()
    desk = Desk(path)
    assert [(pin.name, pin.text, pin.answer) for pin in desk.pins] == [
        ("A", TEXT, {"worth": 1.0}),
        ("C", TEXT.replace("budget: 6", "budget: 7"), {}),
    ]
    with pytest.raises(ValueError, match="no scenario"):
        desk.unpin(-1)
    assert desk.can_redo
    desk.close()


def test_what_an_editor_wrote_between_two_sittings_is_taken_or_asked_about(path):
    Desk(path).close()
    path.write_bytes(TEXT.replace("mine", "theirs").encode())
    desk = Desk(path)
    assert "theirs" in desk.text
    desk.undo(desk.version)
    assert desk.text == TEXT
    desk.close()
    path.write_bytes(TEXT.replace("mine", "others").encode())
    desk = Desk(path)
    assert desk.text == TEXT
    assert desk.is_overtaken
    desk.close()


def test_another_file_in_the_place_of_the_journal_stays_as_it_is(path):
    journal_of(path).write_text("my notes\n")
    with pytest.raises(JournalError, match="no journal"):
        Desk(path)
    assert journal_of(path).read_text() == "my notes\n"


def test_an_action_is_renamed_wherever_it_is_named(tmp_path):
    text = (
        "actions:\n  a:\n    outcomes: {ok: 0.5, bad: rest}\n"
        "  b:\n    requires: a=ok and not (c=ok or a=bad)\n    outcomes: {a: 1}\n"
        "    given:\n      - {when: a=bad, outcomes: {a: 1}}\n"
        "rewards:\n  - {when: b=a, value: 1}\n"
    )
    desk = Desk(tmp_path / "p.yaml", text)
    desk.edit(0, [{"path": ["actions", "a"], "rename": "an action"}])
    assert 'requires: \'"an action"=ok and not (c=ok or "an action"=bad)\'' in desk.text
    assert "{when: '\"an action\"=bad', outcomes: {a: 1}}" in desk.text
    assert "{when: b=a, value: 1}" in desk.text
    desk.edit(1, [{"path": ["actions", "b", "outcomes", "a"], "rename": "won"}])
    assert "{when: b=won, value: 1}" in desk.text
    assert "outcomes: {won: 1}}" in desk.text
    desk.undo(2)
    desk.undo(3)
    assert desk.text == text
    desk.close()
