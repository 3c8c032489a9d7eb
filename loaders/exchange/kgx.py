"""KGX: nodes and edges of Biolink, as tables or JSON (github.com/biolink/kgx), and our own exports.

A graph is a folder or a tar archive with `nodes.tsv` and `edges.tsv` (or `.csv`, `.jsonl`, each perhaps packed with
gzip and with something in front, as in `monarch-kg_nodes.tsv`), or one document of JSON with nodes and edges.
Categories become labels and predicates relation types, with the word of the file kept where ours says less. Whoever
provided a node or an edge becomes a part of the source. Nodes of one id, and edges that differ neither in their triple
nor in their qualifiers, become one entity or relation that says what all of them say. Edges that say what is not so are
left out, and counted; see `loaders/polarity.py`. What `medgraph export kgx` wrote comes back as it was, documents too;
see `schema/exchange/kgx.py`.
"""

from __future__ import annotations

import re
import shutil
import tarfile
import tempfile
import zlib
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError, SourceFileError
from ...schema import prefixes
from ...schema.exchange import kgx
from ...schema.exchange.flat import restore
from ..base import INFOS, Item, Reject, Row, Source, each
from ..files import json_items, tables, texts
from ..files.texts import head
from .assembling import Assembler, info_of, united, without_only
from .kgx_foreign import Reader

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from ...schema.records import SourceInfo

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
        for item in each(file.shown, _read_items(file), partial(_values, file)):
            yield replace(item, file=file.shown) if isinstance(item, Reject) else item
    except SourceFileError as error:
        if str(file.path) == file.shown:
            raise
        message = str(error).replace(str(file.path), file.shown)
        raise SourceFileError(message.removeprefix(f"{file.shown}: "), file.shown, error.line) from error


def needed(kind: str) -> tuple[str, ...]:
    """Name what each line of nodes, edges or sources must have."""
    return ("subject", "predicate", "object") if kind == "edges" else ("id",)


def _read_items(file: File) -> Iterator[tuple[int, Any] | Reject]:
    """Yield rows of a table, texts of a file of JSON lines that are not blank, or items of a document."""
    if file.form == "json":
        yield from json_items.of(file.path, file.kind, lenient=True)
    elif file.form != "jsonl":
        delimiter, quoted = ("\t", False) if file.form == "tsv" else (",", True)
        yield from tables.read(file.path, needed(file.kind), delimiter=delimiter, quoted=quoted, ragged=True)
    elif file.path.stat().st_size:  # a graph may be without edges, an export without nodes
        yield from (item for item in texts.lines(file.path) if isinstance(item, Reject) or item[1].strip())


