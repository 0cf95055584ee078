"""The page of measured results: what was found goes between its markers."""

import json
import os
import platform
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
BENCHMARKS = ROOT / "benchmarks"
RESULTS = BENCHMARKS / "results"
PAGE = ROOT / "docs" / "explanation" / "engines-measured.md"
IMAGES = ROOT / "docs" / "images"

_BLOCK = r"(<!-- measured: {} -->\n).*?(<!-- end of measured -->)"


def page_of(part):
    """Return the page that a part is about: that of the engines, unless it says."""
    return getattr(part, "PAGE", PAGE)


def write_results(name, found, *, folder=RESULTS):
    """Keep what a part has found, and on what machine."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"machine": machine(), **found}, indent=1)
    (folder / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def read_results(name, *, folder=RESULTS):
    """Give what a part found last; None if it has never run."""
    file = folder / f"{name}.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None


def fill(text, blocks):
    """
    Put Markdown between the markers of a page.

    Examples
    --------
    >>> page = "<!-- measured: speed -->\\nold\\n<!-- end of measured -->"
    >>> print(fill(page, {"speed": "new"}))
    <!-- measured: speed -->
    <BLANKLINE>
    new
    <BLANKLINE>
    <!-- end of measured -->
    """
    for name, block in blocks.items():
        pattern = re.compile(_BLOCK.format(re.escape(name)), re.DOTALL)
        assert pattern.search(text), f"the page has no place for `{name}`"
        text = pattern.sub(lambda m, b=block: f"{m[1]}\n{b}\n\n{m[2]}", text)
    return text


def table(header, rows):
    """
    Write a table in Markdown; what is None stays empty.

    Examples
    --------
    >>> print(table(["a", "b"], [[1, None]]))
    | a | b |
    |--:|--:|
    | 1 |  |
    """
    lines = [list(header), *(["" if c is None else str(c) for c in r] for r in rows)]
    texts = ["| " + " | ".join(line) + " |" for line in lines]
    return "\n".join([texts[0], "|" + "--:|" * len(header), *texts[1:]])


def count(number):
    return None if number is None else f"{number:,}"


def times(ratio):
    """
    Write a ratio, no finer than it can be trusted.

    Examples
    --------
    >>> times(0.523), times(5.23), times(1234.5), times(None)
    ('0.5x', '5.2x', '1,234x', None)
    """
    if ratio is None:
        return None
    return f"{ratio:,.0f}x" if ratio >= 20 else f"{ratio:.1f}x"


def seconds(value):
    """
    Write a time, no finer than it can be trusted.

    Examples
    --------
    >>> seconds(0.00123), seconds(0.123), seconds(12.3), seconds(1234), seconds(None)
    ('0.0012', '0.12', '12', '1,234', None)
    """
    if value is None:
        return None
    if value >= 10:
        return f"{value:,.0f}"
    return f"{value:.2f}" if value >= 0.1 else f"{value:.2g}"


def machine():
    """Say what kind of machine this is, as far as times depend on it."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gb": _memory_gb(),
        "python": platform.python_version(),
        "busy_cores": round(os.getloadavg()[0], 1),
    }


def machine_text(found):
    """Say it in a sentence."""
    busy = f"{found['busy_cores']:g}"
    were = "core was" if busy == "1" else "cores were"
    return (
        f"{found['processor']}, {found['cores']} cores, {found['memory_gb']} GB; "
        f"Python {found['python']}; {busy} {were} busy on average when it ended"
    )


def _processor():
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    names = [line.split(":")[1].strip() for line in lines if "model name" in line]
    return names[0] if names else platform.machine()


def _memory_gb():
    return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30)
