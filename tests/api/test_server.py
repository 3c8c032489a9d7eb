"""The server: its address, its threads, and its end; with an application of these tests."""

import http.client
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from medgraph.api.server import THREADS, Server, listen
from medgraph.errors import InputError
from tests.support.service import connected, echo, fetch, received, running_app


class Gate:
    """An application that answers `/slow` only when it is let."""

    def __init__(self):
        self.begun, self.go_on = threading.Semaphore(0), threading.Event()

    def __call__(self, environ, start):
        if environ["PATH_INFO"] == "/slow":
            self.begun.release()
            assert self.go_on.wait(60)
        return echo(environ, start)


def test_addresses_that_cannot_be_had():
    taken = listen("0.0.0.0", 0)
    with taken, pytest.raises(InputError, match=r"cannot be served at: .*choose another --host or --port"):
        listen("0.0.0.0", taken.getsockname()[1])
    for host in ("no.such.host.invalid", "a" * 70):
        with pytest.raises(InputError, match="cannot be served at"):
            listen(host, 0)


def test_one_thread_is_left_while_others_work():
    gate = Gate()
    with running_app(gate) as server, ThreadPoolExecutor(THREADS) as pool:
        slow = [pool.submit(fetch, server.port, "/slow") for _ in range(THREADS - 1)]
        for _ in slow:
            assert gate.begun.acquire(timeout=60)
        assert fetch(server.port, "/healthz")[0].status == 200
        assert not any(future.done() for future in slow)
        gate.go_on.set()
        assert {future.result()[0].status for future in slow} == {200}


def test_what_is_being_answered_is_answered_before_the_end():
    gate = Gate()
    with running_app(gate) as server, ThreadPoolExecutor(1) as pool:
        idle = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        idle.request("GET", "/")
        idle.getresponse().read()
        slow = pool.submit(fetch, server.port, "/slow")
        assert gate.begun.acquire(timeout=60)
        server.end()
        assert idle.sock.recv(1) == b"", "what is idle is closed"
        with pytest.raises(ConnectionRefusedError):
            connected(server)
        assert not slow.done()
        gate.go_on.set()
        response, data = slow.result(60)
        assert (response.status, json.loads(data)["PATH_INFO"]) == (200, "/slow")
        assert response.headers["Connection"] == "close"
        idle.close()


def test_what_never_ends_does_not_keep_the_server_from_ending():
    gate = Gate()
    with running_app(gate, grace=0.2) as server:
        half = connected(server, b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1")
        stuck = connected(server, b"GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
        assert gate.begun.acquire(timeout=60)
        server.end()
        with suppress(ConnectionError):
            assert received(half) == received(stuck) == b""
    assert not gate.go_on.is_set()
    gate.go_on.set()
    half.close()
    stuck.close()


def test_a_server_that_is_told_to_end_before_it_runs_ends():
    server = Server(echo, listen("127.0.0.1", 0))
    server.end()
    server.run()
    server.end()
    with pytest.raises(ConnectionRefusedError):
        connected(server)
