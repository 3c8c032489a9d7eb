"""A connection: what is no request, what clients may take of space and time, and slow ones."""

import json
import threading
from contextlib import suppress

import pytest

from medgraph.api.connection import Limits
from tests.support.service import connected, echo, exchange, fetch, received, running_app

LIMITS = Limits()


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"y" * LIMITS.headers, 431),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % (2 * LIMITS.body_read), 413),
        (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: magic\r\n\r\n", 501),
        (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", 400),
    ],
)
def test_what_is_no_request_gets_a_problem(sent, status):
    with running_app(echo) as server:
        head, _, body = exchange(server.port, sent).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.")
        assert f" {status} ".encode() in head.splitlines()[0]
        assert b"application/problem+json" in head
        assert b"Content-Security-Policy: default-src 'none'" in head
        assert json.loads(body)["status"] == status
        assert fetch(server.port, "/")[0].status == 200


def test_a_body_that_never_stops_is_refused():
    with running_app(echo) as server, connected(server) as endless:
        endless.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        with suppress(ConnectionError):
            for _ in range(LIMITS.body_read // 65_536 + 2):
                endless.sendall(b"10000\r\n" + b"x" * 65_536 + b"\r\n")
        assert received(endless).startswith(b"HTTP/1.1 413 ")


def test_a_body_larger_than_is_kept_reaches_the_application_by_its_length_alone():
    with running_app(echo) as server:
        for size, kept in ((LIMITS.body, LIMITS.body), (LIMITS.body + 1, 0)):
            told = json.loads(fetch(server.port, "/", b"x" * size)[1])
            assert (told["CONTENT_LENGTH"], len(told["body"])) == (str(size), kept)


def test_a_connection_is_kept_and_requests_may_be_sent_ahead():
    with running_app(echo) as server, connected(server) as kept:
        one = b"GET /%d HTTP/1.1\r\nHost: a\r\n%b\r\n"
        kept.sendall(one % (1, b"") + one % (2, b"") + one % (3, b"Connection: close\r\n"))
        answers = received(kept)
    assert answers.count(b"HTTP/1.1 200 OK") == 3
    assert [answers.index(b'"PATH_INFO": "/%d"' % n) for n in (1, 2, 3)] == sorted(
        answers.index(b'"PATH_INFO": "/%d"' % n) for n in (1, 2, 3)
    )


def test_a_client_that_waits_to_be_told_is_told_to_go_on():
    with running_app(echo) as server, connected(server) as waiting:
        waiting.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
        assert waiting.recv(100).startswith(b"HTTP/1.1 100 ")
        waiting.sendall(b"ok")
        assert waiting.recv(100).startswith(b"HTTP/1.1 200 ")


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


def test_a_request_that_is_sent_byte_by_byte_is_answered():
    with running_app(echo) as server, connected(server) as dribbling:
        for byte in b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n":
            dribbling.sendall(bytes([byte]))
        assert received(dribbling).startswith(b"HTTP/1.1 200 OK")


def test_a_request_that_does_not_come_to_its_end_is_dropped():
    with running_app(echo, limits=Limits(arrival=0.3)) as server, connected(server) as dribbling:
        dribbling.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")

        def dribble():
            for _ in range(1000):
                dribbling.sendall(b"1")
                threading.Event().wait(0.05)

        with pytest.raises(ConnectionError):
            dribble()
        assert fetch(server.port, "/")[0].status == 200


def test_a_connection_on_which_nothing_comes_is_closed():
    with running_app(echo, limits=Limits(idle=0.2)) as server:
        for sent in (b"", b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"):
            with connected(server, sent) as idle:
                assert received(idle).startswith(b"HTTP/1.1 200 OK" if sent else b"")


def test_a_client_that_does_not_read_is_dropped():
    def large(environ, start):
        start("200 OK", [])
        return [b"x" * 50_000_000]

    with running_app(large, limits=Limits(idle=0.2)) as server:
        deaf = connected(server, b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        threading.Event().wait(1)
        with deaf, suppress(ConnectionError):
            assert len(received(deaf)) < 50_000_000
