"""A bulk load of a server that is not ours: files and a command for its operator, and what is left to do afterwards."""

from __future__ import annotations

import pickle
import shlex
from typing import TYPE_CHECKING, Final

from ..errors import InputError
from ..graph import catalogue
from .base import fingerprint
from .bulk.load import Bulk
from .commands import task_of

if TYPE_CHECKING:
    from pathlib import Path

    from ..graph.database import Database
    from ..schema.migrate import Model
    from ..settings import Settings
    from .commands import LoadOptions
    from .life.outcome import LoadReport

ARGUMENTS: Final = "neo4j-admin.arguments"
COMMAND: Final = "COMMAND.txt"
DONE: Final = "exported.pickle"


def write_import_folder(settings: Settings, source: str, path: Path, wish: LoadOptions, folder: Path) -> str:
    """Write the records of a source as files that `neo4j-admin database import` takes, into an empty folder."""
    task, folder = task_of(settings, source, path, wish), folder.absolute()
    if folder.exists() and any(folder.iterdir()):
        raise InputError(f"{folder} is not empty; name another folder")
    folder.mkdir(parents=True, exist_ok=True)
    sha256 = fingerprint(path)
    arguments, done = Bulk(task, folder).sort()
    lines = (argument.replace(f"{folder}/", "./") for argument in arguments)
    (folder / ARGUMENTS).write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / DONE).write_bytes(pickle.dumps((source, path.absolute(), wish, sha256, done)))
    words = import_command(settings.neo4j_database)
    (folder / COMMAND).write_text(f"{shlex.join(words)}\n", encoding="utf-8")
    return f"cd {shlex.quote(str(folder))} && {shlex.join(words)}"


def import_command(database: str) -> list[str]:
    """Give the words of the command that makes a database of a folder's files, from within it."""
    return ["neo4j-admin", "database", "import", "full", database, "--overwrite-destination", f"@{ARGUMENTS}"]


def finish_import(settings: Settings, database: Database, folder: Path, encoder: Model) -> LoadReport:
    """Make an ordinary load's graph of a database that a folder's files were imported into; again, it goes on.

    Raises:
        InputError: The folder is of another file, or the graph is empty.
    """
    try:
        source, path, wish, sha256, done = pickle.loads((folder / DONE).read_bytes())  # noqa: S301 # of this user
    except (OSError, pickle.UnpicklingError) as error:
        remedy = "medgraph export import-files makes one"
        raise InputError(f"{folder} is no folder of import files ({error}); {remedy}") from error
    task = task_of(settings, source, path, wish)
    if sha256 != fingerprint(path):
        raise InputError(f"{path} has changed since {folder} was made of it; export and import it again")
    if not database.read(catalogue.get("first_content")):
        raise InputError(f"the graph is empty; its operator imports {folder} first: see {folder / COMMAND}")
    return Bulk(task, folder.absolute()).finish(database, encoder, sha256, done)
