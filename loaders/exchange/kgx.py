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
import tarfile
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError, SourceFileError
from ...schema import prefixes
from ...schema.exchange import kgx
from ...schema.exchange.flat import restore
from ..base import INFOS, Reject, Row, Source
from ..files import json_items
from .assembling import Assembler, info_of, united, without_only
from .kgx_files import ARCHIVES, DOCUMENTS, NAME, files, found_in, is_document, lines, needed
from .kgx_foreign import Reader

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from ...schema.records import SourceInfo
    from ..base import Item
    from .kgx_files import File

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
        items = _items(files, reader, with_documents)
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
            for item in lines(file):
                if isinstance(item, Reject) or item[1].get(kgx.KIND) not in _PARTS:
                    continue  # rejected, or yielded, when the file was read first
                line, data = item
                try:
                    flat, source = kgx.of_object(data)
                except RecordError as error:
                    yield Reject(file.shown, line, str(error))
                    continue
                yield from assembler.add(flat, source, line)
            yield from assembler.finish()


def _items(found: list[File], reader: Reader, with_documents: set[File]) -> Iterator[Item]:
    """Read nodes and edges; files are noted that have documents, or parts of them, which are read apart."""
    for file in found:
        mark, apart, own, other = (kgx.KIND, _PARTS, _own_node, reader.node)
        if file.kind == "edges":
            mark, apart, own, other = (kgx.TYPE, kgx.LINKS, _own_edge, reader.edge)
        for item in lines(file):
            if isinstance(item, Reject):
                yield item
                continue
            line, data = item
            if data.get(mark) in apart:
                with_documents.add(file)
                continue
            try:
                yield from (own if mark in data else other)(data, file.shown, line)
            except RecordError as error:
                yield Reject(file.shown, line, str(error))


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
