"""The checker believes nothing: 1,000 lies, and worse than lies."""

import ast
import json
import shutil
import subprocess
import sys
from fractions import Fraction
from itertools import islice
from pathlib import Path
from random import Random

import pytest

import branchwise
from branchwise.certificate import checker
from branchwise.certificate import proof as room
from branchwise.certificate.checker import RejectedError, check
from problems.strategies import seeded_documents
from trials.tamperings import TAMPERINGS, Honest

SOURCE = Path(checker.__file__)


def honest_certificates():
    """Certificates of problems in which something is worth doing."""
    for document in seeded_documents(200, "tampered", max_states=150):
        problem = branchwise.read_text(json.dumps(document), "json")
        honest = Honest(problem)
        if len(honest.policy.states) > 3 and len(honest.bounds.states) > 6:
            yield honest


@pytest.fixture(scope="module")
def certificates():
    return list(islice(honest_certificates(), 20))


@pytest.mark.parametrize("tampering", TAMPERINGS, ids=lambda f: f.__name__)
def test_every_certificate_that_was_tampered_with_is_rejected(tampering, certificates):
    """Of 20 problems, 4 times each, in 15 ways: 1,200 lies."""
    for number, honest in enumerate(certificates):
        assert check(json.dumps(honest.document))
        for attempt in range(4):
            tampered = honest.copy()
            tampering(honest, tampered, Random(f"{number}/{attempt}"))
            with pytest.raises(RejectedError):
                check(json.dumps(tampered))


def test_no_bound_found_best_first_may_be_lowered(monkeypatch):
    """Rows that reveal are as tight as rows that expand: lowering any is rejected."""
    monkeypatch.setattr(room, "_MOST_STATES_FOR_A_GAP", 0)
    problem = branchwise.generate(9, 5, seed=3)
    document = json.loads(branchwise.certify(problem, gap=0.2).text())
    kinds = {row[1] for row in document["bounds"]}

    assert check(json.dumps(document))
    assert "reveal" in kinds
    for row in document["bounds"]:
        value = row[0]
        row[0] = "-1"
        with pytest.raises(RejectedError):
            check(json.dumps(document))
        row[0] = value


def test_a_reveal_cannot_be_repeated_for_ever():
    """A row about itself would prove anything; what is known cannot be revealed."""
    problem = branchwise.read_text(
        "actions: {a: {outcomes: {ok: 1}}}\nrewards: [{when: a=ok, value: 1}]"
    )
    document = json.loads(branchwise.certify(problem).text())
    document["bounds"] = [["0", "reveal", "a"]]

    with pytest.raises(RejectedError, match="cannot be taken, or revealed"):
        check(json.dumps(document))


def test_a_key_that_comes_twice_is_rejected(document):
    text = json.dumps(document)
    twice = text.replace('"claim"', '"claim": {}, "claim"')

    with pytest.raises(RejectedError, match="comes twice"):
        check(twice)


def test_rejections_name_the_row(document):
    document["bounds"][5][0] = "0"

    with pytest.raises(RejectedError, match="bounds, row 5: says 0, but"):
        check(json.dumps(document))


def test_a_certificate_of_an_earlier_version_is_rejected_with_what_to_do(document):
    """Version 1 called the probabilities of outcomes `odds`."""
    document["format"] = "branchwise certificate 1"
    for action in document["problem"]["actions"]:
        for variant in action["variants"]:
            variant["odds"] = variant.pop("probabilities")

    with pytest.raises(RejectedError) as caught:
        check(json.dumps(document))
    assert str(caught.value) == (
        "branchwise certificate 1: should be branchwise certificate 2: certify anew"
    )


@pytest.mark.parametrize("seed", range(10))
def test_garbage_is_rejected_without_a_traceback(seed, document):
    """Any value anywhere may be replaced by anything."""
    random = Random(seed)
    junk = [
        None,
        0,
        -1,
        True,
        1.5,
        "",
        "x",
        "1/0",
        [],
        {},
        [[]],
        "9" * 5000,
        ["a", "b"],
    ]
    for _ in range(60):
        broken = json.loads(json.dumps(document))
        place = broken
        while True:
            keys = list(place) if isinstance(place, dict) else range(len(place))
            key = random.choice(list(keys)) if keys else None
            if key is None:
                break
            if not isinstance(place[key], (dict, list)) or random.random() < 0.3:
                place[key] = random.choice([j for j in junk if j != place[key]])
                break
            place = place[key]
        try:
            low, high = check(json.dumps(broken))
        except RejectedError:
            continue
        # Not everything that differs is a lie: rows may leave room.
        assert low <= high
        if broken["problem"] == document["problem"]:
            assert low <= Fraction(105459, 12500) <= high


@pytest.mark.parametrize("text", ["[" * 100_000, "{}", "[]", "null", "1", '"x"'])
def test_what_is_no_certificate_is_rejected(text):
    with pytest.raises(RejectedError):
        check(text)


def test_the_checker_imports_nothing_of_branchwise():
    tree = ast.parse(SOURCE.read_text(encoding="utf-8"))
    modules = {
        alias.name if isinstance(node, ast.Import) else node.module
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }

    assert {module.partition(".")[0] for module in modules} <= sys.stdlib_module_names


def alone(folder, *arguments):
    """Run a copy of the checker in a folder, where nothing else can be imported."""
    shutil.copy(SOURCE, folder / "checker.py")
    command = [sys.executable, "-I", "-S", "checker.py", *arguments]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False
    )


def test_the_checker_runs_alone_in_an_empty_folder(tmp_path, document):
    (tmp_path / "honest.json").write_text(json.dumps(document))
    document["claim"]["at_most"] = "8"
    (tmp_path / "tampered.json").write_text(json.dumps(document))
    (tmp_path / "broken.json").write_text("{")

    honest = alone(tmp_path, "honest.json")
    tampered = alone(tmp_path, "tampered.json")
    assert honest.returncode == 0
    assert honest.stdout == (
        "ACCEPTED: the best plan is worth exactly 105459/12500 (8.43672)\n"
    )
    assert tampered.returncode == 1
    assert tampered.stdout == (
        "REJECTED: at_most: the bounds prove no less than 105459/12500\n"
    )
    for arguments in (["broken.json"], ["missing.json"], []):
        unread = alone(tmp_path, *arguments)
        assert unread.returncode == 2
        assert "Traceback" not in unread.stderr