def _values(file: File, line: int, read: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    if file.form == "jsonl":
        read = json_items.parse_object(read, lenient=True)
    elif not isinstance(read, dict):
        raise RecordError(f"is {str(read)[:60]!r}, not a JSON object in {{}}")
    elif file.form != "json":
        if read.get(kgx.KIND) or read.get(kgx.TYPE):
            yield line, kgx.of_cells(read)
            return
        read = {name: cell for name, cell in read.items() if cell}
    if missing := [name for name in needed(file.kind) if read.get(name) in (None, "", [])]:
        raise RecordError(f"has no {missing[0]!r}; give it one")
    yield line, {name: value for name, value in read.items() if value is not None}


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
        said = "holds no KGX graph: call its files nodes.tsv and edges.tsv (or .csv, .jsonl), perhaps with a name and _"
        raise SourceFileError(f"{said} in front, or give one .json with nodes and edges", path)
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


INFO: Final = INFOS["kgx"]

_PARTS: Final[Collection[str]] = ("document", "section", "question")


def records(path: Path, name: str = "") -> Iterator[Item]:
    """Read a KGX graph: sources as they appear, entities, relations, then documents, in the order of the files."""
    with files(path) as found:
        sources = _sources(found)
        reader = Reader(name or _info(path, sources).id)
        yield from without_only(_records(path, found, reader), sources)


def describe(path: Path) -> SourceInfo:
    """Tell which source a graph is: the one that an export holds; otherwise it is called after its file."""
    with files(path) as found:
        return _info(path, _sources(found))


def recognise(path: Path) -> bool:
    """Tell whether something is a folder or document with nodes and edges, or a tar archive that begins with them."""
    try:
        if path.is_dir():
            found = [f for file in path.iterdir() if NAME.fullmatch(file.name) for f in found_in(file, str(file))]
            return {file.kind for file in found} >= {"nodes", "edges"} and all(map(_first_fits, found))
        if path.name.lower().endswith(ARCHIVES):
            with tarfile.open(path) as archive:
                members = (member for member in archive if member.isreg())
                return NAME.fullmatch(next(members).name.rpartition("/")[2]) is not None
    except (tarfile.TarError, OSError, EOFError, StopIteration, SourceFileError):
        return False
    return path.name.lower().endswith(DOCUMENTS) and is_document(path)


SOURCE: Final = Source(INFO, records, order=30, describe=describe, recognise=recognise, names_parts=True)


def _records(path: Path, found: list[File], reader: Reader) -> Iterator[Item]:
    ours = any(map(_is_ours, found))
    with_documents: set[File] = set()
    for kind in ("sources", "nodes", "edges"):
        files = [file for file in found if file.kind == kind]
        every = (each(f.shown, lines(f), partial(_items, f, reader, with_documents)) for f in files)
        items = chain.from_iterable(every)
        # In an export of ours each thing that a source states is there once.
        yield from items if ours else united(_names(files), items)
    read = {file.path for file in found}
    for beside in sorted({*path.iterdir()} - read) if path.is_dir() else ():
        reader.pass_over("files beside those of the graph are not read", beside.name, str(path))
    for document in {file.path for file in found if file.form == "json"}:
        for name, value in json_items.members(document, {"nodes", "edges"}, lenient=True).items():
            reader.pass_over(f"{name[:60]} of the document is not read", str(value)[:200], str(document))
    yield from reader.left_out()
    for file in found:
        if file.kind == "nodes" and file in with_documents:
            assembler = Assembler(file.shown)
            # Others were rejected, or yielded, when the file was read first.
            parts = (item for item in lines(file) if isinstance(item, tuple) and item[1].get(kgx.KIND) in _PARTS)
            yield from each(file.shown, parts, lambda line, data, add=assembler.add: add(*kgx.of_object(data), line))
            yield from assembler.finish()


def _items(file: File, reader: Reader, with_documents: set[File], line: int, data: dict[str, Any]) -> Iterator[Item]:
    """Read a node or edge; files are noted that have documents, or parts of them, which are read apart."""
    mark, apart, own, other = (kgx.KIND, _PARTS, _own_node, reader.node)
    if file.kind == "edges":
        mark, apart, own, other = (kgx.TYPE, kgx.LINKS, _own_edge, reader.edge)
    if data.get(mark) in apart:
        with_documents.add(file)
    else:
        yield from (own if mark in data else other)(data, file.shown, line)


def _names(found: list[File]) -> Iterator[list[str]]:
    """Give the ids of nodes, and those of the ends of edges, in the standard form."""
    for file in found:
        for item in lines(file):
            if not isinstance(item, Reject):
                ends = ("subject", "object") if file.kind == "edges" else ("id",)
                yield [prefixes.standard(text) or text for text in (str(item[1].get(name, "")) for name in ends)]


def _is_ours(file: File) -> bool:
    first = next((item[1] for item in lines(file) if not isinstance(item, Reject)), {})
    return kgx.KIND in first or kgx.TYPE in first


def _own_node(data: dict[str, Any], file: str, line: int) -> Iterator[Item]:
    for said in data.get(kgx.STATEMENTS) or [data]:
        if not isinstance(said, dict):
            raise RecordError(f"{kgx.STATEMENTS} holds something that is no JSON object in {{}}")
        flat, source = kgx.of_object(said)
        yield Row(restore(flat), file, line, "" if flat.kind == "source" else source)


def _own_edge(data: dict[str, Any], file: str, line: int) -> Iterator[Item]:
    flat, source = kgx.of_object(data)
    yield Row(restore(flat), file, line, source)


def _info(path: Path, sources: list[SourceInfo]) -> SourceInfo:
    endings = "|".join(map(re.escape, (*ARCHIVES, *DOCUMENTS)))
    name = re.sub(rf"({endings})$|[_.-]?(nodes|edges|sources)\.(tsv|csv|jsonl)(\.gz)?$", "", path.resolve().name)
    return info_of(INFO, sources, name)


def _sources(found: list[File]) -> list[SourceInfo]:
    sources = []
    for file in found:
        for item in lines(file) if file.kind == "sources" else ():
            if isinstance(item, Reject) or item[1].get(kgx.KIND) != "source":
                continue
            with suppress(RecordError):  # rejected when the file is read
                sources.append(restore(kgx.of_object(item[1])[0]))
    return sources


def _first_fits(file: File) -> bool:
    item = next(lines(file), None)
    return item is None or (not isinstance(item, Reject) and all(name in item[1] for name in needed(file.kind)))
