"""The embedded server's stopped database: its version, first password, dumps, and a restore that can be undone.

A restore loads the dump beside the database, exchanges the two by renaming, and lets the server open the result. Until
that has worked, the former database is kept. A restore may be killed at any moment: an exchange that was broken off is
undone, and one that was complete is kept if the server can open the result; no data that a server has shown is dropped.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

import psutil

from ..errors import DataVersionError, EmbeddedServerError, SettingsError
from ..files import require_space
from .process import DATABASE, JAVA_OPTIONS, LOG_BYTES, NEO4J_VERSION, class_path_argument, clean_environment

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_ADMIN_CLASS = "org.neo4j.cli.AdminTool"
_PARTS = ("databases", "transactions")
_SPARE_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class AdminTool:
    """Neo4j's own tool for a server that does not run: the `java` program, the class path, the server's folder."""

    java: Path
    jars: Sequence[Path]
    home: Path

    def run(
        self, *arguments: str | Path, source: IO[bytes] | None = None, target: IO[bytes] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a command of the tool, such as `database`, `dump`, `neo4j`; EmbeddedServerError tells what it said."""
        conf = self.home / "conf"
        done = subprocess.run(  # noqa: S603
            [self.java, class_path_argument(self.jars, conf / "class-path"), *JAVA_OPTIONS, _ADMIN_CLASS, *arguments],
            env=clean_environment() | {"NEO4J_HOME": str(self.home), "NEO4J_CONF": str(conf), "LC_ALL": "C.UTF-8"},
            stdin=source or subprocess.DEVNULL,
            stdout=target or subprocess.PIPE,
            stderr=subprocess.PIPE,
            check=False,
        )
        if done.returncode != 0:
            output = (done.stderr + (done.stdout or b"")).decode(errors="replace")
            lines = [line for line in output.splitlines() if re.match(r"(?!WARNING|Command Failed)\w", line)]
            raise EmbeddedServerError(
                f"neo4j-admin {' '.join(map(str, arguments[:2]))} failed: {' / '.join(lines[-4:])}"
            )
        return done


def make_home(home: Path) -> None:
    """Make a server's folder, for its owner alone; SettingsError where it cannot be made or used."""
    try:
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        home.chmod(0o700)
    except OSError as error:
        raise SettingsError(
            f"{home} cannot be used ({error.strerror}); set MEDGRAPH_HOME to a folder that you may write to"
        ) from error


def is_initialised(home: Path) -> bool:
    """Tell whether a server has run in a folder."""
    return (home / "data" / "databases" / "system").exists()


def room_to_start(home: Path) -> int:
    """Add up the bytes that a start takes: the transaction logs that are missing, and the next file of each."""
    logs = (home / "data" / "transactions" / database for database in ("system", DATABASE))
    return sum(LOG_BYTES if any(log.glob("neostore.transaction.db.*")) else 2 * LOG_BYTES for log in logs)


def noted_version(home: Path) -> str | None:
    """Read which version of Neo4j has written a folder; None where nothing was noted."""
    try:
        return (home / "version").read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None


def note_version(home: Path) -> None:
    """Note that this version writes a folder."""
    (home / "version").write_text(NEO4J_VERSION + "\n", encoding="utf-8")


def refuse_other_version(home: Path) -> None:
    """Refuse, by DataVersionError, a folder of a later version or of another year; others are upgraded."""
    version = noted_version(home)
    if version is None:
        return
    numbers, ours = ([int(number) for number in re.findall(r"\d+", text)] for text in (version, NEO4J_VERSION))
    if numbers[:1] != ours[:1] or numbers > ours:
        raise DataVersionError(
            f"{home} was written by Neo4j {version}, and this medgraph runs Neo4j {NEO4J_VERSION}; "
            "set MEDGRAPH_HOME to another folder, and to take the data along, run `medgraph neo4j dump FILE` "
            "with the medgraph that wrote it and `medgraph neo4j restore FILE` with this one"
        )


def set_first_password(admin: AdminTool, password: str) -> None:
    """Set the password that the server takes on at its first start."""
    # In a file, for other users of the machine see command lines.
    file = admin.home / "conf" / "first-password"
    file.touch(0o600)
    file.write_text(f"dbms\nset-initial-password\n--\n{_quoted(password)}\n", encoding="utf-8")
    try:
        admin.run(f"@{file}")
    finally:
        file.unlink()


def write_secret(path: Path, secret: str) -> None:
    """Write a line that only the owner may read, whole or not at all."""
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)
    new.touch(0o600)
    new.write_text(f"{secret}\n", encoding="utf-8")
    new.replace(path)


