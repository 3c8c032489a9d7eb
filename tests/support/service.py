"""The service in a thread, and what tests ask of its responses."""

import http.client
import json
import socket
import threading
from contextlib import contextmanager

from medgraph.answers.assembly import Assembly
from medgraph.api.app import Server, create_app, listen
from medgraph.api.service import AT_ONCE, PATIENCE, Service
from tests.support.answers import tells


def service_over(database, load_encoder, linker, at_once=AT_ONCE, patience=PATIENCE, **parts):
    """Make a service over a graph."""
    return Service(Assembly(database, load_encoder, linker, **{"load_emergencies": tells} | parts), at_once, patience)


@contextmanager
def running(service, options=None, proxy=None, **limits):
    """Run a service in a thread, and give its server."""
    with running_app(create_app(service, options), proxy=proxy, options=options, **limits) as server:
        yield server


@contextmanager
def running_app(app, **options):
    """Run an application in a thread, and give its server."""
    server = Server(app, listen("127.0.0.1", 0), **options)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield server
    finally:
        server.end()
        thread.join(30)
        assert not thread.is_alive()


KEY = "an example of a key 1".replace(" ", "-")
ASK = json.dumps({"question": "How is gout treated?"}).encode()
JSON = {"Content-Type": "application/json"}


def problem(response, status):
    assert response.status_code == status, response.text
    assert response.content_type == "application/problem+json"
    body = response.get_json()
    assert body.keys() == {"type", "title", "status", "detail"}
    assert body["status"] == status
    return body["detail"]


def exchange(port, sent, wait=20):
    """Send bytes, and give all that comes back until the other side closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=wait) as connection:
        connection.sendall(sent)
        parts = []
        while part := connection.recv(65_536):
            parts.append(part)
        return b"".join(parts)


def fetch(port, path, body=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("POST" if body else "GET", path, body, (JSON if body else {}) | headers)
    response = connection.getresponse()
    data = response.read()
    connection.close()
    return response, data


def echo(environ, start):
    """Give back what was sent."""
    body = environ["wsgi.input"].read()
    facts = {key: value for key, value in environ.items() if isinstance(value, str)}
    start("200 OK", [("Content-Type", "application/json")])
    return [json.dumps(facts | {"body": body.decode("latin-1")}).encode()]


def connected(server, sent=b""):
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=60)
    connection.sendall(sent)
    return connection


def received(connection):
    parts = []
    while part := connection.recv(65_536):
        parts.append(part)
    return b"".join(parts)
