"""
A headless Chromium, spoken to over two pipes in its own protocol.

Nothing but the browser is needed: no driver, no port, no package. Keys, mouse, screen
and network go through the DevTools protocol, so the page is used as people use it.
"""

import base64
import json
import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

CHROMIUM = shutil.which("chromium")
KEYS = {
    "Enter": ("Enter", 13, "\r"),
    "Tab": ("Tab", 9, ""),
    "Escape": ("Escape", 27, ""),
    " ": ("Space", 32, " "),
    "ArrowLeft": ("ArrowLeft", 37, ""),
    "ArrowUp": ("ArrowUp", 38, ""),
    "ArrowRight": ("ArrowRight", 39, ""),
    "ArrowDown": ("ArrowDown", 40, ""),
}


class PageError(AssertionError):
    """A script in the page has failed."""


class Browser:
    """One browser with one page at a time."""

    def __init__(self, send, receive):
        self._send, self._receive = send, receive
        self._number = 0
        self._page = self._attached = None
        self._rest = b""
        self.events = []

    def call(self, method, **parameters):
        """Ask the browser for something, and wait for the answer."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._attached:
            message["sessionId"] = self._attached
        os.write(self._send, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") != self._number:
                self.events.append(answer)
            elif "error" in answer:
                raise PageError(f"{method}: {answer['error']['message']}")
            else:
                return answer["result"]

    def close(self):
        """End the browser, and all that it has started."""
        self._attached = None
        self.call("Browser.close")
        os.close(self._send)
        os.close(self._receive)

    def _next(self):
        while b"\0" not in self._rest:
            more = os.read(self._receive, 1 << 20)
            if not more:
                raise PageError("the browser has ended")
            self._rest += more
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)

    def open(self, path, fragment="", *, width=1280, height=900, **media):
        """Open a file in a new page, and wait until it is ready."""
        before, self._attached = self._page, None
        page = self.call("Target.createTarget", url="about:blank")["targetId"]
        if before:
            self.call("Target.closeTarget", targetId=before)
        self._page = page
        answer = self.call("Target.attachToTarget", targetId=page, flatten=True)
        self._attached = answer["sessionId"]
        self.events.clear()
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        self.call("Page.bringToFront")
        self.resize(width, height)
        features = [
            {"name": name.replace("_", "-"), "value": value}
            for name, value in {"prefers_reduced_motion": "reduce", **media}.items()
        ]
        self.call("Emulation.setEmulatedMedia", features=features)
        self.call("Page.navigate", url=Path(path).as_uri() + fragment)
        self.wait_for("document.readyState === 'complete'")

    def resize(self, width, height):
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )

    def wait_for(self, condition):
        promise = f"""new Promise((resolve) => {{
            const look = () => ({condition}) ? resolve(true) : setTimeout(look, 10);
            look();
        }})"""
        self.run(promise)

    def run(self, script):
        """Give what a script comes to in the page."""
        answer = self.call(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in answer:
            raise PageError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def text(self, selector):
        return self.run(f"document.querySelector({json.dumps(selector)}).innerText")

    def texts(self, selector):
        chosen = f"document.querySelectorAll({json.dumps(selector)})"
        return self.run(f"Array.from({chosen}, (found) => found.textContent)")

    def count(self, selector):
        return self.run(f"document.querySelectorAll({json.dumps(selector)}).length")

    def press(self, key, *, modifiers=0):
        code, number, text = KEYS.get(key, (key, ord(key[0].upper()), key))
        press = {
            "key": key,
            "code": code,
            "windowsVirtualKeyCode": number,
            "modifiers": modifiers,
        }
        if text:
            press["text"] = text
        self.call("Input.dispatchKeyEvent", type="keyDown", **press)
        self.call("Input.dispatchKeyEvent", type="keyUp", **press)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def click(self, selector, number=0):
        """Press the mouse button where an element is."""
        x, y = self.hover(selector, number)
        self.mouse("mousePressed", x, y)
        self.mouse("mouseReleased", x, y)

    def hover(self, selector, number=0):
        """Move the mouse to where an element is."""
        x, y = self.run(
            f"""(() => {{
            const found = document.querySelectorAll({json.dumps(selector)})[{number}];
            found.scrollIntoView({{ block: "nearest" }});
            const box = found.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        }})()"""
        )
        self.mouse("mouseMoved", x, y, button="none")
        return x, y

    def mouse(self, kind, x, y, *, button="left", **more):
        event = {"type": kind, "x": x, "y": y, "button": button, "clickCount": 1}
        self.call("Input.dispatchMouseEvent", **event, **more)

    def screenshot(self, path, *, whole=False):
        image = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        Path(path).write_bytes(base64.b64decode(image["data"]))

    def print(self, path):
        document = self.call("Page.printToPDF", preferCSSPageSize=True)
        Path(path).write_bytes(base64.b64decode(document["data"]))

    def complaints(self):
        """Give what went to the console or wrong, since the page was opened."""
        self.call("Runtime.evaluate", expression="0")
        wrong = {
            "Runtime.consoleAPICalled",
            "Runtime.exceptionThrown",
            "Log.entryAdded",
        }
        return [event["params"] for event in self.events if event["method"] in wrong]

    def requests(self):
        """Give the addresses that the page has asked for."""
        sent = (e for e in self.events if e["method"] == "Network.requestWillBeSent")
        return [event["params"]["request"]["url"] for event in sent]


@contextmanager
def browser():
    """Run a browser as long as it is needed."""
    to_browser, our_end = os.pipe()
    our_other_end, from_browser = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [
            CHROMIUM,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            "--no-first-run",
            "--remote-debugging-pipe",
            f"--user-data-dir={profile}",
        ]
        # The browser reads from 3 and writes to 4, whatever their numbers are here.
        shell = f'exec "$@" 3<&{to_browser} 4>&{from_browser}'
        process = subprocess.Popen(
            ["bash", "-c", shell, "bash", *command],
            pass_fds=(to_browser, from_browser),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        started = Browser(our_end, our_other_end)
        try:
            yield started
        finally:
            started.close()
            process.wait(timeout=30)
