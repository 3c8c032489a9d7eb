"""The embedded server, for real: started, killed, dumped and restored; one server serves most tests."""

import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from dataclasses import replace

import neo4j
import psutil
import pytest

from medgraph.errors import (
    AuthenticationError,
    DataVersionError,
    EmbeddedServerError,
    NoSpaceError,
    PortTakenError,
    SettingsError,
    StartupError,
)
from medgraph.server import process as server_process
from medgraph.server import store
from medgraph.server.embedded import EmbeddedNeo4j
from medgraph.server.process import NEO4J_VERSION
from medgraph.settings import Settings
from tests.support.servers import at, free_ports, surroundings


def make_settings(home, **changes):
    given = {"heap": "500m", "page_cache": "64m"} | changes
    return at(Settings(home, Settings.from_environment().cache), home, **given)


def query(server, text, password=None):
    auth = ("neo4j", password or server.password())
    with neo4j.GraphDatabase.driver(server.bolt_uri, auth=auth) as driver:
        return [record.values() for record in driver.execute_query(text).records]


def home_of(server):
    return server.status().home


def in_another_process(settings, call):
    """Run a method of a server with these settings in a Python of its own."""
    code = f"from medgraph.server.embedded import EmbeddedNeo4j; from medgraph.settings import Settings; {call}"
    return subprocess.Popen([sys.executable, "-c", code], env=surroundings(settings), stdout=subprocess.PIPE, text=True)


START = "print(EmbeddedNeo4j(Settings.from_environment(), print).start().pid)"


def wait_for(condition):
    while not (found := condition()):
        time.sleep(0.02)
    return found


def kill(pid):
    process = psutil.Process(pid)
    process.kill()
    wait_for(lambda: not server_process.is_alive(process))


@contextmanager
def listening():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        sock.listen()
        yield sock.getsockname()[1]


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    return make_settings(tmp_path_factory.mktemp("Müller's home"))


@pytest.fixture(scope="module")
def lines():
    return []


@pytest.fixture(scope="module")
def running(settings, lines):
    server = EmbeddedNeo4j(settings, lines.append)
    yield server
    server.stop()


@pytest.fixture
def server(running, lines):
    """The server, running, with an empty database, whatever the last test did to it."""
    running.start()
    query(running, "MATCH (n) DETACH DELETE n")
    lines.clear()
    return running


@pytest.fixture
def stopped(running):
    """The server, not running; its folder may have one that ran before."""
    running.stop()
    return running


# What a running server is like


def test_status_tells_where_the_server_is_and_that_it_answers(server, settings):
    status = server.status()
    assert (status.running, status.ready, status.version) == (True, True, NEO4J_VERSION)
    assert status.bolt_uri == server.bolt_uri == f"bolt://127.0.0.1:{settings.bolt_port}"
    assert status.http_uri == f"http://127.0.0.1:{settings.http_port}"
    assert psutil.Process(status.pid).name() == "java"
    assert os.getsid(status.pid) == status.pid, "it would end with the terminal"
    assert query(server, "CALL dbms.components() YIELD name, versions WHERE name = 'Neo4j Kernel' RETURN versions") == [
        [[NEO4J_VERSION]]
    ]


def test_server_listens_to_this_machine_only(server, settings):
    connections = psutil.Process(server.status().pid).net_connections()
    found = {(c.laddr.ip.removeprefix("::ffff:"), c.laddr.port) for c in connections if c.status == "LISTEN"}
    assert found == {("127.0.0.1", settings.bolt_port), ("127.0.0.1", settings.http_port)}
    assert not [c for c in connections if c.type == socket.SOCK_DGRAM]


def test_browser_is_served_with_the_connection_filled_in_and_may_reach_nothing_outside(server, settings):
    uri = server.status().browser_uri
    assert uri.endswith(f"/browser/?dbms=bolt://neo4j@127.0.0.1:{settings.bolt_port}")
    with urllib.request.urlopen(uri) as response:
        policy = response.headers["Content-Security-Policy"]
        assert response.status == 200
        assert "Neo4j Browser" in response.read().decode()
    hosts = re.findall(r"//([\w.]+)", policy) + re.findall(r"\w+\.\w+\.\w+", policy)
    assert "default-src 'self'" in policy
    assert set(hosts) <= {"127.0.0.1", "localhost", "127.0.0"}
    assert "http:" not in policy.split()


