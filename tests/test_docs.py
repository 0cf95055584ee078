"""
Every code block of the documentation runs and shows what really happens.

`pages.py` says what each kind of block means. After changing an output, run this file
with ``--rewrite`` and read the difference as a user would:
``python tests/test_docs.py --rewrite``.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path

import pytest

import branchwise
from branchwise import report
from pages import PAGES, ROOT, Session, Step, blocks, shown

LANGUAGES = {"console", "csv", "json", "lisp", "python", "text", "xml", "yaml"}
ASSISTANT = "docs/guides/ask-through-an-assistant.md"
STUDIO = "docs/guides/studio.md"
SERVES = "it serves the page until you press Ctrl-C"
EXCUSED = {
    ("CONTRIBUTING.md", "$ make test\n"): "this test is part of it",
    ("README.md", "$ pip install .\n"): "`make demo` installs it the same way",
    ("README.md", "$ make test\n"): "this test is part of it",
    (
        "docs/README.md",
        "$ pip install '.[studio]'\n",
    ): "`make demo` installs it the same way",
    (
        "docs/README.md",
        "$ pip install 'branchwise-....whl[studio]'\n",
    ): "there is a wheel only after it was built",
    ("docs/README.md", "$ branchwise studio room.yaml\n"): SERVES,
    (
        "docs/reference/packages.md",
        "$ pip install branchwise-0.1.0-cp312-abi3-manylinux_2_28_x86_64.whl\n"
        "$ branchwise --version\n",
    ): "there is a wheel only after it was built",
    (
        "docs/reference/packages.md",
        "$ make wheel\n",
    ): "it compiles for a minute",
    (
        "docs/reference/packages.md",
        "$ python -m build --sdist\n$ pip install dist/branchwise-0.1.0.tar.gz\n",
    ): "it compiles for a minute",
    ("docs/explanation/mutants.md", "$ make mutants\n"): "it takes an hour",
    (ASSISTANT, "$ pip install '.[mcp]'\n"): "it needs a package index",
    (STUDIO, "$ pip install '.[studio]'\n"): "it needs a package index",
    (
        STUDIO,
        "$ branchwise studio oil.yaml\noil.yaml is open at http://127.0.0.1:40123/xZ7.../\n",
    ): SERVES,
    (STUDIO, "$ branchwise studio oil.yaml --port 8000 --no-browser\n"): SERVES,
}
DEMO = "test_docs.py runs it in a copy of the repository"


def name_of(page):
    return str(page.relative_to(ROOT))


@pytest.fixture
def session(tmp_path, monkeypatch, request):
    return started(tmp_path, request.param, monkeypatch.chdir)


def started(folder, page, change_to):
    shutil.copytree(ROOT / "examples", folder / "examples")
    change_to(folder)
    return Session(folder, page)


@pytest.mark.parametrize("session", PAGES, ids=name_of, indirect=True)
def test_every_block_shows_what_really_happens(session):
    for block in blocks(session.page):
        if block.excuse:
            continue
        for step in session.run(block):
            place = f"{name_of(session.page)}:{block.line}"
            assert step.is_as_shown, (
                f"{place}\n{step.source}shown:\n{step.expected}real:\n{step.actual}"
            )


def test_only_these_blocks_are_not_run():
    excused = {
        (name_of(page), block.text): block.excuse
        for page in PAGES
        for block in blocks(page)
        if block.excuse and block.excuse != DEMO
    }
    assert excused == EXCUSED


def test_blocks_are_written_in_languages_that_can_be_checked():
    for page in PAGES:
        fences = re.findall(
            r"^```(\w*)", page.read_text(encoding="utf-8"), re.MULTILINE
        )
        assert set(fences[::2]) <= LANGUAGES, name_of(page)
        assert set(fences[1::2]) <= {""}, name_of(page)
        assert len(fences) == 2 * len(list(blocks(page))), name_of(page)


@pytest.mark.timeout(900)
def test_the_demo_does_what_the_readme_shows(tmp_path):
    """The only long test here: it makes an environment and builds the package."""
    [block] = [block for block in blocks(ROOT / "README.md") if block.excuse == DEMO]
    command, expected = re.fullmatch(r"\$ (.*)\n((?s:.*))", block.text).groups()
    copy = tmp_path / "copy"
    for name in tracked_files():
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, copy / name)
    # The demo is to set itself up, so what is being tested here is out of its sight.
    alone = {"PYTHONPATH": "", "VIRTUAL_ENV": "", "PYTHON": sys.executable}

    output = Session(copy, block).shell(command, **alone)

    step = Step(command, expected, output)
    assert step.is_as_shown, f"shown:\n{expected}real:\n{output}"
    assert "<svg" in (copy / "demo" / "illustrative.html").read_text(encoding="utf-8")


def tracked_files():
    command = "git ls-files -z --cached --others --exclude-standard".split()
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    names = [name for name in listed.stdout.decode().split("\0") if name]
    return [name for name in names if (ROOT / name).is_file()]


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CHANGELOG.md"], ids=name_of)
def test_every_link_leads_somewhere(page):
    text = re.sub(r"(?ms)^```.*?^```$|`[^`\n]*`", "", page.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, heading = target.partition("#")
        found = (page.parent / file).resolve() if file else page
        assert found.exists(), target
        if heading:
            assert heading in headings(found), target


def headings(page):
    """Give the anchors that headings get."""
    text = re.sub(r"(?ms)^```.*?^```$", "", page.read_text(encoding="utf-8"))
    titles = re.findall(r"(?m)^#+ (.+)$", text)
    return {re.sub(r"[^\w\- ]", "", t.lower()).replace(" ", "-") for t in titles}


def test_contributing_names_files_that_are_there():
    """A file may be named without the folders that the sentence is about."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    paths = [path for kind in ("py", "md") for path in ROOT.glob(f"[!.]*/**/*.{kind}")]
    files = [f"/{path.relative_to(ROOT)}" for path in [*paths, *ROOT.glob("*.md")]]
    for name in re.findall(r"`([\w./-]+\.(?:py|md))`", text):
        assert any(file.endswith(f"/{name}") for file in files), name


