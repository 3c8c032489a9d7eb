"""One server of one folder, before there is one; `test_embedded.py` starts, kills and restores real ones."""

import socket
from dataclasses import replace

import pytest

from medgraph.errors import EmbeddedServerError, NoSpaceError, PortTakenError, SettingsError
from medgraph.server.conf import HOST
from medgraph.server.lifecycle import Lifecycle
from medgraph.settings import Settings
from tests.support.servers import free_port


@pytest.fixture
def given(tmp_path):
    return Settings(tmp_path, Settings.from_environment().cache, bolt_port=free_port(), http_port=free_port())


@pytest.fixture
def home(tmp_path):
    (tmp_path / "neo4j").mkdir()
    return tmp_path / "neo4j"


def lifecycle(given, home):
    return Lifecycle(given, home, lambda line: None)


def test_a_server_that_was_never_started(given, home):
    server = lifecycle(given, home)
    status = server.status()
    assert (server.find(), status.running, status.ready, status.pid) == (None, False, False, None)
    assert server.ports(None) == (given.bolt_port, given.http_port)
    assert status.bolt_uri.endswith(f":{given.bolt_port}")
    assert not server.stop()
    with pytest.raises(EmbeddedServerError, match=r"there is no server in .* yet; run `medgraph neo4j start`"):
        server.password()
    assert list(home.iterdir()) == []


def test_a_password_that_was_lost(given, home):
    (home / "data" / "databases" / "system").mkdir(parents=True)
    with pytest.raises(EmbeddedServerError, match="password is missing, and only it holds the server's password"):
        lifecycle(given, home).password()
    assert lifecycle(replace(given, neo4j_password="known to somebody"), home).password() == "known to somebody"
    (home / "password").write_text(" from the file \n")
    assert lifecycle(replace(given, neo4j_password="another"), home).password() == " from the file "


def test_a_start_is_refused_before_anything_is_made(given, home, monkeypatch):
    with pytest.raises(SettingsError, match="are both"):
        lifecycle(replace(given, http_port=given.bolt_port), home).start()
    with socket.create_server((HOST, given.bolt_port)), pytest.raises(PortTakenError):
        lifecycle(given, home).start()
    monkeypatch.setattr("shutil.disk_usage", lambda folder: type("Usage", (), {"free": 200_000_000}))
    with pytest.raises(NoSpaceError, match="needs 268 MB, and its disk has 200 MB left"):
        lifecycle(given, home).start()
    assert not (home / "password").exists()


@pytest.mark.parametrize("password", ["short", "with\nline ends"])
def test_a_first_password_that_cannot_be_set(given, home, password):
    with pytest.raises(SettingsError, match="NEO4J_PASSWORD needs at least 8 characters, all of them printable"):
        lifecycle(replace(given, neo4j_password=password), home).start()
