"""The server: its address, what is no request, slow clients, and its end; with an application of these tests."""

import http.client
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from medgraph.api.app import BODY_READ, HEADERS, listen
from medgraph.errors import InputError
from tests.support.service import connected, echo, exchange, fetch, received, running_app


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


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"y" * HEADERS + b"\r\n\r\n", 431),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % (2 * BODY_READ), 413),
        (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: magic\r\n\r\n", 501),
        (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", 400),
    ],
)
def test_what_is_no_request_is_refused(sent, status):
    with running_app(echo) as server:
        head = exchange(server.port, sent).partition(b"\r\n\r\n")[0]
        assert head.startswith(b"HTTP/1.")
        assert f" {status} ".encode() in head.splitlines()[0]
        assert b"server:" not in head.lower()
        assert fetch(server.port, "/")[0].status == 200


def test_a_body_that_never_stops_is_refused():
    with running_app(echo) as server, connected(server) as endless:
        endless.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        with suppress(ConnectionError):
            for _ in range(BODY_READ // 65_536 + 2):
                endless.sendall(b"10000\r\n" + b"x" * 65_536 + b"\r\n")
        with suppress(ConnectionError):
            assert received(endless).startswith(b"HTTP/1.1 413 ")
        assert fetch(server.port, "/")[0].status == 200


def test_only_a_trusted_proxy_tells_who_asks():
    for proxy, expected in ((None, "127.0.0.1"), ("10.0.0.1", "127.0.0.1"), ("127.0.0.1", "192.0.2.7")):
        with running_app(echo, proxy=proxy) as server:
            told = json.loads(fetch(server.port, "/", **{"X-Forwarded-For": "198.51.100.1, 192.0.2.7"})[1])
        assert told["REMOTE_ADDR"] == expected


def test_clients_that_are_slow_or_gone_hold_nobody_up():
    with running_app(echo) as server:
        request = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 20\r\nConnection: close\r\n\r\n" + b"x" * 20
        slow = [connected(server, request[: 10 + number]) for number in range(60)]
        for _ in range(10):
            connected(server, request).close()
        assert fetch(server.port, "/", b"beside them")[0].status == 200
        for number, connection in enumerate(slow):  # and each of them is answered once it has said all
            connection.sendall(request[10 + number :])
            assert received(connection).startswith(b"HTTP/1.1 200 OK")
            connection.close()


@pytest.mark.thorough
@pytest.mark.parametrize("sent", [b"", b"POST / HTTP/1.1\r\nHo", b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"])
def test_a_connection_on_which_nothing_comes_is_closed(sent):
    with running_app(echo, idle=1) as server, connected(server, sent) as idle:
        assert received(idle).startswith(b"HTTP/1.1 200 OK" if sent.startswith(b"GET") else b"")


@pytest.mark.thorough
def test_a_client_that_does_not_read_is_dropped():
    def large(environ, start):
        start("200 OK", [])
        return [b"x" * 50_000_000]

    with running_app(large, idle=1) as server:
        deaf = connected(server, b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        threading.Event().wait(4)
        with deaf, suppress(ConnectionError):
            assert len(received(deaf)) < 50_000_000


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