def test_settings_that_speak_to_the_outside_are_off_and_memory_and_logs_are_bounded(server):
    found = dict(query(server, "SHOW SETTINGS YIELD name, value"))
    for name in ("dbms.usage_report.enabled", "client.allow_telemetry", "server.fleet_discovery.enabled"):
        assert found[name] == "false", name
    assert found["dbms.security.auth_enabled"] == "true"
    assert found["dbms.memory.transaction.total.max"] == "300.00MiB"
    assert found["server.memory.pagecache.size"] == "64.00MiB"
    assert found["db.tx_log.rotation.size"] == "64.00MiB"


def test_folder_is_its_owners_alone(server):
    home = home_of(server)
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert stat.S_IMODE((home / "password").stat().st_mode) == 0o600
    assert not (home / "conf" / "first-password").exists()
    assert len(server.password()) >= 20


def test_wrong_password_is_refused_by_the_server(server):
    with pytest.raises(neo4j.exceptions.AuthError):
        query(server, "RETURN 1", "wrong-password")


def test_start_of_a_running_server_returns_it(server):
    before = server.status()
    assert before.ready
    assert server.start() == before


def test_other_ports_do_not_make_a_second_server(server, settings, lines):
    bolt, http = free_ports(2)
    other = EmbeddedNeo4j(replace(settings, bolt_port=bolt, http_port=http), lines.append)
    assert other.start() == server.status()
    assert other.bolt_uri == server.bolt_uri
    assert f"runs on ports {settings.bolt_port} and {settings.http_port} already" in lines[-1]


def test_folder_by_another_name_is_the_same_server(server, settings, tmp_path):
    (tmp_path / "link").symlink_to(settings.home)
    assert EmbeddedNeo4j(replace(settings, home=tmp_path / "link")).status().pid == server.status().pid


# Kills, and two at once


@pytest.mark.thorough
def test_killed_server_loses_nothing_that_was_committed(server, lines):
    query(server, "UNWIND range(1, 1000) AS i CREATE (:Kept {i: i})")
    os.kill(server.status().pid, signal.SIGKILL)
    assert server.start().ready
    assert any("killed" in line for line in lines)
    assert query(server, "MATCH (n:Kept) RETURN count(n), sum(n.i)") == [[1000, 500500]]


@pytest.mark.thorough
def test_stale_pid_file_is_not_believed_and_its_process_is_left_alone(server):
    kill(server.status().pid)
    with subprocess.Popen(["sleep", "60"]) as stranger:
        server_process.pid_file(home_of(server)).write_text(str(stranger.pid))
        status = server.status()
        assert (status.running, status.ready, status.pid) == (False, False, None)
        assert not server.stop()
        status = server.start()
        assert status.ready
        assert status.pid != stranger.pid
        assert stranger.poll() is None
        stranger.kill()


@pytest.mark.thorough
def test_stop_does_not_wait_for_a_server_that_hangs(server):
    process = psutil.Process(server.status().pid)
    process.send_signal(signal.SIGSTOP)
    assert server.stop(timeout=1)
    assert not process.is_running() or process.status() == psutil.STATUS_ZOMBIE  # which its parent has not seen yet
    assert not server.stop()


@pytest.mark.thorough
def test_client_killed_while_it_starts_the_server_leaves_one_that_is_adopted(stopped, settings):
    client = in_another_process(settings, START)
    orphan = wait_for(lambda: server_process.find_server(home_of(stopped)))
    client.kill()
    client.communicate()
    assert stopped.start().pid == orphan.pid


# Passwords


@pytest.mark.thorough
def test_lost_password_can_be_given_again_and_the_data_be_saved_without_it(server, settings, tmp_path):
    file = home_of(server) / "password"
    password = server.password()
    file.unlink()
    with pytest.raises(EmbeddedServerError, match=r"password is missing.*NEO4J_PASSWORD.*neo4j dump FILE"):
        server.start()
    assert not server.status().ready
    assert server.stop()
    server.dump(tmp_path / "saved.dump")
    assert (tmp_path / "saved.dump").stat().st_size > 1000
    assert EmbeddedNeo4j(replace(settings, neo4j_password=password)).start().ready
    assert file.read_text() == password + "\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.thorough
def test_password_changed_in_the_server_is_asked_for_and_taken_on(server, settings):
    old = server.password()
    query(server, f"ALTER CURRENT USER SET PASSWORD FROM '{old}' TO 'changed-by-hand'")
    with pytest.raises(AuthenticationError, match=r"password in .*/password; .* set NEO4J_PASSWORD"):
        server.start()
    assert EmbeddedNeo4j(replace(settings, neo4j_password="changed-by-hand")).start().ready
    assert server.password() == "changed-by-hand"
    assert server.start().ready


