"""Finds and reads the node and edge files of a KGX graph: tables or JSON, in a folder or a tar archive."""

from __future__ import annotations

import re
import shutil
import tarfile
import tempfile
import zlib
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError, SourceFileError
from ...schema.exchange import kgx
from ..base import Reject
from ..files import json_items, tables, texts
from ..files.texts import head

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME: Final = re.compile(r"(?:.*[_.-])?(nodes|edges|sources)\.(tsv|csv|jsonl)(?:\.gz)?", re.IGNORECASE)
MAX_UNPACKED: Final = 200 << 30
ARCHIVES: Final = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2")
DOCUMENTS: Final = (".json", ".json.gz")  # What a file is called that has both nodes and edges
_KINDS: Final = ("nodes", "edges")
_ORDER: Final = ("sources", *_KINDS)


@dataclass(frozen=True, slots=True)
class File:
    """Nodes, edges or sources in a file, or a list of a document, by `kind`; its `form` is tsv, csv, jsonl or json.

    People know what is read at `path` as `shown`.
    """

    path: Path
    shown: str
    kind: str
    form: str


def found_in(path: Path, shown: str) -> list[File]:
    """Tell by its name what a file holds, if anything: nodes, edges or sources; both lists for a document of JSON."""
    if match := NAME.fullmatch(path.name):
        return [File(path, shown, match[1].lower(), match[2].lower())]
    if path.name.lower().endswith(DOCUMENTS) and is_document(path):
        return [File(path, shown, kind, "json") for kind in _KINDS]
    return []


def is_document(path: Path) -> bool:
    """Tell whether a file begins as an object of JSON with a list of nodes or edges; members may be in front."""
    first = json_items.first(path, set(_KINDS), head(path))
    return isinstance(first, dict) and (first.keys() >= {"id"} or first.keys() >= {"subject", "object"})


@contextmanager
def files(path: Path) -> Iterator[list[File]]:
    """Find the files of a graph: a folder, a file, how their names begin, a tar archive of them, or a document."""
    if path.name.lower().endswith(ARCHIVES) and path.is_file():
        with tempfile.TemporaryDirectory(prefix="medgraph-kgx-") as folder:
            yield _sorted(path, list(_unpacked(path, Path(folder))))
    else:
        yield _sorted(path, [found for file in _candidates(path) for found in found_in(file, str(file))])


def lines(file: File) -> Iterator[tuple[int, dict[str, Any]] | Reject]:
    """Yield a line's number and its values by name; a `Reject` for a line that cannot be used."""
    try:
        for item in _items(file):
            if isinstance(item, Reject):
                yield replace(item, file=file.shown)
                continue
            line, read = item
            try:
                yield line, _values(file, read)
            except RecordError as error:
                yield Reject(file.shown, line, str(error))
    except SourceFileError as error:
        if str(file.path) == file.shown:
            raise
        message = str(error).replace(str(file.path), file.shown)
        raise SourceFileError(message.removeprefix(f"{file.shown}: "), file.shown, error.line) from error


def needed(kind: str) -> tuple[str, ...]:
    """Name what each line of nodes, edges or sources must have."""
    return ("subject", "predicate", "object") if kind == "edges" else ("id",)


def _items(file: File) -> Iterator[tuple[int, Any] | Reject]:
    """Yield rows of a table, texts of a file of JSON lines that are not blank, or items of a document."""
    if file.form == "json":
        yield from json_items.of(file.path, file.kind, lenient=True)
    elif file.form != "jsonl":
        delimiter, quoted = ("\t", False) if file.form == "tsv" else (",", True)
        yield from tables.read(file.path, needed(file.kind), delimiter=delimiter, quoted=quoted, ragged=True)
    elif file.path.stat().st_size:  # a graph may be without edges, an export without nodes
        yield from (item for item in texts.lines(file.path) if isinstance(item, Reject) or item[1].strip())


def _values(file: File, read: Any) -> dict[str, Any]:
    """Make values by name of what `_items` gives."""
    if file.form == "jsonl":
        read = json_items.parse_object(read, lenient=True)
    elif not isinstance(read, dict):
        raise RecordError(f"is {str(read)[:60]!r}, not a JSON object in {{}}")
    elif file.form != "json":
        if read.get(kgx.KIND) or read.get(kgx.TYPE):
            return kgx.of_cells(read)
        read = {name: cell for name, cell in read.items() if cell}
    if missing := [name for name in needed(file.kind) if read.get(name) in (None, "", [])]:
        raise RecordError(f"has no {missing[0]!r}; give it one")
    return {name: value for name, value in read.items() if value is not None}


def _candidates(path: Path) -> list[Path]:
    if path.is_dir():
        return [file for file in path.iterdir() if file.is_file()]
    if path.is_file():
        match = NAME.fullmatch(path.name)
        beside = path.with_name(path.name[: match.start(1)] + "sources" + path.name[match.end(1) :]) if match else path
        return [path] if beside == path or not beside.is_file() else [beside, path]
    if not path.parent.is_dir():
        return []
    return [f for f in path.parent.iterdir() if f.name.startswith(f"{path.name}_") and f.is_file()]


def _sorted(path: Path, found: list[File]) -> list[File]:
    if not found:
        raise SourceFileError(
            "holds no KGX graph: call its files nodes.tsv and edges.tsv (or .csv, .jsonl), perhaps with a name and _ "
            "in front, or give one .json with nodes and edges",
            path,
        )
    tables = [file for file in found if file.form != "json"]  # a document beside them says the same, or something else
    return sorted(tables or found, key=lambda file: (_ORDER.index(file.kind), file.shown))


def _unpacked(path: Path, folder: Path) -> Iterator[File]:
    """Copy the files of an archive, so that they can be read more than once; nothing else of it is touched."""
    size = 0
    try:
        with tarfile.open(path) as archive:
            for number, member in enumerate(archive):
                name = PurePosixPath(member.name).name
                wanted = NAME.fullmatch(name) or name.lower().endswith(DOCUMENTS)
                source = archive.extractfile(member) if member.isreg() and wanted else None
                if source is None:
                    continue
                size += member.size
                if size > min(MAX_UNPACKED, shutil.disk_usage(folder).free):
                    raise SourceFileError(f"would unpack to more than {size:,} bytes, which the disk cannot hold", path)
                target = folder / str(number)
                target.mkdir()
                with source, (target / name).open("wb") as copy:
                    shutil.copyfileobj(source, copy, 1 << 20)
                yield from found_in(target / name, f"{path}!/{member.name}")
    except (tarfile.TarError, EOFError, OSError, zlib.error) as error:
        raise SourceFileError(f"is no whole tar archive ({error}); fetch it again", path) from error
