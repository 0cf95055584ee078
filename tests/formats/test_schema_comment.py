import json
from pathlib import Path

import pytest

import branchwise
from branchwise.errors import FormatError
from branchwise.formats import SCHEMA_FILE, write_with_schema

PROBLEM = branchwise.read_text("actions: {drill: {outcomes: {oil: 0.2, dry: rest}}}")


def test_a_file_tells_both_kinds_of_editors_where_its_schema_is(tmp_path):
    path = tmp_path / "oil.yaml"

    write_with_schema(PROBLEM, path)

    first, second, *_ = path.read_text().splitlines()
    assert first == f"# yaml-language-server: $schema={SCHEMA_FILE}"
    assert second == f"# $schema: ./{SCHEMA_FILE}"
    schema = json.loads((tmp_path / SCHEMA_FILE).read_bytes())
    assert schema == branchwise.schema("problem")
    assert branchwise.read(path) == PROBLEM


def test_an_older_schema_is_replaced_and_nothing_else(tmp_path):
    """What a release before has written beside it says so by its `$id`."""
    place = tmp_path / SCHEMA_FILE
    place.write_text('{"$id": "urn:branchwise:problem", "title": "older"}')
    write_with_schema(PROBLEM, tmp_path / "oil.yaml")
    assert json.loads(place.read_bytes()) == branchwise.schema("problem")

    for mine in ('{"$id": "mine"}', "notes", "[1]", '{"a": "\udcff"}'):
        place.write_text(mine, errors="surrogateescape")
        before = place.read_bytes()
        with pytest.raises(FormatError, match="which would be lost"):
            write_with_schema(PROBLEM, tmp_path / "other.yaml")
        assert place.read_bytes() == before
        assert not (tmp_path / "other.yaml").exists()


@pytest.mark.parametrize("name", ["oil.json", "oil.csv", "oil.xlsx", "oil.prism"])
def test_only_yaml_has_comments(tmp_path, name):
    with pytest.raises(FormatError) as caught:
        write_with_schema(PROBLEM, tmp_path / name)

    assert "only YAML has comments" in str(caught.value)
    assert "let the name end in `.yaml`" in str(caught.value)
    assert list(Path(tmp_path).iterdir()) == []
