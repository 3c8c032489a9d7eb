"""A server of files that does what servers on the way do: cuts lines, stalls, redirects, changes files, packs them."""

import gzip
import hashlib
import http.server
import re
import threading
import time
from contextlib import contextmanager, suppress
from email.utils import formatdate

BLOCK = 1 << 16


class Site(http.server.ThreadingHTTPServer):
    """Files by path, and by path the faults of the next requests, each a name or a name and a number.

    `without` names what its answers lack: `etag`, `modified`, `length`, `ranges`, and `care` for versions. They may be
    `chunked`, and `packed`: in fact (`gzip`), or by what is said alone (`x-gzip`).
    """

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files, self.faults, self.requests, self.sent = {}, {}, [], 0
        self.without, self.chunked, self.packed, self.seconds_per_block = set(), False, "", 0.0
        self.answers = {}  # functions of a form's fields, by path
        self.lock = threading.Lock()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def count(self, path):
        return sum(1 for asked, *_ in self.requests if asked == path)

    def take(self, path):
        with self.lock:
            waiting = self.faults.get(path) or [None]
            return waiting.pop(0)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        form = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.requests.append((self.path, form, time.monotonic()))
        status, body = self.server.answers[self.path](form)
        self._begin(status, {"Content-Length": str(len(body))})
        self.wfile.write(body)

    def do_GET(self):
        path, site = self.path.partition("?")[0], self.server
        site.requests.append((self.path, self.headers.get("Range", ""), dict(self.headers)))
        fault = site.take(path)
        kind, number = fault if isinstance(fault, tuple) else (fault, 0)
        if kind == "status":
            self._begin(number, {"Content-Length": "0", "Retry-After": "0"})
        elif kind == "to":
            self._begin(302, {"Location": number, "Content-Length": "0"})
        elif kind == "close":
            self.close_connection = True
        elif path not in site.files:
            self._begin(404, {"Content-Length": "0"})
        else:
            self._give(site.files[path], kind, number)

    def _give(self, data, kind, number):
        site = self.server
        headers = {"ETag": f'"{hashlib.sha256(data).hexdigest()[:12]}"', "Last-Modified": formatdate(0, usegmt=True)}
        headers = {name: value for name, value in headers.items() if name.split("-")[-1].lower() not in site.without}
        if "ETag" in headers and headers["ETag"] == self.headers.get("If-None-Match"):
            self._begin(304, headers)
            return
        if site.packed:
            headers["Content-Encoding"] = site.packed
            data = gzip.compress(data, mtime=0) if site.packed == "gzip" else data
        found = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        start = int(found[1]) if found and "ranges" not in site.without else 0
        same = self.headers.get("If-Range") in {None, headers.get("ETag"), headers.get("Last-Modified")}
        start = start if same or "care" in site.without else 0
        if start > len(data):
            self._begin(416, {"Content-Length": "0"})
            return
        if start:
            start -= kind == "shift"
            headers["Content-Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
        if site.chunked:
            headers["Transfer-Encoding"] = "chunked"
        elif "length" in site.without:
            headers["Connection"] = "close"
        else:
            headers["Content-Length"] = str(len(data) - start)
        self._begin(206 if start else 200, headers)
        end = min(len(data), start + number) if kind in {"cut", "stall"} else len(data)
        with suppress(ConnectionError):
            self._write(data[start:end], whole=kind not in {"cut", "stall"})
            if kind == "stall":
                time.sleep(3)
        if kind in {"cut", "stall"} or "length" in site.without:
            self.close_connection = True

    def _write(self, data, *, whole):
        for at in range(0, len(data), BLOCK):
            block = data[at : at + BLOCK]
            self.server.sent += len(block)
            self.wfile.write(b"%x\r\n%s\r\n" % (len(block), block) if self.server.chunked else block)
            time.sleep(self.server.seconds_per_block)
        if self.server.chunked and whole:
            self.wfile.write(b"0\r\n\r\n")

    def _begin(self, status, headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *args):
        pass

    def handle(self):
        with suppress(ConnectionError):
            super().handle()


@contextmanager
def serving():
    """Run such a server for a while."""
    server = Site()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
