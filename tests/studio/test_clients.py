"""Fifty pages on one document: none is mixed up with another, or left waiting."""

import json
import re
import resource
import statistics
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from branchwise.studio import frames
from studio.studios import studio

CLIENTS = 50
MOST_MORE_KILOBYTES = 150_000
NAMES = [f"p{number}" for number in range(CLIENTS)]
TEXT = (
    f"parameters: {{{', '.join(f'{name}: 1' for name in NAMES)}}}\n"
    "budget: 2\nactions:\n  a: {outcomes: {ok: 0.5, no: rest}}\n"
    f"rewards:\n  - {{when: a=ok, value: {' + '.join(NAMES)}}}\n"
)


def worth(text):
    """The one action pays the sum of all parameters half of the time."""
    return sum(map(int, re.findall(r"p\d+: (\d+)", text))) / 2


def client(asked, number):
    """Change a parameter, see its plan and an analysis; say how long that took."""
    begun = time.perf_counter()
    version = 0
    for _ in range(1000):
        path = ["parameters", f"p{number}"]
        status, said = asked.edit(version, {"path": path, "put": str(number + 2)})
        if status == 200:
            break
        assert said["conflict"]
        version = asked.document()["version"]
    assert f"p{number}: {number + 2}" in said["text"]
    answer = asked.answer()
    page = asked.get("frames/analysis?only=derivatives")
    assert b"Derivatives" in page or b"changed meanwhile" in page
    return said, answer, time.perf_counter() - begun


def test_fifty_clients_are_served_alike(tmp_path, monkeypatch):
    worked_out = []
    frame_of = frames.frame_of

    def counted(*asked):
        worked_out.append(asked)
        return frame_of(*asked)

    monkeypatch.setattr(frames, "frame_of", counted)
    path = tmp_path / "problem.yaml"
    path.write_text(TEXT)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with studio(path) as asked, ThreadPoolExecutor(CLIENTS) as pool:
        asked.answer()
        found = [*pool.map(lambda number: client(asked, number), range(CLIENTS))]
        last = asked.document()
        assert asked.answer()["worth"] == pytest.approx(worth(last["text"]))
        assert json.dumps(last["events"]).count('"answer"') == 1
    # No change is lost, and no answer is that to another text.
    texts = {said["version"]: said["text"] for said, _, _ in found}
    assert len(texts) == last["version"] == CLIENTS
    assert worth(last["text"]) == sum(range(2, CLIENTS + 2)) / 2
    for _, answer, _ in found:
        assert answer["worth"] == pytest.approx(worth(texts[answer["version"]]))
    # The slowest has waited for the others, but not for much more than their turns.
    taken = [seconds for *_, seconds in found]
    assert max(taken) < 4 * statistics.median(taken) + 2
    assert len(worked_out) < CLIENTS
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert after - before < MOST_MORE_KILOBYTES
