"""The embedded Neo4j: a server of medgraph's own, in one folder, for this machine only.

```python
server = EmbeddedNeo4j(settings, report=print)
server.start()                         # fetches the server once; does nothing when it runs
driver = GraphDatabase.driver(server.bolt_uri, auth=("neo4j", server.password()))
```

The server is a process of its own: it runs on when the program that started it ends, and any program with the same
`MEDGRAPH_HOME` finds it again. What it needs is in `MEDGRAPH_HOME/neo4j`, which only its owner may read.
"""

from __future__ import annotations

import secrets
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from ..errors import AuthenticationError, EmbeddedServerError, GaveUpError, MedgraphError, SettingsError, StartupError
from ..files import locked, require_space
from . import process as server_process
from . import startup, store
from .conf import HOST, JAVA_OPTIONS, class_path_argument, configuration, configured_ports, memory_sizes
from .jars import NEO4J_VERSION, fetch_jars, find_java
from .store import AdminTool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    import psutil

    from ..settings import Settings

_SHORTEST_PASSWORD = 8
_POLL_SECONDS = 0.1


class EmbeddedNeo4j:
    """A Neo4j server of medgraph's own.

    Args:
        settings: Folders, ports, memory, and the password to begin with.
        report: Takes one-line messages for people.
    """

    def __init__(self, settings: Settings, report: Callable[[str], None] = lambda _: None) -> None:
        self._settings = settings
        self._report = report
        # Two names of one folder must not become two servers.
        self._home = (settings.home / "neo4j").resolve()

    @property
    def bolt_uri(self) -> str:
        """Where drivers connect: the running server's address, or the one that it would have."""
        return f"bolt://{HOST}:{self._ports(server_process.find_server(self._home))[0]}"

    def password(self) -> str:
        """Read the password of the user `neo4j`.

        Returns:
            The password.

        Raises:
            EmbeddedServerError: It was lost, or there is no server yet.
        """
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

    def status(self) -> server_process.ServerStatus:
        """Look whether the server runs and answers; this starts nothing.

        Returns:
            The status.
        """
        process = server_process.find_server(self._home)
        try:
            ready = process is not None and self._accepted_password(process) is not None
        except (AuthenticationError, EmbeddedServerError):
            ready = False
        return self._status(process, ready)

    def start(self, timeout: float = 120) -> server_process.ServerStatus:
        """Start the server unless it runs, and wait until it answers a query.

        Args:
            timeout: Seconds that the server may take; fetching it on first use is not counted.

        Returns:
            The status of the server, which is ready.

        Raises:
            StartupError: The server ended, cannot open its database, or takes longer than the timeout.
            PortTakenError: Another program listens on one of its ports.
            DataVersionError: The folder was written by another version.
            NoSpaceError: The disk has too little room.
            DownloadError: The server could not be fetched.
            AuthenticationError: Neither the password file nor `NEO4J_PASSWORD` holds its password.
        """
        with self._lock():
            return self._start(timeout)

    def stop(self, timeout: float = 60) -> bool:
        """Stop the server.

        Args:
            timeout: Seconds until it is stopped by force; nothing committed is lost by that.

        Returns:
            False if it was not running.
        """
        if server_process.find_server(self._home) is None:
            return False
        with self._lock():
            return self._stop(timeout)

    def dump(self, path: Path) -> None:
        """Write the database into one file; a running server is stopped for it and started again.

        Args:
            path: The file; it must not exist.

        Raises:
            EmbeddedServerError: The file exists, or there is no database.
            NoSpaceError: The disk has too little room.
        """
        store.refuse_existing(path)
        if not store.is_initialised(self._home):
            raise EmbeddedServerError(f"there is no database in {self._home} yet; run `medgraph neo4j start`")
        with self._lock(), self._stopped():
            self._settle_restore()
            self._stop()
            self._report(f"writing {path}")
            store.dump_database(self._admin(), path)

    def restore(self, path: Path) -> None:
        """Replace the database by a dump.

        The former database is kept until the server has opened the new one; if it cannot, all is as before. A server
        that was not running is stopped again afterwards.

        Args:
            path: A file that `dump` wrote.

        Raises:
            EmbeddedServerError: There is no such file, it is not a dump, or the server cannot open what is in it.
            NoSpaceError: The disk has too little room for both databases.
        """
        if not path.is_file():
            raise EmbeddedServerError(f"{path} is not a file; name one that `medgraph neo4j dump` wrote")
        with self._lock():
            was_running = server_process.find_server(self._home) is not None
            self._settle_restore()
            if not store.is_initialised(self._home):
                self._start()
            self._restore(path)
            if not was_running:
                self._stop()

    @contextmanager
    def exchanged(self, arguments: Sequence[str], check: Callable[[], None]) -> Iterator[None]:
        """Put a database made out of CSV files in the database's place, for good if the `with` block ends well.

        Otherwise, and when this process is killed, the former database comes back.

        Args:
            arguments: What `neo4j-admin database import full` takes.
            check: Is called before the server stops, and raises an error if the database must stay.

        Yields:
            Nothing; the server runs inside the block, on the new database.

        Raises:
            EmbeddedServerError: The import failed, or the server does not open what it made.
        """
        with self._lock():
            self._settle_restore()
            self._start()
            check()
            self._stop()
            self._report("neo4j-admin makes a database of the records")
            try:
                store.import_beside(self._admin(), arguments)
            except BaseException:
                self._start_process()
                raise
            with self._other_database(complete=False, was_running=True):
                yield

    @property
    def _password_file(self) -> Path:
        return self._home / "password"

    @property
    def _conf(self) -> Path:
        return self._home / "conf" / "neo4j.conf"

    @contextmanager
    def _lock(self) -> Iterator[None]:
        store.make_home(self._home)
        with locked(self._home / ".lock", lambda: self._report("waiting for another medgraph that uses the server")):
            yield

    @contextmanager
    def _stopped(self) -> Iterator[None]:
        was_running = self._stop()
        try:
            yield
        finally:
            if was_running:
                self._start()

    def _status(self, process: psutil.Process | None, ready: bool) -> server_process.ServerStatus:
        bolt, http = self._ports(process)
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

    def _start(self, timeout: float = 120) -> server_process.ServerStatus:
        self._stop_half_done()
        running = server_process.find_server(self._home)
        if running is not None and self._becomes_ready(running, timeout):
            self._tell_about_ports(running)
        elif not store.is_exchanged(self._home):
            store.undo_exchange(self._home)
            self._start_process(timeout)
        else:
            self._open_exchanged(timeout)
        if store.is_exchanged(self._home):
            store.keep_exchange(self._home)
            self._report("an interrupted restore was completed")
        return self._status(server_process.find_server(self._home), ready=True)

    def _open_exchanged(self, timeout: float) -> None:
        try:
            self._start_process(timeout)
        except StartupError:
            self._stop()
            store.undo_exchange(self._home)
            self._report("an interrupted restore was undone: the server could not open the dump")
            self._start_process(timeout)

    def _start_process(self, timeout: float = 120) -> None:
        process = self._launch()
        if not self._becomes_ready(process, timeout):
            raise StartupError(
                f"the server ended while it started; {self._home / 'logs'} says:\n{server_process.log_tail(self._home)}"
            )

    def _stop(self, timeout: float = 60) -> bool:
        process = server_process.find_server(self._home)
        if process is None:
            return False
        server_process.end(process, timeout)
        server_process.pid_file(self._home).unlink(missing_ok=True)
        with suppress(MedgraphError):
            startup.use_notes(self._settings.cache, self._settings.java, self._home)
        return True

    def _settle_restore(self) -> None:
        """Complete or undo a restore that was killed."""
        self._stop_half_done()
        if store.is_exchanged(self._home):
            self._start()
        elif server_process.find_server(self._home) is None:
            store.undo_exchange(self._home)

    def _stop_half_done(self) -> None:
        if store.is_half_done(self._home) and self._stop():
            self._report("a bulk load that was interrupted is undone")

    def _restore(self, path: Path) -> None:
        self._report(f"reading {path}")
        store.load_beside(self._admin(), path)
        try:
            with self._other_database(complete=True, was_running=self._stop()):
                pass
        except MedgraphError as error:
            raise EmbeddedServerError(f"{path} could not be restored, the database is as it was: {error}") from error

    @contextmanager
    def _other_database(self, *, complete: bool, was_running: bool) -> Iterator[None]:
        try:
            store.exchange(self._home, complete=complete)
            self._start_process()
            yield
        except BaseException:
            self._stop()
            store.undo_exchange(self._home)
            if was_running:
                self._start()
            raise
        store.keep_exchange(self._home)

    def _launch(self) -> psutil.Process:
        store.refuse_other_version(self._home)
        admin, ports = self._admin(), (self._settings.bolt_port, self._settings.http_port)
        server_process.require_free_ports(*ports)
        require_space(self._home, store.room_to_start(self._home), "MEDGRAPH_HOME")
        self._conf.write_text(configuration(self._settings), encoding="utf-8")
        self._prepare_password(admin)
        store.note_version(self._home)
        if (stale := server_process.pid_file(self._home)).exists():
            self._report("the server was killed; what was committed is recovered")
            stale.unlink()
        self._report(f"starting Neo4j {NEO4J_VERSION} at bolt://{HOST}:{ports[0]}")
        options = startup.startup_options(self._settings.cache, admin.java, admin.jars, self._home)
        class_path = class_path_argument(admin.jars, self._home / "conf" / "class-path")
        heap = f"-Xmx{memory_sizes(self._settings)[0]}"
        return server_process.spawn(admin.java, [heap, *options, *JAVA_OPTIONS, class_path], self._home)

    def _admin(self) -> AdminTool:
        for folder in ("conf", "data", "import", "logs", "run"):
            (self._home / folder).mkdir(exist_ok=True)
        java = find_java(self._settings.java)
        return AdminTool(java, fetch_jars(self._settings.cache, self._report), self._home)

    def _becomes_ready(self, process: psutil.Process, timeout: float) -> bool:
        """Wait until the server answers; False if it ends instead, or has to."""
        deadline = time.monotonic() + timeout
        while server_process.is_alive(process):
            try:
                accepted = self._accepted_password(process)
            except GaveUpError as error:
                self._report(f"{error}; it is started again")
                self._stop()
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
        if self._password_file.exists() and self.password() == password:
            return
        store.write_secret(self._password_file, password)

    def _accepted_password(self, process: psutil.Process) -> str | None:
        passwords = dict.fromkeys([self.password(), self._settings.neo4j_password or self.password()])
        try:
            return server_process.answers(self._home, self._ports(process)[0], list(passwords))
        except AuthenticationError as error:
            raise AuthenticationError(
                f"the server does not accept the password in {self._password_file}; if you changed it, set "
                f"NEO4J_PASSWORD to the new one and run the command again"
            ) from error

    def _ports(self, process: psutil.Process | None) -> tuple[int, int]:
        running = configured_ports(self._conf) if process is not None else None
        return running or (self._settings.bolt_port, self._settings.http_port)

    def _tell_about_ports(self, process: psutil.Process) -> None:
        ports = self._ports(process)
        if ports != (self._settings.bolt_port, self._settings.http_port):
            self._report(
                f"the server runs on ports {ports[0]} and {ports[1]} already; "
                "it takes others after `medgraph neo4j stop`"
            )
