"""KGX: nodes and edges of Biolink, as TSV or JSON Lines (github.com/biolink/kgx), and our own exports.

A graph is a folder or a tar archive with `nodes.tsv` and `edges.tsv` (or `.jsonl`, each perhaps packed with gzip and
with something in front, as in `monarch-kg_nodes.tsv`). Categories become labels and predicates relation types, with the
word of the file kept where ours says less. Whoever provided a node or an edge becomes a part of the source. What
`medgraph export kgx` wrote comes back as it was, documents too; see `schema/exchange/kgx.py`.
"""

from __future__ import annotations

import re
import tarfile
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError, SourceFileError
from ...schema.exchange import kgx
from ...schema.exchange.flat import restore
from ...schema.records import SourceInfo
from ..base import Reject, Row, Source
from .assembling import Assembler, info_of, without_only
from .kgx_files import ARCHIVES, NAME, File, files, lines, needed
from .kgx_foreign import Reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ..base import Item

INFO: Final = SourceInfo(
    id="kgx",
    title="A KGX graph",
    version="unversioned",
    licence="LicenseRef-unstated",
    url="https://github.com/biolink/kgx",
)

_PARTS: Final = ("document", "section", "question")


def records(path: Path) -> Iterator[Item]:
    """Read a KGX graph.

    Args:
        path: A folder, a tar archive, or one of its files.

    Yields:
        Sources as they appear, entities, relations, and at last documents, each in the order of the files.

    Raises:
        SourceFileError: There is no graph, or a file of it cannot be read.
    """
    with files(path) as found:
        sources = _sources(found)
        yield from without_only(_records(found, Reader(_info(path, sources).id)), sources)


def describe(path: Path) -> SourceInfo:
    """Tell which source a graph is: the one that an export holds; otherwise it is called after its file.

    Args:
        path: As for `records`.

    Returns:
        Name, release and licence, as far as the graph says them.

    Raises:
        SourceFileError: There is no graph.
    """
    with files(path) as found:
        return _info(path, _sources(found))


def recognise(path: Path) -> bool:
    """Tell whether something is a KGX graph.

    Args:
        path: A file or folder.

    Returns:
        Whether it is a folder with nodes and edges, or a tar archive that begins with them.
    """
    try:
        if path.is_dir():
            found = [file for file in path.iterdir() if NAME.fullmatch(file.name)]
            kinds = {File(file, "").kind for file in found}
            return kinds == {"nodes", "edges"} and all(_first_fits(File(file, "")) for file in found)
        if path.name.lower().endswith(ARCHIVES):
            with tarfile.open(path) as archive:
                members = (member for member in archive if member.isreg())
                return NAME.fullmatch(next(members).name.rpartition("/")[2]) is not None
    except (tarfile.TarError, OSError, EOFError, StopIteration, SourceFileError):
        return False
    return False


SOURCE: Final = Source(INFO, records, order=30, describe=describe, recognise=recognise)


def _records(found: list[File], reader: Reader) -> Iterator[Item]:
    documents = False

    def node(data: dict[str, Any], file: str, line: int) -> Iterator[Item]:
        nonlocal documents
        documents = documents or data.get(kgx.KIND) in _PARTS
        if data.get(kgx.KIND) not in _PARTS:
            yield from _own_node(data, file, line) if kgx.KIND in data else reader.node(data, file, line)

    def edge(data: dict[str, Any], file: str, line: int) -> Iterator[Item]:
        if data.get(kgx.TYPE) not in kgx.LINKS:
            yield from _own_edge(data, file, line) if kgx.TYPE in data else reader.edge(data, file, line)

    for file in found:
        yield from _each(file, node if file.kind == "nodes" else edge)
    if documents:
        for file in found:
            if file.kind == "nodes":
                yield from _documents(file)


def _each(file: File, read: Callable[[dict[str, Any], str, int], Iterator[Item]]) -> Iterator[Item]:
    for item in lines(file):
        if isinstance(item, Reject):
            yield item
            continue
        line, data = item
        try:
            yield from read(data, file.shown, line)
        except RecordError as error:
            yield Reject(file.shown, line, str(error))


def _own_node(data: dict[str, Any], file: str, line: int) -> Iterator[Item]:
    for said in data.get(kgx.STATEMENTS) or [data]:
        if not isinstance(said, dict):
            raise RecordError(f"{kgx.STATEMENTS} holds something that is no JSON object in {{}}")
        flat, source = kgx.of_object(said)
        yield Row(restore(flat), file, line, "" if flat.kind == "source" else source)


def _own_edge(data: dict[str, Any], file: str, line: int) -> Iterator[Item]:
    flat, source = kgx.of_object(data)
    yield Row(restore(flat), file, line, source)


def _documents(file: File) -> Iterator[Item]:
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


def _info(path: Path, sources: list[SourceInfo]) -> SourceInfo:
    name = re.sub(r"\.(tar|tar\.gz|tgz)$|[_.-]?(nodes|edges)\.(tsv|jsonl)(\.gz)?$", "", path.resolve().name)
    return info_of(INFO, sources, name)


def _sources(found: list[File]) -> list[SourceInfo]:
    """Read the sources that stand in front of an export of ours."""
    sources = []
    for item in lines(found[0]) if found[0].kind == "nodes" else ():
        if isinstance(item, Reject) or item[1].get(kgx.KIND) != "source":
            break
        try:
            sources.append(restore(kgx.of_object(item[1])[0]))
        except RecordError:  # rejected when the file is read
            break
    return sources


def _first_fits(file: File) -> bool:
    item = next(lines(file), None)
    return item is None or (not isinstance(item, Reject) and all(name in item[1] for name in needed(file.kind)))
