"""One server of one folder: it is started, asked, and stopped; what its folder holds is the store's business."""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import secrets
import shutil
import subprocess
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from ..errors import AuthenticationError, EmbeddedServerError, GaveUpError, MedgraphError, SettingsError, StartupError
from ..files import require_space
from . import process as server_process
from . import store
from .jars import cached_jars, fetch_jars, find_java
from .process import (
    HOST,
    JAVA_OPTIONS,
    NEO4J_VERSION,
    class_path_argument,
    clean_environment,
    configuration,
    configured_ports,
    memory_sizes,
)
from .store import AdminTool

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import psutil

    from ..settings import Settings

_SHORTEST_PASSWORD = 8
_POLL_SECONDS = 0.1


class Lifecycle:
    """The server of one folder; whoever starts or stops it holds the folder's lock."""

    def __init__(self, settings: Settings, home: Path, report: Callable[[str], None]) -> None:
        self._settings = settings
        self._home = home
        self._report = report
        self._password_file = home / "password"
        self._conf = home / "conf" / "neo4j.conf"

    def find(self) -> psutil.Process | None:
        """Find the running server; None where none runs."""
        return server_process.find_server(self._home)

    def ports(self, process: psutil.Process | None) -> tuple[int, int]:
        """Give the ports for drivers and for Browser: of the running server, or of the settings where none runs."""
        running = configured_ports(self._conf) if process is not None else None
        return running or (self._settings.bolt_port, self._settings.http_port)

    def password(self) -> str:
        """Read the password of the user `neo4j`; EmbeddedServerError where it was lost, or there is no server yet."""
        try:
            return self._password_file.read_text(encoding="utf-8").removesuffix("\n")
        except FileNotFoundError:
            pass
        if not store.is_initialised(self._home):
            raise EmbeddedServerError(f"there is no server in {self._home} yet; run `medgraph neo4j start`")
        if self._settings.neo4j_password:
            return self._settings.neo4j_password
        raise EmbeddedServerError(
            f"{self._password_file} is missing, and only it holds the server's password; put the file back, or set "
            "NEO4J_PASSWORD to the password if you know it; otherwise stop the server, run `medgraph neo4j dump FILE`, "
            "set MEDGRAPH_HOME to a new folder, and run `medgraph neo4j restore FILE`"
        )

    def status(self, ready: bool | None = None) -> server_process.ServerStatus:
        """Look whether the server runs and answers, which is asked unless `ready` says it; this starts nothing."""
        process = self.find()
        if ready is None:
            ready = process is not None and self._answers(process)
        bolt, http = self.ports(process)
        return server_process.ServerStatus(
            running=process is not None,
            pid=process.pid if process else None,
            bolt_uri=f"bolt://{HOST}:{bolt}",
            http_uri=f"http://{HOST}:{http}",
            # Without a database's name: with one, this Browser complains that it does not exist.
            browser_uri=f"http://{HOST}:{http}/browser/?dbms=bolt://{server_process.USER}@{HOST}:{bolt}",
            version=store.noted_version(self._home) or NEO4J_VERSION,
            home=self._home,
            ready=ready,
        )

    def start(self, timeout: float = 120) -> None:
        """Start the server, which does not run, and wait until it answers; StartupError where it does not in time."""
        process = self._launch()
        if not self.becomes_ready(process, timeout):
            raise StartupError(
                f"the server ended while it started; {self._home / 'logs'} says:\n{server_process.log_tail(self._home)}"
            )

    def becomes_ready(self, process: psutil.Process, timeout: float) -> bool:
        """Wait until the server answers; False if it ends instead, StartupError where it cannot open its database."""
        deadline = time.monotonic() + timeout
        while server_process.is_alive(process):
            try:
                accepted = self._accepted_password(process)
            except GaveUpError as error:
                self._report(f"{error}; it is started again")
                self.stop()
                break
            if accepted is not None:
                self._keep_password(accepted)
                return True
            if time.monotonic() > deadline:
                raise StartupError(
                    f"the server (process {process.pid}) is not ready after {timeout:.0f} s; run the command again to "
                    f"go on waiting, or `medgraph neo4j stop`; its log is {self._home / 'logs' / 'neo4j.log'}"
                )
            time.sleep(_POLL_SECONDS)
        return False

    def stop(self, timeout: float = 60) -> bool:
        """Stop the server, after `timeout` seconds by force; False if it was not running."""
        process = self.find()
        if process is None:
            return False
        server_process.end(process, timeout)
        server_process.pid_file(self._home).unlink(missing_ok=True)
        with suppress(MedgraphError):
            use_notes(self._settings.cache, self._settings.java, self._home)
        return True

    def admin(self) -> AdminTool:
        """Prepare Neo4j's own tool and the server's folders; the server and Java are fetched where they are missing."""
        for folder in ("conf", "data", "import", "logs", "run"):
            (self._home / folder).mkdir(exist_ok=True)
        java = find_java(self._settings.java)
        return AdminTool(java, fetch_jars(self._settings.cache, self._report), self._home)

    def report_ports(self, process: psutil.Process) -> None:
        """Report that the running server listens elsewhere than the settings say, where it does."""
        ports = self.ports(process)
        if ports != (self._settings.bolt_port, self._settings.http_port):
            self._report(
                f"the server runs on ports {ports[0]} and {ports[1]} already; "
                "it takes others after `medgraph neo4j stop`"
            )

    def _launch(self) -> psutil.Process:
        store.refuse_other_version(self._home)
        admin, ports = self.admin(), (self._settings.bolt_port, self._settings.http_port)
        server_process.require_free_ports(*ports)
        require_space(self._home, store.room_to_start(self._home), "MEDGRAPH_HOME")
        self._conf.write_text(configuration(self._settings), encoding="utf-8")
        self._prepare_password(admin)
        store.note_version(self._home)
        if (stale := server_process.pid_file(self._home)).exists():
            self._report("the server was killed; what was committed is recovered")
            stale.unlink()
        self._report(f"starting Neo4j {NEO4J_VERSION} at bolt://{HOST}:{ports[0]}")
        options = startup_options(self._settings.cache, admin.java, admin.jars, self._home)
        class_path = class_path_argument(admin.jars, self._home / "conf" / "class-path")
        heap = f"-Xmx{memory_sizes(self._settings)[0]}"
        return server_process.spawn(admin.java, [heap, *options, *JAVA_OPTIONS, class_path], self._home)

    def _prepare_password(self, admin: AdminTool) -> None:
        if store.is_initialised(self._home):
            self.password()
            return
        password = self._settings.neo4j_password
        if password is None:
            password = self.password() if self._password_file.exists() else secrets.token_hex(16)
        if len(password) < _SHORTEST_PASSWORD or not password.isprintable():
            raise SettingsError(f"NEO4J_PASSWORD needs at least {_SHORTEST_PASSWORD} characters, all of them printable")
        self._keep_password(password)
        store.set_first_password(admin, password)

    def _keep_password(self, password: str) -> None:
        if not self._password_file.exists() or self.password() != password:
            store.write_secret(self._password_file, password)

    def _answers(self, process: psutil.Process) -> bool:
        try:
            return self._accepted_password(process) is not None
        except (AuthenticationError, EmbeddedServerError):
            return False

    def _accepted_password(self, process: psutil.Process) -> str | None:
        passwords = dict.fromkeys([self.password(), self._settings.neo4j_password or self.password()])
        try:
            return server_process.answers(self._home, self.ports(process)[0], list(passwords))
        except AuthenticationError as error:
            raise AuthenticationError(
                f"the server does not accept the password in {self._password_file}; if you changed it, set "
                f"NEO4J_PASSWORD to the new one and run the command again"
            ) from error


