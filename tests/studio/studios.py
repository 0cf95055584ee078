"""Studios for tests: served from a thread, and asked as a page would ask."""

import http.client
import json
from contextlib import contextmanager
from threading import Event, Thread
from urllib.parse import urlsplit

from branchwise.studio.server import server_of


class Asking:
    """Asks a studio at an address."""

    def __init__(self, address):
        self.address = address
        parts = urlsplit(address)
        self.host, self.base = parts.netloc, parts.path

    def raw(self, method, path, body=None, headers=(), host=None):
        """Return status, headers and content of an answer to anything at all."""
        connection = http.client.HTTPConnection(self.host, timeout=60)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        connection.putheader("Host", host or self.host)
        if body is not None and "Content-Length" not in dict(headers):
            connection.putheader("Content-Length", str(len(body)))
        for name, value in headers:
            connection.putheader(name, value)
        connection.endheaders()
        try:
            if body:
                connection.send(body)
        except OSError:
            pass  # It was refused before all was sent.
        try:
            response = connection.getresponse()
            return response.status, dict(response.getheaders()), response.read()
        finally:
            connection.close()

    def get(self, path):
        status, _, data = self.raw("GET", f"{self.base}{path}")
        assert status == 200, (status, data[:300])
        return data

    def document(self):
        return json.loads(self.get("document"))

    def post(self, what, **said):
        status, _, data = self.raw(
            "POST", f"{self.base}{what}", json.dumps(said).encode()
        )
        return status, json.loads(data)

    def edit(self, version, *edits):
        return self.post("edit", version=version, edits=edits, name="a test")

    def answer(self):
        """Return the answer to the document as it is now, once it is there."""
        for event in self.events():
            if event["kind"] == "hello":
                known = [e for e in self.document()["events"] if e["kind"] == "answer"]
                if known:
                    return known[0]
            if event["kind"] == "answer":
                return event
        raise AssertionError("the stream of events has ended")

    def events(self):
        connection = http.client.HTTPConnection(self.host, timeout=60)
        connection.request("GET", f"{self.base}events")
        response = connection.getresponse()
        try:
            while line := response.readline():
                if line.startswith(b"data: "):
                    yield json.loads(line[6:])
        finally:
            response.close()
            connection.close()


@contextmanager
def studio(path):
    """Serve a document as long as it is needed."""
    found, is_ready = [], Event()

    def ready(address):
        found.append(address)
        is_ready.set()

    server = server_of(path, host="127.0.0.1", port=0, ready=ready)
    thread = Thread(target=server.serve_until_ended)
    thread.start()
    try:
        assert is_ready.wait(60)
        yield Asking(found[0])
    finally:
        server.should_exit = True
        thread.join()
