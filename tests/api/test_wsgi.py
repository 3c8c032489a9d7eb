"""What reaches an application, and what it gives."""

import json
import logging
import threading

import pytest

from medgraph.api.wsgi import Reply, Workers, call
from tests.support.service import echo, exchange, fetch, running_app


def test_a_request_reaches_the_application_as_it_was_sent():
    with running_app(echo) as server:
        sent = (
            b"POST /a//b%23%2F%C3%A9?q=%C3%A9&x HTTP/1.1\r\nHost: h:1\r\nX-One: 1\r\nX-One: 2\r\nX_One: 3\r\n"
            b"Cookie: a\r\nCookie: b\r\nContent-Type: text/x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
            b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
        )
        told = json.loads(exchange(server.port, sent).partition(b"\r\n\r\n")[2])
    expected = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": "/a//b#/\xc3\xa9",
        "QUERY_STRING": "q=%C3%A9&x",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": "h:1",
        "HTTP_X_ONE": "1, 2",
        "HTTP_COOKIE": "a; b",
        "CONTENT_TYPE": "text/x",
        "CONTENT_LENGTH": "5",
        "REMOTE_ADDR": "127.0.0.1",
        "body": "abcde",
    }
    assert {key: told[key] for key in expected} == expected
    assert "HTTP_TRANSFER_ENCODING" not in told


@pytest.mark.parametrize(
    ("target", "path", "query"),
    [
        (b"http://h/a?b", "/a", "b"),
        (b"http://h", "/", ""),
        (b"//[", "//[", ""),
        (b"/a?b?http://x", "/a", "b?http://x"),
        (b"*", "*", ""),
    ],
)
def test_any_target_is_a_path_and_a_query(target, path, query):
    with running_app(echo) as server:
        sent = b"GET %b HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n" % target
        told = json.loads(exchange(server.port, sent).partition(b"\r\n\r\n")[2])
    assert (told["PATH_INFO"], told["QUERY_STRING"]) == (path, query)


def test_only_a_trusted_proxy_tells_who_asks():
    for proxy, expected in ((None, "127.0.0.1"), ("10.0.0.1", "127.0.0.1"), ("127.0.0.1", "192.0.2.7")):
        with running_app(echo, proxy=proxy) as server:
            told = json.loads(fetch(server.port, "/", **{"X-Forwarded-For": "198.51.100.1, 192.0.2.7"})[1])
        assert told["REMOTE_ADDR"] == expected
        assert "HTTP_X_FORWARDED_FOR" not in told


def test_a_head_has_no_body_and_no_server_is_named():
    with running_app(echo) as server:
        head, _, body = exchange(server.port, b"HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").partition(
            b"\r\n\r\n"
        )
    assert body == b""
    assert b"\r\nserver:" not in head.lower()
    assert b"\r\ndate:" in head.lower()


def test_an_application_that_fails_gets_a_problem_and_a_line_in_the_log(caplog):
    def broken(environ, start):
        raise RuntimeError("secret")

    with caplog.at_level(logging.ERROR), running_app(broken) as server:
        response, data = fetch(server.port, "/")
    assert response.status == json.loads(data)["status"] == 500
    assert b"secret" not in data
    assert "secret" in caplog.text


def test_what_an_application_writes_and_gives_is_one_body_and_what_it_holds_is_closed():
    closed = []

    class Given(list):
        def close(self):
            closed.append(True)

    def app(environ, start):
        write = start("404 Not Found", [("X-One", "1")])
        write(b"a")
        return Given([b"b", b"c"])

    assert call(app, {}, None) == Reply(404, "Not Found", (("X-One", "1"),), b"abc")
    assert closed == [True]


def test_workers_give_back_what_comes_of_a_job_and_go_on_after_one_that_fails():
    workers = Workers(1)
    with pytest.raises(ZeroDivisionError):
        workers.do(lambda: 1 / 0).result(60)
    assert workers.do(lambda: 5).result(60) == 5
    last = workers.do(lambda: 6)
    workers.close()
    assert last.result(60) == 6


def test_closing_waits_for_the_threads_but_not_for_one_that_hangs(monkeypatch):
    monkeypatch.setattr("medgraph.api.wsgi.LINGER", 0.2)
    before = set(threading.enumerate())
    workers, hung = Workers(3), threading.Event()
    stuck = workers.do(lambda: hung.wait(60))
    workers.close()
    (left,) = set(threading.enumerate()) - before
    assert not stuck.done()
    hung.set()
    left.join(60)
    assert stuck.result() is True