_BYTES = 400 << 20
# A server that came up notes 3 MB; one that did not would make a poor archive for all later ones.
_LEAST_NOTES = 2 << 20
_OTHER_ARCHIVE = re.compile(r"-XX:(?:AOT|SharedArchiveFile)")
_MAKE = (
    'list=$1 archive=$2; shift 2; "$@" -XX:SharedArchiveFile="$archive.making" && mv "$archive.making" "$archive"; '
    'rm -f "$archive.making" "$list"'
)


def startup_options(cache: Path, java: Path, jars: Sequence[Path], home: Path) -> list[str]:
    """Choose the options that make this start, or a later one, fast; none where `java`'s user named an archive."""
    if _OTHER_ARCHIVE.search(os.environ.get("JDK_JAVA_OPTIONS", "")):
        return []
    archive, classes = _archive(cache, java, jars), _classes(home)
    if archive.exists():
        return [f"-XX:SharedArchiveFile={archive}"]
    if _is_noted(classes):
        make_archive(cache, java, jars, home)
        return []
    return [f"-XX:DumpLoadedClassList={classes}"]


def use_notes(cache: Path, java: Path | None, home: Path) -> None:
    """Make the archive of a server that was stopped, unless its jars are gone; EmbeddedServerError without Java."""
    jars = cached_jars(cache)
    if jars is not None:
        make_archive(cache, find_java(java), jars, home)


def make_archive(cache: Path, java: Path, jars: Sequence[Path], home: Path) -> None:
    """Make the archive in the background, if a server has noted its classes and there is none yet."""
    archive, classes = _archive(cache, java, jars), _classes(home)
    if archive.exists() or not _is_noted(classes) or shutil.disk_usage(cache).free < _BYTES:
        return
    with archive.with_suffix(".lock").open("a", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
        class_path = class_path_argument(jars, archive.with_suffix(".class-path"))
        java_command: list[str | Path] = [
            java,
            "-Xshare:dump",
            f"-XX:SharedClassListFile={classes}",
            *JAVA_OPTIONS,
            class_path,
        ]
        # The child inherits the lock, and holds it until it ends.
        maker = subprocess.Popen(  # noqa: S603
            ["/bin/sh", "-c", _MAKE, "sh", classes, archive, "nice", "-n", "19", *java_command],
            env=clean_environment(),
            cwd=cache,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            pass_fds=(lock.fileno(),),
        )
    maker.returncode = 0  # it is meant to run on


def _classes(home: Path) -> Path:
    return home / "run" / "classes"


def _is_noted(classes: Path) -> bool:
    return classes.exists() and classes.stat().st_size >= _LEAST_NOTES


def _archive(cache: Path, java: Path, jars: Sequence[Path]) -> Path:
    release = java.resolve().parent.parent / "release"
    parts = [str(java), release.read_text(encoding="utf-8") if release.exists() else "", *JAVA_OPTIONS]
    parts += [f"{jar} {jar.stat().st_size} {jar.stat().st_mtime_ns}" for jar in jars]
    key = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
    return cache / f"neo4j-startup-{key}.jsa"
