"""What the page asks for is done, told to all pages, and never done to old versions."""

import json
from pathlib import Path

import pytest

from studio.studios import studio

EXAMPLE = Path("examples/illustrative.yaml").read_text(encoding="utf-8")


@pytest.fixture
def asked(tmp_path):
    path = tmp_path / "problem.yaml"
    path.write_text(EXAMPLE, encoding="utf-8")
    with studio(path) as asked:
        asked.path = path
        yield asked


def test_an_edit_is_solved_and_told(asked):
    assert asked.answer()["shown"] == "8.437"
    status, document = asked.edit(0, {"path": ["budget"], "put": "5"})
    assert status == 200
    assert document["text"] == EXAMPLE.replace("budget: 6", "budget: 5")
    # The optimum at budget 5 is 4119/500.
    assert asked.answer()["worth"] == pytest.approx(8.238)


def test_of_two_pages_the_second_does_not_overwrite_the_first(asked):
    assert asked.edit(0, {"path": ["budget"], "put": "5"})[0] == 200
    status, said = asked.edit(0, {"path": ["budget"], "put": "4"})
    assert status == 409
    assert said["conflict"]
    assert "budget: 5" in asked.document()["text"]


def test_everything_can_be_undone_done_again_and_saved(asked):
    asked.edit(0, {"path": ["budget"], "put": "5"})
    asked.post("start", version=1, name="mission")
    assert asked.post("undo", version=2)[1]["redo"] == "the start"
    assert asked.post("undo", version=3)[1]["text"] == EXAMPLE
    asked.post("redo", version=4)
    assert asked.path.read_text() == EXAMPLE
    assert asked.post("save")[1]["saved"]
    assert "budget: 5" in asked.path.read_text()


def test_a_change_on_the_disk_is_noticed_and_told(asked):
    asked.edit(0, {"path": ["budget"], "put": "5"})
    events = asked.events()
    assert next(events)["kind"] == "hello"
    asked.path.write_text(EXAMPLE.replace("ok: 0.6", "ok: 0.60", 1))
    assert any(event["kind"] == "state" for event in events)
    assert asked.document()["overtaken"]
    assert asked.post("save")[0] == 409
    assert asked.document()["mergeable"]
    text = asked.post("merge")[1]["text"]
    assert "ok: 0.60" in text
    assert "budget: 5" in text
    asked.path.write_text(EXAMPLE.replace("budget: 6", "budget: 7"))
    assert not asked.document()["mergeable"]
    assert asked.post("merge")[0] == 409
    asked.path.write_text(EXAMPLE.replace("ok: 0.6", "ok: 0.60", 1) + "\n")
    assert "ok: 0.60" in asked.post("take")[1]["text"]
    assert not asked.document()["overtaken"]


def test_files_of_every_format_can_be_brought_in(asked):
    names = {"illustrative.csv": b"", "illustrative.yaml": b""}
    for name in names:
        names[name] = Path("examples", name).read_bytes()
    for version, (name, data) in enumerate(names.items()):
        path = f"{asked.base}bring?name={name}&version={version}"
        status, _, said = asked.raw("POST", path, data)
        assert status == 200, said
        assert asked.answer()["shown"] == "8.437"
    status, _, data = asked.raw("GET", f"{asked.base}export/xlsx")
    assert status == 200
    assert data.startswith(b"PK")
    version = asked.document()["version"]
    path = f"{asked.base}bring?name=x.XLSX&version={version}"
    assert asked.raw("POST", path, data)[0] == 200
    assert asked.answer()["shown"] == "8.437"
    path = f"{asked.base}bring?name=x.pdf&version={version + 1}"
    status, _, said = asked.raw("POST", path, b"%PDF")
    assert status == 400
    assert json.loads(said)["fix"]


def test_every_export_and_every_page_of_the_report_is_there(asked):
    asked.answer()
    for name in (
        "html", "svg", "graph.svg", "solution.json", "certificate.json", "csv",
        "yaml", "json", "prism", "txt", "mmd",
    ):  # fmt: skip
        status, headers, data = asked.raw("GET", f"{asked.base}export/{name}")
        assert status == 200, name
        assert headers["content-disposition"].endswith(f'problem.{name}"')
        assert data
    asked.post("pin", name="A")
    asked.edit(0, {"path": ["budget"], "put": "5"})
    asked.answer()
    frames = {
        "sets": b"Rewarding sets", "analysis?only=derivatives": b"Derivatives",
        "compare?pin=0": b"ompar", "certify": b"Proven optimal",
        "report": b"Optimal decision tree",
        "defend": b"Nothing to show", "compare?pin=9": b"Nothing to show",
    }  # fmt: skip
    for name, words in frames.items():
        assert words in asked.get(f"frames/{name}"), name
    assert json.loads(asked.get("graph"))["actions"][0]["name"] == "a1"
    assert json.loads(asked.get("schema"))["title"]


def test_a_plan_can_be_followed_and_surprised(asked):
    status, advice = asked.post("follow", steps=[])
    assert (status, advice["action"]) == (200, "a1")
    steps = [{"happened": "a1=ok"}, {"ruled_out": "a5"}]
    status, advice = asked.post("follow", steps=steps)
    assert advice["surprise"]
    assert advice["action"] != "a5"
    assert asked.post("follow", steps=[{"happened": "a5=ok"}])[0] == 400


def test_plans_are_made_for_other_aims(asked):
    assert asked.answer()["aim"] is None
    assert asked.post("aim", aim="least=100")[0] == 200
    answer = asked.answer()
    assert answer["aim"] is not None
    assert asked.post("aim", aim="nonsense")[0] == 400


def test_a_hard_problem_is_given_up_for_a_newer_one_and_can_be_stopped(asked):
    hard = Path("benchmarks/instances/hard-200.yaml").read_text(encoding="utf-8")
    asked.post("text", version=0, text=hard)
    asked.post("text", version=1, text=EXAMPLE)
    assert asked.answer()["shown"] == "8.437"
    asked.post("text", version=2, text=hard)
    events = asked.events()
    next(event for event in events if event["kind"] == "progress")
    asked.post("stop")
    answer = next(event for event in events if event["kind"] == "answer")
    assert answer["status"] == "interrupted"
    assert not answer["is_optimal"]


def test_what_is_wrong_is_told_with_its_place_and_its_repair(asked):
    text = EXAMPLE.replace("a4=ok and a2=ok", "a4=ok and a2=okk")
    _, document = asked.post("text", version=0, text=text)
    issue = document["issues"][0]
    assert not document["sound"]
    assert text[issue["page_from"] : issue["page_to"]] == "okk"
    _, document = asked.edit(1, issue["repair"])
    assert document["text"] == EXAMPLE