def dump_database(admin: AdminTool, path: Path) -> None:
    """Write the database into a file that does not exist yet; EmbeddedServerError where it cannot be written."""
    store = admin.home / "data" / "databases" / DATABASE
    require_space(path.parent, sum(file.stat().st_size for file in store.rglob("*")))
    partial = path.with_name(path.name + ".partial")
    try:
        with partial.open("wb") as file:
            admin.run("database", "dump", DATABASE, "--to-stdout", target=file)
        refuse_existing(path)
        partial.replace(path)
    except OSError as error:
        raise EmbeddedServerError(f"{path} cannot be written ({error.strerror}); choose another place") from error
    finally:
        partial.unlink(missing_ok=True)


def refuse_existing(path: Path) -> None:
    """Refuse, by EmbeddedServerError, to overwrite a file, and one whose folder does not exist."""
    if path.exists():
        raise EmbeddedServerError(f"{path} exists already; delete it, or choose another name for the dump")
    if not path.parent.is_dir():
        raise EmbeddedServerError(f"{path.parent} is not a folder; make it, or choose another place for the dump")


def load_staged(admin: AdminTool, path: Path) -> None:
    """Load a dump beside the database, which is not touched; EmbeddedServerError where it is none or damaged."""
    beside = _staging_folder(admin.home)
    shutil.rmtree(beside, ignore_errors=True)
    (beside / "new" / "conf").mkdir(parents=True)
    loader = AdminTool(admin.java, admin.jars, beside / "new")
    try:
        require_space(beside, _loaded_size(loader, path) + _SPARE_BYTES, "MEDGRAPH_HOME")
        with path.open("rb") as file:
            loader.run("database", "load", DATABASE, "--from-stdin", source=file)
    except EmbeddedServerError as error:
        shutil.rmtree(beside, ignore_errors=True)
        raise type(error)(f"{path} could not be restored, the database is as it was: {error}") from error


def import_staged(admin: AdminTool, arguments: Sequence[str]) -> None:
    """Make a database out of CSV files by `neo4j-admin database import full`, beside the present one, untouched."""
    beside = _staging_folder(admin.home)
    # The tool has no room on a command line for any number of files, and reads them from a file too.
    file = beside / "arguments"
    _end_orphans(f"@{file}")
    shutil.rmtree(beside, ignore_errors=True)
    (beside / "new" / "conf").mkdir(parents=True)
    file.write_text("".join(f"{_quoted(argument)}\n" for argument in arguments), encoding="utf-8")
    try:
        AdminTool(admin.java, admin.jars, beside / "new").run("database", "import", "full", DATABASE, f"@{file}")
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise


def exchange(home: Path, *, complete: bool = True) -> None:
    """Put what was made beside the database in its place, and the database aside.

    What is not `complete` the next start of a server undoes, unless `keep_exchange` came before.
    """
    beside = _staging_folder(home)
    (beside / "old").mkdir()
    for part in _PARTS:
        (home / "data" / part / DATABASE).rename(beside / "old" / part)
        (beside / "new" / "data" / part / DATABASE).rename(home / "data" / part / DATABASE)
    if complete:
        (beside / "exchanged").touch()


def is_exchanged(home: Path) -> bool:
    """Tell whether a loaded dump is in the database's place, so that `keep_exchange` or `undo_exchange` must follow."""
    return (_staging_folder(home) / "exchanged").exists()


def is_half_done(home: Path) -> bool:
    """Tell whether what is in the database's place is not complete, so that `undo_exchange` must follow."""
    return (_staging_folder(home) / "old").exists() and not is_exchanged(home)


def undo_exchange(home: Path) -> None:
    """Bring the former database back, also when the exchange was broken off half way."""
    beside = _staging_folder(home)
    for part in _PARTS:
        if (beside / "old" / part).exists():
            shutil.rmtree(home / "data" / part / DATABASE, ignore_errors=True)
            (beside / "old" / part).rename(home / "data" / part / DATABASE)
    shutil.rmtree(beside, ignore_errors=True)


def keep_exchange(home: Path) -> None:
    """Delete the former database."""
    beside = _staging_folder(home)
    # Renamed first: broken off half way, what is left must not be taken for a database to bring back.
    rubbish = beside.with_name("restore-done")
    shutil.rmtree(rubbish, ignore_errors=True)
    beside.rename(rubbish)
    shutil.rmtree(rubbish, ignore_errors=True)


def _end_orphans(argument: str) -> None:
    """End a tool that goes on though the process that waited for it was killed."""
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if argument in process.cmdline():
                process.kill()
                process.wait(10)


def _quoted(argument: str) -> str:
    quoted = argument.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}"'


def _staging_folder(home: Path) -> Path:
    return home / "restore"


def _loaded_size(admin: AdminTool, path: Path) -> int:
    with path.open("rb") as file:
        output = admin.run("database", "load", DATABASE, "--info", "--from-stdin", source=file).stdout.decode()
    size = re.search(r"^Bytes: (\d+)$", output, re.MULTILINE)
    return int(size.group(1)) if size else path.stat().st_size