@pytest.mark.parametrize("password", ["short", "with\nnewline"])
def test_password_that_the_server_would_refuse_is_refused_before(tmp_path, password):
    with pytest.raises(SettingsError, match="NEO4J_PASSWORD needs at least 8 characters"):
        EmbeddedNeo4j(make_settings(tmp_path, neo4j_password=password)).start()


def test_password_before_the_first_start_says_what_to_do(tmp_path):
    with pytest.raises(EmbeddedServerError, match="run `medgraph neo4j start`"):
        EmbeddedNeo4j(make_settings(tmp_path)).password()


# Dumps


@pytest.fixture(scope="module")
def old_dump(running, tmp_path_factory):
    """A dump of two nodes called Old and the relation between them."""
    running.start()
    query(running, "MATCH (n) DETACH DELETE n")
    query(running, "CREATE (:Old)-[:R]->(:Old)")
    path = tmp_path_factory.mktemp("dumps") / "old.dump"
    running.dump(path)
    return path


def labels(server):
    return [row[0] for row in query(server, "MATCH (n) RETURN labels(n)[0] AS label ORDER BY label")]


@pytest.mark.slow
def test_dump_and_restore_bring_the_data_back_and_leave_the_server_running(old_dump, server):
    assert server.status().ready
    assert [path.name for path in old_dump.parent.iterdir()] == ["old.dump"]
    query(server, "CREATE (:New)")
    server.restore(old_dump)
    assert server.status().ready
    assert labels(server) == ["Old", "Old"]
    assert query(server, "MATCH (:Old)-[r]->(:Old) RETURN type(r)") == [["R"]]
    assert not (home_of(server) / "restore").exists()


def test_dump_does_not_overwrite_a_file(old_dump, server):
    pid, before = server.status().pid, old_dump.read_bytes()
    with pytest.raises(EmbeddedServerError, match=r"old\.dump exists already; delete it, or choose another name"):
        server.dump(old_dump)
    assert old_dump.read_bytes() == before
    assert server.status().pid == pid


@pytest.mark.thorough
@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-500],
        pytest.param(lambda data: b"no dump at all", marks=pytest.mark.thorough),
        pytest.param(lambda data: b"", marks=pytest.mark.thorough),
    ],
    ids=["cut off", "no dump", "empty"],
)
def test_restore_of_a_damaged_dump_does_not_even_stop_the_server(old_dump, server, tmp_path, damage):
    damaged = tmp_path / "damaged.dump"
    damaged.write_bytes(damage(old_dump.read_bytes()))
    query(server, "CREATE (:Precious)")
    pid = server.status().pid
    with pytest.raises(EmbeddedServerError, match=r"damaged\.dump could not be restored, the database is as it was"):
        server.restore(damaged)
    assert labels(server) == ["Precious"]
    assert server.status().pid == pid


@pytest.mark.thorough
def test_restore_of_what_the_server_cannot_open_is_undone(old_dump, server, monkeypatch):
    query(server, "CREATE (:Precious)")
    load_beside = store.load_staged

    def load_and_damage(admin, path):
        load_beside(admin, path)
        (admin.home / "restore" / "new" / "data" / "databases" / "neo4j" / "neostore").write_bytes(b"junk")

    monkeypatch.setattr(store, "load_staged", load_and_damage)
    with pytest.raises(
        EmbeddedServerError, match=r"the database is as it was: the server cannot open its database; .*"
    ):
        server.restore(old_dump)
    assert server.status().ready
    assert labels(server) == ["Precious"]


@pytest.mark.thorough
def test_restore_killed_half_way_is_undone_and_one_killed_after_the_exchange_is_completed(
    old_dump, server, lines, tmp_path
):
    query(server, "CREATE (:Precious)")
    home, admin = home_of(server), server._server.admin()
    server.stop()
    store.load_staged(admin, old_dump)
    loaded = shutil.copytree(home / "restore", tmp_path / "loaded")
    (home / "restore" / "old").mkdir()
    (home / "data" / "databases" / "neo4j").rename(home / "restore" / "old" / "databases")
    assert server.start().ready
    assert labels(server) == ["Precious"]
    server.stop()
    shutil.copytree(loaded, home / "restore")
    store.exchange(home)
    assert server.start().ready
    assert "an interrupted restore was completed" in lines
    assert labels(server) == ["Old", "Old"]
    assert not (home / "restore").exists()


