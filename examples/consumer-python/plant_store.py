"""The reference server as a process, for tests."""

import json
import subprocess
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections import deque
from pathlib import Path

# The pipe to the server closes when the tests end, also if they are killed. Then the server ends.
COMMAND = ["node_modules/.bin/plant-store-contract", "serve", "--until-stdin-closes", "--log", "json"]
PORTS = ["--port", "0", "--control-port", "0"]


class PlantStore:
    """A running plant store. `url` and `token` are for the client under test; the methods control the server."""

    def __init__(self):
        folder = Path(__file__).parent
        if not (folder / COMMAND[0]).exists():
            raise RuntimeError(f"the plant store is not installed: run npm install in {folder}")
        self._process = subprocess.Popen(
            COMMAND + PORTS, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the plant store did not start")
        started = json.loads(line)
        self.url = started["url"]
        self.token = started["token"]
        self._control_url = started["control"]
        # The log goes on. A full pipe would stop the server.
        threading.Thread(target=deque, args=(self._process.stdout, 0), daemon=True).start()

    def stop(self):
        self._process.stdin.close()
        self._process.wait(timeout=10)

    def reset(self):
        """Back to the start: no plants, no requests, no failures."""
        self._control("POST", "/reset")

    def seed(self, *plants):
        """Stores plants without a request of the client."""
        self._control("POST", "/plants", list(plants))

    def plants(self):
        """The stored plants. Python reads their ids with every digit."""
        return self._control("GET", "/plants")

    def requests(self, **filters):
        """What the plant store received: `requests(name="Aloe", wait="2s")`."""
        return self._control("GET", f"/requests?{urllib.parse.urlencode(filters)}")

    def fail(self, **failure):
        """Makes valid creations fail: `fail(status=503, times=1)`."""
        self._control("POST", "/failures", failure)

    def unused_failures(self):
        """The failures that no request met."""
        return self._control("GET", "/failures/unused")

    def _control(self, method, path, value=None):
        headers, data = {}, None
        if value is not None:
            headers, data = {"Content-Type": "application/json"}, json.dumps(value).encode()
        request = urllib.request.Request(self._control_url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                body = response.read()
        except urllib.error.HTTPError as error:
            with error:
                # The server says what is wrong, as JSON.
                raise ValueError(f"{method} {path}: {json.load(error)['message']}") from None
        return json.loads(body) if body else None
