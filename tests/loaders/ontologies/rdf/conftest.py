"""Either parser of RDF, and no network."""

import socket
import sys

import pytest


@pytest.fixture(params=["fast", "rdflib alone"])
def parser(request, monkeypatch):
    """Runs a test by the fast parser, and again as if it were not installed."""
    if request.param == "rdflib alone":
        monkeypatch.setitem(sys.modules, "pyoxigraph", None)
    return request.param


@pytest.fixture(autouse=True)
def _offline(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("something was to be fetched")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
