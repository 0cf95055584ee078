"""Storm's largest problems are measured one by one; an ended run is gone on with."""

import pytest
from parts import storm


@pytest.fixture
def written(monkeypatch):
    """What is in the file of results, and which problems were measured."""
    kept, measured = {"effort": "usual", "rows": []}, []

    def row(instance, way):
        measured.append((instance.name, way))
        if len(measured) == kept.get("ends_at"):
            raise KeyboardInterrupt
        return {"name": instance.name, "storm": {"way": way}}

    monkeypatch.setattr(storm, "_row", row)
    monkeypatch.setattr(storm, "_summary", lambda row: row["name"])
    monkeypatch.setattr(storm, "read_results", lambda _: kept)
    monkeypatch.setattr(storm, "write_results", lambda _, found: kept.update(found))
    return kept, measured


def test_a_run_that_was_ended_goes_on_where_it_was(written):
    kept, measured = written
    kept["ends_at"] = 3

    with pytest.raises(KeyboardInterrupt):
        storm.measure("largest")
    assert len(kept["rows"]) == 2
    del kept["ends_at"], measured[:]
    found = storm.measure("largest")

    assert [name for name, _ in measured] == list(storm.LARGEST)[2:]
    assert dict(measured)["storm-35-15"] == "symbolic"
    assert sorted(row["name"] for row in found["rows"]) == sorted(storm.LARGEST)


def test_a_run_that_came_to_its_end_is_done_again(written):
    kept, measured = written

    kept.update({**storm.measure("largest"), "effort": "largest"})
    measured.clear()
    kept["ends_at"] = 2
    with pytest.raises(KeyboardInterrupt):
        storm.measure("largest")
    del kept["ends_at"]
    storm.measure("largest")

    names = list(storm.LARGEST)
    assert [name for name, _ in measured] == [*names[:2], *names[1:]]


def test_what_is_known_of_the_others_is_kept(written):
    kept, _ = written
    kept["rows"] = [{"name": "table1-00", "storm": {"way": "symbolic"}}]

    assert storm.measure("largest")["rows"][0]["name"] == "table1-00"
