"""
Measure how soon the page of a studio shows a new plan, and whether it stays responsive.

Run it on its own for the numbers of the documentation::

    PYTHONPATH=tests python -m trials.studio_pace --number 50
"""

import argparse
import statistics
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from browser import browser
from studio.studios import studio

INSTANCES = Path("benchmarks/instances")
ACTIONS_25 = INSTANCES / "storm-25-15.yaml"
HARD = INSTANCES / "hard-200.yaml"

# An edit is made as people do, by leaving a field; the plan is there once its frame is.
EDITS = """async (number) => {
  const shown = () => performance.getEntriesByName("studio-shown");
  const field = document.querySelector('input[aria-label="Budget"]');
  const rest = (time) => new Promise((resolve) => setTimeout(resolve, time));
  const first = Number(field.value);
  const found = [];
  for (let n = 0; n < number; n += 1) {
    const known = shown().length;
    const start = performance.now();
    field.focus();
    field.value = String(first - 1 + (n % 2));
    field.blur();
    while (shown().length === known) await rest(2);
    found.push(shown().at(-1).startTime - start);
    await rest(50);
  }
  return found;
}"""
WATCH = """() => {
  window.longest = [];
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) window.longest.push(each.duration);
  }).observe({ type: "longtask", buffered: false });
}"""


def crowding():
    """Return by how much other programs on this machine slow down this one."""
    wall, own = time.perf_counter(), time.process_time()
    while time.process_time() - own < 0.1:
        pass
    return max(1.0, (time.perf_counter() - wall) / (time.process_time() - own))


def milliseconds_to_plans(page, number):
    """Return how long it took to see the plan after each of some edits."""
    page.locator(".frame iframe:not(.coming)").wait_for()
    return page.evaluate(EDITS, number)


def milliseconds_of_long_tasks(page, seconds):
    """Return how long the page could not answer while a hard problem was solved."""
    page.locator(".working").wait_for()
    page.evaluate(WATCH)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for tab in ("Table", "Cards"):
            page.get_by_role("tab", name=tab, exact=True).first.click()
            page.wait_for_timeout(100)
    assert page.locator(".working").count()
    return page.evaluate("window.longest")


@contextmanager
def opened_on(chromium, path, folder):
    """Open a copy of a problem in a studio; give its page."""
    copy = Path(folder, path.name)
    copy.write_bytes(path.read_bytes())
    with studio(copy) as asked:
        page = chromium.new_page(viewport={"width": 1440, "height": 900})
        page.goto(asked.address)
        yield page
        page.close()


def paced(chromium, folder, number, seconds):
    """Return milliseconds to plans, those of long tasks, and how crowded it was."""
    before = crowding()
    with opened_on(chromium, ACTIONS_25, folder) as page:
        found = milliseconds_to_plans(page, number)
    with opened_on(chromium, HARD, folder) as page:
        long = milliseconds_of_long_tasks(page, seconds)
    return found, long, max(before, crowding())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=50)
    options = parser.parse_args()
    with browser() as chromium, tempfile.TemporaryDirectory() as folder:
        found, long, crowded = paced(chromium, folder, options.number, 5)
    said = [
        f"everything else on this machine slowed it down by {crowded:.1f}",
        f"{len(found)} edits: median {statistics.median(found):.0f} ms, "
        f"longest {max(found):.0f} ms",
        f"long tasks while solving: {len(long)}, longest {max(long, default=0):.0f} ms",
    ]
    sys.stdout.write("\n".join([*said, ""]))


if __name__ == "__main__":
    main()
