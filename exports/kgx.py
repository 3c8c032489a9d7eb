"""Statements as a KGX graph: nodes and edges, as JSON Lines or TSV, that load again without loss.

What sources are stands beside them, in a file of its own: KGX knows no nodes that are not of the graph.
"""

from __future__ import annotations

import json
import re
import tempfile
from contextlib import ExitStack
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, Self

from ..files import writing_whole
from ..schema.exchange import biolink, kgx
from ..schema.exchange.flat import flats
from ..schema.records import Document, Entity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path
    from typing import TextIO

    from ..schema.records import Record

    Statement = tuple[str, Record]
    Line = tuple[str, dict[str, Any]]

_FILES: Final = ("nodes", "edges", "sources")
_PLACES: Final = {"relation": "edges", "source": "sources"}
_CURIE: Final = re.compile("[^ <()>:]+:[^/ :]+$")
_FIRST: Final = ("id", "category", "name", "subject", "predicate", "object")


class Spool:
    """Rows of a table whose columns show themselves on the way; use it in a `with` block."""

    def __init__(self) -> None:
        self.columns: dict[str, None] = {}  # those that rows had so far, in the order in which they came up
        self._file = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - its owner closes it

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, row: Mapping[str, Any]) -> None:
        """Keep a row."""
        self.columns.update(dict.fromkeys(row))
        self._file.write(json.dumps(row) + "\n")

    def __iter__(self) -> Iterator[dict[str, Any]]:
        self._file.seek(0)
        for line in self._file:
            yield json.loads(line)


def write(
    folder: Path, statements: Iterable[Statement], *, table: bool = False, force: bool = False
) -> tuple[list[Path], list[str]]:
    """Write a KGX graph: `nodes`, `edges` and `sources` in a folder, which is made.

    Args:
        statements: Pairs of a source's id and a record: sources, entities with those of one id together, relations,
            documents.
        table: Write TSV; JSON Lines otherwise.

    Returns:
        The files; and a line on ids that KGX's validator finds fault with, if there are any.
    """
    paths = [folder / f"{name}.{'tsv' if table else 'jsonl'}" for name in _FILES]
    odd = _Odd()
    made = not folder.exists() and folder.parent.is_dir()
    if made:
        folder.mkdir()
    try:
        with writing_whole(paths, force=force) as handles:
            files = dict(zip(_FILES, handles, strict=True))
            (_write_tables if table else _write_lines)(files, odd.seen(_lines(statements)))
    except BaseException:
        if made:
            folder.rmdir()
        raise
    return paths, odd.remarks()


class _Odd:
    """Looks for ids that others will complain of."""

    def __init__(self) -> None:
        self._prefixes: dict[str, None] = {}
        self._no_curies = 0

    def seen(self, lines: Iterable[Line]) -> Iterator[Line]:
        """Look at the ids of nodes; the lines go through."""
        for file, data in lines:
            if file == "nodes" and not _CURIE.match(data["id"]):
                self._no_curies += 1
            elif file == "nodes" and (prefix := data["id"].partition(":")[0]) not in biolink.PREFIXES:
                self._prefixes[prefix] = None
            yield file, data

    def remarks(self) -> list[str]:
        """Say what was found."""
        found = [f"prefixes that Biolink does not list ({', '.join(sorted(self._prefixes))})"] * bool(self._prefixes)
        found += [f"{self._no_curies:,} ids that are no CURIEs to it"] * bool(self._no_curies)
        return [f"KGX's validator will name {' and '.join(found)}; they are written as they are"] if found else []


def _write_lines(files: dict[str, TextIO], lines: Iterable[Line]) -> None:
    for file, data in lines:
        files[file].write(json.dumps(data, ensure_ascii=False) + "\n")


def _write_tables(files: dict[str, TextIO], lines: Iterable[Line]) -> None:
    with ExitStack() as stack:
        spools = {name: stack.enter_context(Spool()) for name in files}
        for file, data in lines:
            spools[file].add(kgx.to_cells(data))
        for name, spool in spools.items():
            needed = ("subject", "predicate", "object", kgx.TYPE) if name == "edges" else ("id", "category", kgx.KIND)
            columns = sorted({*spool.columns, *needed}, key=_order)
            files[name].write("\t".join(columns) + "\n")
            for row in spool:
                files[name].write("\t".join(row.get(column, "") for column in columns) + "\n")


def _order(column: str) -> tuple[int, bool, str]:
    place = _FIRST.index(column) if column in _FIRST else len(_FIRST)
    return place, column.startswith(kgx.OURS), column


def _lines(statements: Iterable[Statement]) -> Iterator[Line]:
    for _, group in groupby(statements, lambda pair: pair[1].id if isinstance(pair[1], Entity) else id(pair[1])):
        same = list(group)
        if len(same) > 1:
            yield "nodes", _merged(same)
            continue
        source, record = same[0]
        for flat in flats(record):
            yield _PLACES.get(flat.kind, "nodes"), kgx.to_object(flat, source)
        if isinstance(record, Document):
            yield from (("edges", edge) for edge in _links(record, source))


def _merged(statements: Iterable[Statement]) -> dict[str, Any]:
    """Write what several sources state of one entity as one node: the first source's word, and everybody's lists."""
    nodes = [kgx.to_object(flat, source) for source, record in statements for flat in flats(record)]
    lists = {name for data in nodes for name, value in data.items() if isinstance(value, list) and name != "category"}
    union = {name: list(dict.fromkeys(i for data in nodes for i in _items(data, name))) for name in sorted(lists)}
    return nodes[0] | union | {kgx.STATEMENTS: nodes}


def _items(data: dict[str, Any], name: str) -> list[str]:
    value = data.get(name, [])
    return value if isinstance(value, list) else []


def _links(document: Document, source: str) -> Iterator[dict[str, Any]]:
    for section in document.sections:
        yield kgx.link("HAS_SECTION", document.id, section.id, source)
    for question in document.questions:
        yield kgx.link("ANSWERED_AT", document.id, question.id, source)
    for entity in document.about:
        yield kgx.link("ABOUT", document.id, entity, source)
