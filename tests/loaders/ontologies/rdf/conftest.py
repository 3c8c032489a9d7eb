"""No network."""

import socket

import pytest


@pytest.fixture(autouse=True)
def _offline(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("something was to be fetched")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
