"""A server on this machine that speaks OpenAI's chat API, whole and streamed, and answers by a script.

`with Scripted(says("Rest."), status(429)) as server:` each request takes the next step, and the last step stays.
A step may be a function of the request's body that gives a step.
"""

import json
import time
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread

NAME = "scripted-1"


@dataclass
class Step:
    """What the server does with one request."""

    text: str = ""
    finish: str | None = "stop"
    model: str = NAME
    code: int = 200
    headers: dict = field(default_factory=dict)
    error: dict | None = None  # the body of an error
    raw: bytes | None = None  # a body that is sent as it stands
    pieces: tuple | None = None  # how a stream cuts the text; words by default
    usage: bool = True
    turn: dict = field(default_factory=dict)  # more of the message, such as tool calls
    cut_after: int | None = None  # pieces after which a stream breaks off
    silent: float = 0  # seconds before anything is sent
    between: float = 0  # seconds between two pieces


def says(text, **more):
    return Step(text if isinstance(text, str) else json.dumps(text), **more)


def status(number, message="no", retry_after=None, **error):
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return Step(code=number, headers=headers, error={"message": message, **error})


def cut(text, after=2):
    return Step(text, cut_after=after)


def garbage(raw=b"<html>not JSON"):
    return Step(raw=raw)


def silence(seconds):
    return Step("too late", silent=seconds)


def nothing(tokens=1000):
    return Step(" " * tokens, pieces=(" ",) * tokens, finish="length")


def tool_calls():
    calls = [
        {"index": n, "id": f"c{n}", "type": "function", "function": {"name": "f", "arguments": "{}"}} for n in (0, 1)
    ]
    return Step(finish="tool_calls", turn={"tool_calls": calls})


def filtered(text=""):
    return Step(text, finish="content_filter")


class Scripted:
    """The server; `requests` are the bodies that came, `headers` their headers; `left` is set when a client goes."""

    def __init__(self, *steps):
        self._steps, self.lock = list(steps), Lock()
        self.requests, self.headers = [], []
        self.now, self.most = 0, 0  # calls that are being answered, and the most at once
        self.left = Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.script = self
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self):
        Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def environment(self, key="sk-of-the-tests-0123456789"):
        """The variables with which the adapter finds the server."""
        return {"OPENAI_BASE_URL": self.url, "OPENAI_API_KEY": key, "MEDGRAPH_MODEL": f"openai:{NAME}"}

    def take(self, body, headers):
        with self.lock:
            self.requests.append(body)
            self.headers.append(headers)
            step = self._steps.pop(0) if len(self._steps) > 1 else self._steps[0]
        while not isinstance(step, Step):
            step = step(body)
        return step


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        script = self.server.script
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with script.lock:
            self.counts = True
            script.now += 1
            script.most = max(script.most, script.now)
        try:
            self._answer(script.take(body, self.headers), body)
        except OSError:
            script.left.set()
        finally:
            self._done()

    def _done(self):
        """Count the call as answered, before the client can know that it is."""
        with self.server.script.lock:
            self.server.script.now -= self.counts
            self.counts = False

    def _answer(self, step, body):
        if not self.path.endswith("/chat/completions"):
            step = status(404, f"nothing at {self.path}")
        time.sleep(step.silent)
        if step.error is not None:
            self._send(step.code, json.dumps({"error": step.error}).encode(), step.headers)
        elif step.raw is not None and not body.get("stream"):
            self._send(step.code, step.raw)
        elif body.get("stream"):
            self._stream(step, body)
        elif step.cut_after is not None:
            self._send(200, whole(step, body)[:40], {"Content-Length": "4000"})
        else:
            self._send(200, whole(step, body))

    def _send(self, code, data, headers=()):
        self._done()
        self.send_response(code)
        headers = {"Content-Type": "application/json", "Content-Length": str(len(data)), **dict(headers)}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, step, body):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for number, event in enumerate(events(step, body)):
            if number == step.cut_after:
                self.wfile.flush()
                self.connection.close()
                return
            self._event(event)
            time.sleep(step.between)
        self._done()
        self.wfile.write(b"0\r\n\r\n")

    def _event(self, event):
        data = b"data: " + (event if isinstance(event, bytes) else json.dumps(event).encode()) + b"\n\n"
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def finish(self):
        with suppress(OSError):
            super().finish()


def counted(step, body):
    read = sum(len(message["content"].split()) for message in body["messages"])
    written = len(step.text.split())
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


def whole(step, body):
    message = {"role": "assistant", "content": step.text or None, **step.turn}
    made = {"id": "x", "object": "chat.completion", "created": 0, "model": step.model}
    made["choices"] = [{"index": 0, "message": message, "finish_reason": step.finish}]
    return json.dumps(made | ({"usage": counted(step, body)} if step.usage else {})).encode()


def events(step, body):
    """Yield the events of a stream: the pieces, how it ended, what it took, and the mark of the end."""
    if step.raw is not None:
        yield step.raw
        return
    head = {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": step.model}
    words = step.text.split(" ")
    pieces = step.pieces or [word + " " * (n < len(words) - 1) for n, word in enumerate(words)]
    for piece in pieces:
        yield head | {"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]}
    yield head | {"choices": [{"index": 0, "delta": step.turn, "finish_reason": step.finish}]}
    if step.usage and body.get("stream_options", {}).get("include_usage"):
        yield head | {"choices": [], "usage": counted(step, body)}
    yield b"[DONE]"


def result(line, step):
    """Answer a line of a batch file as the service does."""
    body = json.loads(whole(step, line["body"])) if step.error is None else {"error": step.error}
    response = {"status_code": step.code, "request_id": "x", "body": body}
    return {"id": "batch_req_x", "custom_id": line["custom_id"], "response": response, "error": None}
