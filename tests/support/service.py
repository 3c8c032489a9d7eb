"""The service in a thread, and what tests ask of its responses."""

import threading
from contextlib import contextmanager

from medgraph.api.options import Options
from medgraph.api.server import Server, listen


@contextmanager
def running(service, options=None, proxy=None):
    """Run a server in a thread, and give its port."""
    server = Server(service, options or Options(), listen("127.0.0.1", 0), proxy)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield server
    finally:
        server.end()
        thread.join(30)
        assert not thread.is_alive()


JSON = {"Content-Type": "application/json"}


def problem(response, status):
    assert response.status_code == status, response.text
    assert response.content_type == "application/problem+json"
    body = response.get_json()
    assert body.keys() == {"type", "title", "status", "detail"}
    assert body["status"] == status
    return body["detail"]