@pytest.mark.thorough
def test_client_killed_in_the_last_moment_of_a_restore_does_not_undo_what_is_written_since(old_dump, server, settings):
    query(server, "CREATE (:Precious)")
    restore = "EmbeddedNeo4j(Settings.from_environment()).restore"
    client = in_another_process(settings, f"import pathlib; {restore}(pathlib.Path({str(old_dump)!r}))")
    home = home_of(server)
    wait_for((home / "restore" / "exchanged").exists)
    wait_for(lambda: server_process.find_server(home))
    client.kill()
    client.communicate()
    assert server.start().ready
    query(server, "CREATE (:New)")
    server.stop()
    server.start()
    assert labels(server) == ["New", "Old", "Old"]


def test_dump_and_restore_of_nothing_say_so(tmp_path):
    server = EmbeddedNeo4j(make_settings(tmp_path))
    with pytest.raises(EmbeddedServerError, match=r"there is no database in .* run `medgraph neo4j start`"):
        server.dump(tmp_path / "graph.dump")
    with pytest.raises(EmbeddedServerError, match="nowhere is not a folder"):
        server.dump(tmp_path / "nowhere" / "graph.dump")
    with pytest.raises(EmbeddedServerError, match=r"graph.dump is not a file; name one that"):
        server.restore(tmp_path / "graph.dump")


# Starts that cannot succeed; none of these reaches a running server


@pytest.mark.parametrize(
    ("field", "setting"), [("bolt_port", "MEDGRAPH_BOLT_PORT"), ("http_port", "MEDGRAPH_HTTP_PORT")]
)
def test_taken_port_is_named_with_its_setting_and_its_holder(tmp_path, field, setting):
    with listening() as port:
        server = EmbeddedNeo4j(make_settings(tmp_path, **{field: port}))
        with pytest.raises(
            PortTakenError, match=rf"port {port} is taken by .*process {os.getpid()}: .* set {setting} to"
        ):
            server.start()
    assert not server.status().running


@pytest.mark.parametrize("version", ["2099.01.0", "2026.99.0", "2025.12.1", "5.26.0", "what?"])
def test_data_of_another_version_is_refused(tmp_path, version):
    (tmp_path / "neo4j").mkdir()
    (tmp_path / "neo4j" / "version").write_text(version)
    with pytest.raises(
        DataVersionError, match=rf"written by Neo4j {re.escape(version)}, .*set MEDGRAPH_HOME .*neo4j dump"
    ):
        EmbeddedNeo4j(make_settings(tmp_path)).start()


def test_full_disk_is_found_before_the_server_is_started(tmp_path, monkeypatch):
    usage = type("Usage", (), {"free": 5_000_000})
    monkeypatch.setattr("shutil.disk_usage", lambda path: usage)
    server = EmbeddedNeo4j(make_settings(tmp_path))
    with pytest.raises(
        NoSpaceError, match=r"needs 268 MB, and its disk has 5 MB left; make room, or set MEDGRAPH_HOME"
    ):
        server.start()
    assert not server.status().running


@pytest.mark.thorough
@pytest.mark.server
def test_server_that_dies_at_once_is_reported_with_what_it_said(tmp_path):
    server = EmbeddedNeo4j(make_settings(tmp_path, heap="1m"))
    with pytest.raises(
        StartupError, match=r"(?s)the server ended while it started; .*/logs says:.*Too small maximum heap"
    ):
        server.start()
    assert not server.status().running


def test_home_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingsError, match="set MEDGRAPH_HOME to a folder that you may write to"):
        EmbeddedNeo4j(make_settings(tmp_path / "file")).start()


# Configuration


@pytest.mark.parametrize(("gigabytes", "sizes"), [(2, ("512m", "128m")), (4, ("1g", "512m")), (24, ("2g", "1g"))])
def test_memory_follows_the_machine(tmp_path, gigabytes, sizes):
    settings = make_settings(tmp_path, heap=None, page_cache=None)
    assert server_process.memory_sizes(settings, gigabytes << 30) == sizes
    assert server_process.memory_sizes(replace(settings, heap="3g"), gigabytes << 30) == ("3g", sizes[1])


@pytest.mark.parametrize(
    ("field", "name"), [("heap", "MEDGRAPH_NEO4J_HEAP"), ("page_cache", "MEDGRAPH_NEO4J_PAGECACHE")]
)
@pytest.mark.parametrize("value", ["lots", "0m", "2 g", "1g\nserver.https.enabled=true"])
def test_sizes_that_are_none_are_refused(tmp_path, field, name, value):
    with pytest.raises(SettingsError, match=f"{name} is .*; set it to a size such as 1g"):
        server_process.configuration(make_settings(tmp_path, **{field: value}))
