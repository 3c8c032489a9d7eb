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

from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..errors import EmbeddedServerError, MedgraphError, StartupError
from ..files import locked
from . import store
from .lifecycle import Lifecycle
from .process import HOST, ServerStatus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from ..settings import Settings


class EmbeddedNeo4j:
    """A Neo4j server of medgraph's own, whose folders, ports, memory and first password the settings say."""

    def __init__(self, settings: Settings, report: Callable[[str], None] = lambda _: None) -> None:
        self._report = report
        # Two names of one folder must not become two servers.
        self._home = (settings.home / "neo4j").resolve()
        self._server = Lifecycle(settings, self._home, report)

    @property
    def bolt_uri(self) -> str:
        """Where drivers connect: the running server's address, or the one that it would have."""
        return f"bolt://{HOST}:{self._server.ports(self._server.find())[0]}"

    def password(self) -> str:
        """Read the password of the user `neo4j`; EmbeddedServerError where it was lost, or there is no server yet."""
        return self._server.password()

    def status(self) -> ServerStatus:
        """Look whether the server runs and answers; this starts nothing."""
        return self._server.status()

    def start(self, timeout: float = 120) -> ServerStatus:
        """Start the server unless it runs, wait until it answers a query, and give its status.

        Seconds of the timeout count from when the server was fetched.

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
        """Stop the server, after `timeout` seconds by force, which loses nothing; False if it was not running."""
        if self._server.find() is None:
            return False
        with self._lock():
            return self._server.stop(timeout)

    def dump(self, path: Path) -> None:
        """Write the database into a new file; a running server is stopped for it and started again.

        Raises:
            EmbeddedServerError: The file exists, or there is no database.
            NoSpaceError: The disk has too little room.
        """
        store.refuse_existing(path)
        if not store.is_initialised(self._home):
            raise EmbeddedServerError(f"there is no database in {self._home} yet; run `medgraph neo4j start`")
        with self._lock(), self._stopped():
            self._settle_restore()
            self._server.stop()
            self._report(f"writing {path}")
            store.dump_database(self._server.admin(), path)

    def restore(self, path: Path) -> None:
        """Replace the database by what `dump` wrote.

        The former database is kept until the server has opened the new one; if it cannot, all is as before. A server
        that was not running is stopped again afterwards.

        Raises:
            EmbeddedServerError: There is no such file, it is not a dump, or the server cannot open what is in it.
            NoSpaceError: The disk has too little room for both databases.
        """
        if not path.is_file():
            raise EmbeddedServerError(f"{path} is not a file; name one that `medgraph neo4j dump` wrote")
        with self._lock():
            was_running = self._server.find() is not None
            self._settle_restore()
            if not store.is_initialised(self._home):
                self._start()
            self._restore(path)
            if not was_running:
                self._server.stop()

    @contextmanager
    def exchanged(self, arguments: Sequence[str], check: Callable[[], None]) -> Iterator[None]:
        """Put a database made by `neo4j-admin database import full` in place, for good if the `with` block ends well.

        Otherwise, and when this process is killed, the former database comes back. `check` raises an error before the
        server stops if the database must stay; inside the block it runs on the new database.

        Raises:
            EmbeddedServerError: The import failed, or the server does not open what it made.
        """
        with self._lock():
            self._settle_restore()
            self._start()
            check()
            self._server.stop()
            self._report("neo4j-admin makes a database of the records")
            try:
                store.import_staged(self._server.admin(), arguments)
            except BaseException:
                self._server.start()
                raise
            with self._other_database(complete=False, was_running=True):
                yield

    @contextmanager
    def _lock(self) -> Iterator[None]:
        store.make_home(self._home)
        with locked(self._home / ".lock", lambda: self._report("waiting for another medgraph that uses the server")):
            yield

    @contextmanager
    def _stopped(self) -> Iterator[None]:
        was_running = self._server.stop()
        try:
            yield
        finally:
            if was_running:
                self._start()

    def _start(self, timeout: float = 120) -> ServerStatus:
        self._stop_half_done()
        running = self._server.find()
        if running is not None and self._server.becomes_ready(running, timeout):
            self._server.report_ports(running)
        elif not store.is_exchanged(self._home):
            store.undo_exchange(self._home)
            self._server.start(timeout)
        else:
            self._open_exchanged(timeout)
        if store.is_exchanged(self._home):
            store.keep_exchange(self._home)
            self._report("an interrupted restore was completed")
        return self._server.status(ready=True)

    def _open_exchanged(self, timeout: float) -> None:
        try:
            self._server.start(timeout)
        except StartupError:
            self._server.stop()
            store.undo_exchange(self._home)
            self._report("an interrupted restore was undone: the server could not open the dump")
            self._server.start(timeout)

    def _settle_restore(self) -> None:
        self._stop_half_done()
        if store.is_exchanged(self._home):
            self._start()
        elif self._server.find() is None:
            store.undo_exchange(self._home)

    def _stop_half_done(self) -> None:
        if store.is_half_done(self._home) and self._server.stop():
            self._report("a bulk load that was interrupted is undone")

    def _restore(self, path: Path) -> None:
        self._report(f"reading {path}")
        store.load_staged(self._server.admin(), path)
        try:
            with self._other_database(complete=True, was_running=self._server.stop()):
                pass
        except MedgraphError as error:
            raise EmbeddedServerError(f"{path} could not be restored, the database is as it was: {error}") from error

    @contextmanager
    def _other_database(self, *, complete: bool, was_running: bool) -> Iterator[None]:
        try:
            store.exchange(self._home, complete=complete)
            self._server.start()
            yield
        except BaseException:
            self._server.stop()
            store.undo_exchange(self._home)
            if was_running:
                self._start()
            raise
        store.keep_exchange(self._home)