def test_every_page_is_in_the_index():
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    for page in PAGES:
        if page.parent != ROOT and page.name != "README.md":
            assert f"({page.relative_to(ROOT / 'docs')})" in index


def test_the_glossary_has_under_a_hundred_words():
    """More of them are a language, not a glossary."""
    text = (ROOT / "docs" / "reference" / "glossary.md").read_text("utf-8")
    words = re.findall(r"^\*\*(.+?)\*\*", text, re.MULTILINE)

    assert len(set(words)) == len(words) < 100


def test_the_python_reference_has_every_public_name():
    text = (ROOT / "docs/reference/python.md").read_text(encoding="utf-8")
    names = [*branchwise.__all__]
    for room in ROOMS:
        names += import_module(f"branchwise.{room}").__all__
    missing = [n for n in names if not re.search(rf"`(?:\w+\.)?{n}\b", text)]
    assert not missing


ROOMS = "adversary analysis engine follow formats model program report tree".split()
VERBS = "solve follow simulate defend sets graph check convert generate schema".split()


def test_the_command_line_reference_has_every_option(tmp_path):
    text = (ROOT / "docs/reference/command-line.md").read_text(encoding="utf-8")
    for verb in VERBS:
        help_text = Session(tmp_path, ROOT).shell(f"branchwise {verb} --help")
        for option in re.findall(r"^ +(?:-\w, )?(--[a-z-]+)", help_text, re.MULTILINE):
            assert f"`{option}" in text, option


def test_the_reference_of_the_file_format_has_every_key():
    text = (ROOT / "docs/reference/file-format.md").read_text(encoding="utf-8")
    schema = report.schema("problem")
    inside = schema["$defs"]
    for part in (schema, inside["action"], inside["clause"], inside["reward"]):
        for key in part["properties"]:
            assert f"`{key}`" in text, key


def rewrite(page):
    """Put what really happens into a page."""
    text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        session = started(Path(folder), page, os.chdir)
        for block in blocks(page):
            steps = [] if block.excuse else session.run(block)
            if steps:
                text = text.replace(f"\n{block.text}```", f"\n{shown(steps)}```", 1)
        os.chdir(ROOT)
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__" and "--rewrite" in sys.argv:
    chosen = [Path(name).resolve() for name in sys.argv[1:] if name.endswith(".md")]
    for page in chosen or PAGES:
        rewrite(page)
