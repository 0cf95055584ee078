"""Only the page of the studio is answered, and nothing large is taken in."""

import json

import pytest

from branchwise.studio.guard import LARGEST_BODY
from studio.studios import studio

TEXT = (
    "budget: 6\nactions: {a: {outcomes: {ok: 1}}}\nrewards: [{when: a=ok, value: 1}]\n"
)


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    path = tmp_path_factory.mktemp("studio") / "problem.yaml"
    path.write_text(TEXT)
    with studio(path) as asked:
        yield asked


def test_the_page_comes_with_a_strict_policy(asked):
    status, headers, data = asked.raw("GET", asked.base)

    policy = headers["content-security-policy"]
    nonce = data.decode().split('studio-nonce" content="')[1].split('"')[0]
    assert status == 200
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert f"'nonce-{nonce}'" in policy
    assert "unsafe" not in policy
    assert "access-control-allow-origin" not in {name.lower() for name in headers}
    assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", "[::1]"]
)
def test_a_foreign_name_is_refused(asked, host):
    assert asked.raw("GET", asked.base, host=host)[0] == 403


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:1"]
)
@pytest.mark.parametrize("what", ["edit", "save", "bring?name=a.yaml&version=0"])
def test_a_foreign_page_is_refused(asked, origin, what):
    body = json.dumps({"version": 0, "edits": []}).encode()
    headers = [("Origin", origin)]
    assert asked.raw("POST", asked.base + what, body, headers)[0] == 403
    headers = [("Sec-Fetch-Site", "cross-site")]
    assert asked.raw("POST", asked.base + what, body, headers)[0] == 403


def test_who_does_not_know_the_token_is_told_nothing(asked):
    token = asked.base.strip("/")
    wrong = "x" * len(token)
    for path in ("/", "/document", f"/{wrong}/", f"/{wrong}/document", f"/{token}"):
        status, _, data = asked.raw("GET", path)
        assert (status, data) == (404, b"Not found")


@pytest.mark.parametrize(
    "path",
    [
        "assets/..%2f..%2f..%2f..%2fetc%2fpasswd", "assets/../../app.py",
        "assets/..%5c..%5capp.py", "../document", "export/../../app.py",
        "frames/..%2fdocument", "assets/%2fetc%2fpasswd", "assets/.",
    ],
)  # fmt: skip
def test_there_is_no_way_to_other_files(asked, path):
    status, _, data = asked.raw("GET", asked.base + path)
    assert status in {400, 404} or b"studio-nonce" in data or b"Nothing to show" in data
    assert b"root:" not in data
    assert b"import" not in data


def test_what_is_too_large_is_refused_before_it_is_read(asked):
    for sent in (b"", b"x" * 1000):
        headers = [("Content-Length", str(100 * 2**20))]
        path = f"{asked.base}bring?name=a.yaml&version=0"
        assert asked.raw("POST", path, sent, headers)[0] == 413
    assert LARGEST_BODY < 100 * 2**20
    status, _, _ = asked.raw("POST", path, b"x" * (LARGEST_BODY - 10))
    assert status == 400
    assert asked.document()["text"] == TEXT


def test_what_makes_no_sense_gets_an_error_and_changes_nothing(asked):
    for body in (
        b"",
        b"[]",
        b"{}",
        b'{"version": "0"}',
        b"\xff",
        b'"x"',
        b"[" * 10_000,
    ):
        for what in ("edit", "text", "undo", "start", "aim", "pin", "unpin", "follow"):
            status, _, data = asked.raw("POST", f"{asked.base}{what}", body)
            assert status in {400, 409}, (what, body[:20])
            assert "error" in json.loads(data)
    document = asked.document()
    wrong = [
        {"path": [], "put": "x"}, {"path": ["a", {}], "put": "x"}, {"splice": [0, 1]},
        {"path": ["budget"], "put": 6}, {"path": ["budget"], "put": {"a": None}},
        {"splice": ["0", 1, ""]}, {"path": ["nobody", "x"], "remove": True}, 7,
    ]  # fmt: skip
    for edit in wrong:
        assert asked.edit(document["version"], edit)[0] == 400, edit
    assert asked.document()["text"] == TEXT


def test_a_page_of_the_report_cannot_reach_the_studio(asked):
    asked.answer()
    status, headers, data = asked.raw("GET", f"{asked.base}frames/plan")
    assert status == 200
    assert b"explorer" in data
    assert headers["content-security-policy"].startswith(
        "sandbox allow-scripts allow-downloads;"
    )
    assert "default-src 'none'" in headers["content-security-policy"]
