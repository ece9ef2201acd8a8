"""A careful provider of Python's standard library. A plant with an id that it has replaces the other one."""

import hmac
import json
import os
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MOST_BYTES = 1_048_576
TOKEN = os.environ["TOKEN"].encode()
LEAST_INT64 = -(2**63)
GREATEST_INT64 = 2**63 - 1

plants = {}
lock = threading.Lock()


class Rejection(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status
        self.message = message


def is_authorised(field):
    scheme, _, token = (field or "").partition(" ")
    if scheme.lower() != "bearer":
        return False
    return hmac.compare_digest(token.strip(" ").encode("latin-1"), TOKEN)


def is_json(field):
    media_type, _, parameters = (field or "").partition(";")
    if media_type.strip().lower() != "application/json":
        return False
    charset = re.search(r'charset="?([^";\s]+)', parameters, re.IGNORECASE)
    return charset is None or charset.group(1).lower() in ("utf-8", "utf8")


def no_number(word):
    raise ValueError(f"{word} is not JSON")


def integer(digits):
    if len(digits) > 20:
        return float(digits)
    return int(digits)


def parsed(data):
    try:
        text = data.decode("utf-8")
        return json.loads(text, parse_constant=no_number, parse_int=integer)
    except (ValueError, RecursionError):
        raise Rejection(400, "the body is not JSON") from None


def plant_from(body):
    if not isinstance(body, dict):
        raise Rejection(400, "the body is not an object")
    name = body.get("name")
    if not isinstance(name, str):
        raise Rejection(400, "name must be a string")
    number = body.get("id")
    if not isinstance(number, int) or isinstance(number, bool):
        raise Rejection(400, "id must be an integer")
    if number < LEAST_INT64 or number > GREATEST_INT64:
        raise Rejection(400, "id must be an int64")
    plant = {"name": name}
    if "tag" in body:
        if not isinstance(body["tag"], str):
            raise Rejection(400, "tag must be a string")
        plant["tag"] = body["tag"]
    return number, plant


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "plants"
    sys_version = ""
    disable_nagle_algorithm = True
    wbufsize = -1
    timeout = 30

    def do_POST(self):
        self.is_read = False
        try:
            self.send(200, self.create())
        except Rejection as rejection:
            self.send(rejection.status, {"error": rejection.status, "message": rejection.message})
        except (ConnectionError, TimeoutError):
            self.close_connection = True
        except Exception:
            self.send(500, {"error": 500, "message": "something failed"})

    def create(self):
        path, _, _ = self.path.partition("?")
        body = self.read_body()
        if path != "/plants":
            raise Rejection(404, "there is only /plants")
        if not is_authorised(self.headers.get("Authorization")):
            raise Rejection(401, "a valid token is needed")
        if not is_json(self.headers.get("Content-Type")):
            raise Rejection(415, "the body must be JSON")
        number, plant = plant_from(parsed(body))
        with lock:
            plants[number] = plant
        return plant

    def read_body(self):
        if "chunked" in (self.headers.get("Transfer-Encoding") or "").lower():
            return self.read_chunks()
        length = self.headers.get("Content-Length") or "0"
        if not length.isdigit():
            raise Rejection(400, "Content-Length is not a number")
        if int(length) > MOST_BYTES:
            raise Rejection(413, "the body is too large")
        body = self.rfile.read(int(length))
        self.is_read = True
        return body

    def read_chunks(self):
        body = b""
        while True:
            size = self.rfile.readline(1_000).split(b";")[0].strip()
            if not re.fullmatch(rb"[0-9A-Fa-f]{1,8}", size):
                raise Rejection(400, "a chunk has no size")
            if len(body) + int(size, 16) > MOST_BYTES:
                raise Rejection(413, "the body is too large")
            if int(size, 16) == 0:
                break
            body += self.rfile.read(int(size, 16))
            self.rfile.readline(2)
        while self.rfile.readline(10_000).strip():
            pass
        self.is_read = True
        return body

    def send(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        if status == 401:
            self.send_header("WWW-Authenticate", "Bearer")
        if not self.is_read:
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()
        self.wfile.write(data)
        self.wfile.flush()

    def log_message(self, format, *arguments):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True


def main():
    Server(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()


if __name__ == "__main__":
    main()
