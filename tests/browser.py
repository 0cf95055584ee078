"""A headless Chromium that uses a page as people do: with mouse, keys and fingers."""

import shutil
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-sync",
]


class Opened:
    """
    A file in a tab of its own, in a profile that nothing was done in before.

    It notes all that goes to the console or wrong, and every address asked for.
    """

    def __init__(self, chromium, path, fragment="", *, width=1280, height=900, **media):
        self.context = chromium.new_context(
            viewport={"width": width, "height": height},
            is_mobile=width < 600,
            **{"reduced_motion": "reduce", **media},
        )
        self.page = self.context.new_page()
        self._complaints, self._requests = [], []
        for event in ("console", "pageerror"):
            self.page.on(event, lambda told: self._complaints.append(str(told)))
        # Playwright leaves out what is asked of the page itself, such as data: URLs.
        self._devtools = self.context.new_cdp_session(self.page)
        self._devtools.on(
            "Network.requestWillBeSent",
            lambda event: self._requests.append(event["request"]["url"]),
        )
        self.call("Network.enable")
        self.go(path, fragment)

    def go(self, path, fragment=""):
        """Open another file in the same tab, and note only what that one does."""
        self._complaints.clear()
        self._requests.clear()
        self.page.goto(Path(path).as_uri() + fragment)

    def close(self):
        self.context.close()

    def call(self, method, **parameters):
        """Ask the browser for what only its own protocol can."""
        return self._devtools.send(method, parameters)

    def run(self, script):
        """Return what a script evaluates to in the page."""
        return self.page.evaluate(script)

    def wait_for(self, condition):
        """Wait until a script comes to true."""
        self.run(
            f"""new Promise((resolve) => {{
            const look = () => ({condition}) ? resolve(true) : setTimeout(look, 10);
            look();
        }})"""
        )

    def text(self, selector):
        return self.page.locator(selector).first.inner_text()

    def texts(self, selector):
        return self.page.locator(selector).all_text_contents()

    def count(self, selector):
        return self.page.locator(selector).count()

    def press(self, key):
        self.page.keyboard.press(key)

    def type(self, text):
        self.page.keyboard.insert_text(text)

    def click(self, selector, number=0):
        """Press the mouse button in the middle of an element, whatever is over it."""
        self.page.locator(selector).nth(number).click(force=True)

    def hover(self, selector, number=0):
        """Move the mouse to the middle of an element, whatever is over it."""
        self.page.locator(selector).nth(number).hover(force=True)

    def screenshot(self, path):
        self.page.screenshot(path=path)

    def print(self, path):
        self.page.pdf(path=path, prefer_css_page_size=True)

    def complaints(self):
        """Give what went to the console or wrong, since the page was opened."""
        self.run("0")
        return self._complaints

    def requests(self):
        """Give the addresses that the page has asked for."""
        return self._requests

    def check_silence(self, path):
        """Make sure that nothing went wrong, and nothing but the page was asked for."""
        assert self.complaints() == []
        assert {url.partition("#")[0] for url in self.requests()} == {path.as_uri()}


_running = []


@contextmanager
def browser():
    """
    Run a browser as long as it is needed.

    Playwright takes one at a time in a process, so one that runs already is shared.
    """
    if _running:
        yield _running[0]
        return
    assert CHROMIUM, "chromium is missing; fix: tools/ensure_debian.sh chromium"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        _running.append(started)
        try:
            yield started
        finally:
            _running.clear()
            started.close()
