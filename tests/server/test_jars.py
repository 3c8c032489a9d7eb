"""The server's jars: the lock, and every way in which fetching them can go wrong, against a real HTTP server."""

import hashlib
import http.server
import os
import re
import threading
import time
from contextlib import suppress

import pytest

from medgraph.errors import ChecksumError, DownloadError, NoSpaceError, SettingsError
from medgraph.server import fetch
from medgraph.server.jars import LOCK, cached_jars, fetch_jars, find_java, read_lock
from medgraph.settings import Settings

SIZES = {"alpha": 90_000, "beta": 500_000, "gamma": 40_000}


class Repository(http.server.ThreadingHTTPServer):
    """A Maven repository of three jars that can be told to break off, to lie, or to dawdle."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files = {f"/org/example/{name}/1/{name}-1.jar": os.urandom(size) for name, size in SIZES.items()}
        self.requests = []
        self.break_after = None
        self.seconds_per_block = 0.0

    def lock(self, path, sizes=None):
        rows = []
        for name, data in self.files.items():
            artifact = name.split("/")[3]
            size = (sizes or {}).get(artifact, len(data))
            rows.append(
                f'[[dependencies]]\ngroupId = "org.example"\nartifactId = "{artifact}"\nversion = "1"\n'
                f'packaging = "jar"\nsha256 = "{hashlib.sha256(data).hexdigest()}"\nsize = {size}\n'
            )
        path.write_text("\n".join(rows))
        return path


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        data = self.server.files.get(self.path)
        start = int(re.sub(r"\D", "", self.headers.get("Range", "0")))
        self.server.requests.append((self.path, start))
        if data is None:
            self.send_error(404)
            return
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(data) - start))
        self.end_headers()
        end = len(data) if self.server.break_after is None else min(len(data), self.server.break_after)
        with suppress(BrokenPipeError, ConnectionResetError):
            for block in range(start, end, 10_000):
                self.wfile.write(data[block : min(block + 10_000, end)])
                time.sleep(self.server.seconds_per_block)

    def log_message(self, *args):
        pass


@pytest.fixture
def repository(tmp_path, monkeypatch):
    monkeypatch.setattr(fetch, "PAUSE", 0.01)
    server = Repository()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    configuration = tmp_path / "jgo.conf"
    configuration.write_text(f"[repositories]\ncentral = http://127.0.0.1:{server.server_port}\n")
    monkeypatch.setenv("JGO_CONFIG_FILE", str(configuration))
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def lock(repository, tmp_path):
    return repository.lock(tmp_path / "test.lock.toml")


def contents(paths):
    return [path.read_bytes() for path in paths]


@pytest.mark.thorough
def test_jgo_agrees_that_the_fetched_jars_are_those_of_the_lock():
    from jgo.env import LockFile

    cache = Settings.from_environment().cache
    paths = fetch_jars(cache)
    assert LockFile.load(LOCK).verify_checksums(cache / "maven") == []
    assert [path.stat().st_size for path in paths] == [jar.size for jar in read_lock()]


def test_jars_are_fetched_once_and_not_asked_for_again(repository, lock, tmp_path):
    lines = []
    paths = fetch_jars(tmp_path / "cache", lines.append, lock)
    assert contents(paths) == list(repository.files.values())
    assert len(repository.requests) == 3
    assert "3 files, 1 MB" in lines[0]
    assert fetch_jars(tmp_path / "cache", lock=lock) == paths
    assert len(repository.requests) == 3
    assert not list((tmp_path / "cache").rglob("*.part"))


def test_broken_off_download_goes_on_where_it_stopped(repository, lock, tmp_path):
    cache = tmp_path / "cache"
    repository.break_after = 100_000
    with pytest.raises(DownloadError, match=r"beta-1\.jar could not be fetched .*it goes on where it broke off"):
        fetch_jars(cache, lock=lock)
    (part,) = cache.rglob("beta-1.jar.part")
    kept, asked = part.stat().st_size, len(repository.requests)
    assert 0 < kept < SIZES["beta"]
    repository.break_after = None
    assert contents(fetch_jars(cache, lock=lock)) == list(repository.files.values())
    later = repository.requests[asked:]
    assert ("/org/example/beta/1/beta-1.jar", kept) in later
    assert not any("gamma" in path for path, _ in later), "a complete file was fetched again"


def test_jars_damaged_in_the_cache_are_found_without_waiting_for_the_server_to_fail(repository, lock, tmp_path):
    cache = tmp_path / "cache"
    paths = fetch_jars(cache, lock=lock)
    for path in paths[:2]:
        path.write_bytes(path.read_bytes()[:-10])
    assert cached_jars(cache, lock) is None
    with pytest.raises(ChecksumError, match=re.escape(str(paths[0]))):
        fetch_jars(cache, lock=lock)
    assert [path.exists() for path in paths] == [False, False, True]
    assert contents(fetch_jars(cache, lock=lock)) == list(repository.files.values())


def test_no_network_is_a_clear_error_and_none_is_needed_afterwards(repository, lock, tmp_path):
    fetch_jars(tmp_path / "filled", lock=lock)
    repository.shutdown()
    repository.server_close()
    with pytest.raises(DownloadError, match="check the network and run the command again"):
        fetch_jars(tmp_path / "empty", lock=lock)
    assert len(fetch_jars(tmp_path / "filled", lock=lock)) == 3


def test_missing_room_is_found_before_anything_is_fetched(repository, tmp_path):
    lock = repository.lock(tmp_path / "huge.lock.toml", {"alpha": 10**15})
    with pytest.raises(NoSpaceError, match=r"needs 1,000,000,0\d\d MB, .* MB left; make room, or set MEDGRAPH_CACHE"):
        fetch_jars(tmp_path / "cache", lock=lock)
    assert repository.requests == []


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        ("echo 'openjdk version \"17.0.9\" 2023-10-17' >&2", "which is Java 17"),
        ("echo 'java version \"1.8.0_392\"' >&2", "which is Java 8"),
        ("echo hello", "which is not a Java"),
    ],
)
def test_java_that_cannot_run_the_server_is_refused(tmp_path, script, problem):
    program = tmp_path / "bin" / "java"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    for given in (program, tmp_path):
        with pytest.raises(SettingsError, match=f"MEDGRAPH_JAVA is .*{problem}; set it to a Java 21 or newer"):
            find_java(given)
