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


class Tab:
    """
    A tab in a profile of its own, which notes what goes wrong and what is asked for.

    To start one takes the browser a second, and far longer than to open a report in
    one that is there: so tabs are used again, cleared, and put back in `_idle`.
    """

    def __init__(self, chromium, *, is_mobile):
        self.context = chromium.new_context(is_mobile=is_mobile)
        self.page = self.context.new_page()
        self.complaints, self.requests = [], []
        for event in ("console", "pageerror"):
            self.page.on(event, lambda told: self.complaints.append(str(told)))
        # Playwright leaves out what is asked of the page itself, such as data: URLs.
        self.devtools = self.context.new_cdp_session(self.page)
        self.devtools.on(
            "Network.requestWillBeSent",
            lambda event: self.requests.append(event["request"]["url"]),
        )
        self.devtools.send("Network.enable")

    def clear(self):
        """Leave nothing of what was shown: the reports keep nothing but that."""
        self.page.goto("about:blank")
        self.page.mouse.move(0, 0)


_idle = {}


class Opened:
    """
    A file in a tab of its own that shows nothing else.

    It notes all that goes to the console or wrong, and every address asked for.
    """

    def __init__(self, chromium, path, fragment="", *, width=1280, height=900, **media):
        kind = (chromium, width < 600)
        tabs = _idle.setdefault(kind, [])
        self._tab = tabs.pop() if tabs else Tab(chromium, is_mobile=width < 600)
        self._kind, self._is_changed = kind, False
        self.page = self._tab.page
        self._complaints, self._requests = self._tab.complaints, self._tab.requests
        self.page.set_viewport_size({"width": width, "height": height})
        usual = {"media": "null", "color_scheme": "light", "reduced_motion": "reduce"}
        self.page.emulate_media(**{**usual, **media})
        self.go(path, fragment)

    def go(self, path, fragment=""):
        """Open another file in the same tab, and note only what that one does."""
        self._complaints.clear()
        self._requests.clear()
        self.page.goto(Path(path).as_uri() + fragment)

    def close(self):
        """Give the tab to the next file, unless what was done to it outlasts this."""
        if self._is_changed:
            self._tab.context.close()
        else:
            self._tab.clear()
            _idle[self._kind].append(self._tab)

    @property
    def context(self):
        """The profile, to be changed: no other file is opened in it."""
        self._is_changed = True
        return self._tab.context

    def call(self, method, **parameters):
        """Ask the browser for what only its own protocol can, and may not undo."""
        self._is_changed = True
        return self._tab.devtools.send(method, parameters)

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
            _idle.clear()
            started.close()
