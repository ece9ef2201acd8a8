"""A correct provider on nothing but Python's standard library.

Usage: python-server.py TOKEN VARIATION

VARIATION is a word, or several joined by "+": "http11" for HTTP/1.1 (the default of http.server is HTTP/1.0, which
closes each connection), "single" for one thread that works on one connection at a time. The port that was chosen is printed as the only line of standard output.
"""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer

TOKEN = sys.argv[1]
VARIATION = sys.argv[2].split("+")

plants = {}
lock = threading.Lock()


class Refusal(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1" if "http11" in VARIATION else "HTTP/1.0"

    def answer(self, status, members, headers=()):
        body = json.dumps(members).encode()
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def send_error(self, code, message=None, explain=None):
        """What http.server answers by itself, an unknown method for one, is an Error as well."""
        text = message or self.responses.get(code, ("failed",))[0]
        self.close_connection = True
        self.answer(code, {"error": code, "message": text}, [("Connection", "close")])

    def do_GET(self):
        found = self.path.split("?")[0] == "/plants"
        self.answer(405 if found else 404, {"error": 405 if found else 404, "message": "POST /plants is all there is"})

    do_HEAD = do_GET

    def do_POST(self):
        try:
            # What is not read would be taken for the next request of this connection.
            body = self.body()
            if self.path.split("?")[0] != "/plants":
                raise Refusal(404, "there is nothing else than /plants")
            if self.headers.get_all("Authorization") != ["Bearer " + TOKEN]:
                raise Refusal(401, "no token, or a wrong one")
            plant = self.plant(body)
            with lock:
                if plant["id"] in plants:
                    raise Refusal(409, "there is a plant with this id")
                plants[plant["id"]] = plant
            self.answer(200, {key: plant[key] for key in ("name", "tag") if key in plant})
        except Refusal as refusal:
            self.answer(refusal.status, {"error": refusal.status, "message": str(refusal)})

    def body(self):
        if "Content-Length" not in self.headers:
            self.close_connection = True
            raise Refusal(411, "a Content-Length is needed")
        return self.rfile.read(int(self.headers["Content-Length"]))

    def plant(self, body):
        if self.headers.get_content_type() != "application/json" or "Content-Encoding" in self.headers:
            raise Refusal(415, "application/json is wanted")
        try:
            plant = json.loads(body.decode())
        except (ValueError, RecursionError):
            raise Refusal(400, "the body is not JSON") from None
        if not isinstance(plant, dict):
            raise Refusal(422, "the body is no object")
        if not isinstance(plant.get("name"), str):
            raise Refusal(422, "name must be a string")
        # True and False are integers to Python; those of JSON have no limit to it.
        if type(plant.get("id")) is not int or not -(2**63) <= plant["id"] < 2**63:
            raise Refusal(422, "id must be an int64")
        if "tag" in plant and not isinstance(plant["tag"], str):
            raise Refusal(422, "tag must be a string")
        return plant

    def log_message(self, format, *args):
        pass


server = (HTTPServer if "single" in VARIATION else ThreadingHTTPServer)(("127.0.0.1", 0), Handler)
# A client that has gone before it was answered is no news.
server.handle_error = lambda *_: None
print(server.server_address[1], flush=True)
server.serve_forever()
