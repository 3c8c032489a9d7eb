"""Pages on diseases whose parts stand in columns of a table, or under keys of a JSONL, a disease a row.

One column names the disease (`disease`, `title` or `name`); each other one that is called like a section type
(`overview`, `symptoms`, `causes`, `risk factors`, `at risk`, `complications`, `treatment`, `prevention`, `diagnosis`, …
in any spelling: `risk_factors`, `RiskFactors`) becomes a section. `id`, `url`, `published`, `collection` and `synonyms`
(a list, see `cells`) may be there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ...errors import RecordError, SourceFileError
from ...schema.records import Document, Entity, Section
from ...schema.vocabulary import SECTION_TYPES, section_type
from .. import mending
from ..base import INFOS, Item, Reject, Row, Source
from ..files import cell_values, marks, tables
from ..mending import LeftOut

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from ..files.nested import Cell

INFO: Final = INFOS["disease-pages"]

_NAMES: Final = tuple(cell_values.columns("page"))
_FACTS: Final = cell_values.columns("page facts")
_MORE_TYPES: Final = cell_values.columns("page sections")
_NUMBERS: Final = cell_values.columns("numbers")
_FEWEST: Final = 3


def records(path: Path, prefix: str = "") -> Iterator[Item]:
    """Read a table of pages: a disease a row, then a document a row; a remark for each column that is not read."""
    prefix = cell_values.own_prefix(prefix, cell_values.stem(path))
    unknown: dict[str, None] = {}
    for line, item in _pages(path, prefix):
        if isinstance(item, Reject):
            yield item
            continue
        row, disease, _, notes = item
        yield from mending.remarks(notes, disease.name[:80], str(path), line)
        unknown |= {name: None for name in row if not _known(name)}
        yield Row(disease, str(path), line)
    if unknown:
        yield from LeftOut.columns([f"{name[:80]} is no type of section" for name in unknown], str(path))
    for line, item in _pages(path, prefix):
        if not isinstance(item, Reject):
            yield Row(item[2], str(path), line)


def _recognise(path: Path) -> bool:
    header = [cell_values.plain_header(name) for name in cell_values.first_row(path)]
    types = {_type(name) for name in header} - {""}
    return "information" in types and len(types) >= _FEWEST and any(name in _NAMES for name in header)


SOURCE: Final = Source(
    INFO,
    records,
    order=44,
    describe=lambda path: replace(INFO, id=cell_values.stem(path)),
    recognise=_recognise,
    options={"prefix": "what comes before the ids of pages; by default the name of the file"},
)


def _type(header: str) -> str:
    kind = _MORE_TYPES.get(header) or section_type(header)
    return kind if kind in SECTION_TYPES else ""


def _known(name: str) -> bool:
    plain = cell_values.plain_header(name)
    return plain in _NAMES or plain in _FACTS or plain in _NUMBERS or bool(_type(plain))


def _pages(
    path: Path, prefix: str
) -> Iterator[tuple[int, tuple[dict[str, Cell], Entity, Document, list[str]] | Reject]]:
    first = True
    for item in tables.read_cells(path):
        if isinstance(item, Reject):
            yield item.line, item
            continue
        line, row = item
        if first and not (_name_column(row) and any(_type(cell_values.plain_header(name)) for name in row)):
            there = ", ".join(map(repr, row))[:500]
            said = f"needs a column {', '.join(map(repr, _NAMES))} and one called like a section type; has {there}"
            raise SourceFileError(said, path, line)
        first = False
        notes: list[str] = []
        try:
            page = _document(row, prefix, notes)
            yield line, (row, Entity(page.id, "Disease", page.title, page.aliases), page, notes)
        except RecordError as error:
            yield line, Reject(str(path), line, str(error))


def _name_column(row: Mapping[str, Cell]) -> str:
    plain = {cell_values.plain_header(name): name for name in reversed(list(row))}
    return next((plain[word] for word in _NAMES if word in plain), "")


def _document(row: Mapping[str, Cell], prefix: str, notes: list[str]) -> Document:
    title = " ".join(_text(row.get(_name_column(row), "")).split())
    if not title:
        raise RecordError(f"the row names no disease; fill one of {', '.join(_NAMES)}")
    headed = [(cell_values.plain_header(name), cell) for name, cell in row.items()]
    facts = {_FACTS[plain]: _text(cell) for plain, cell in headed if plain in _FACTS}
    document_id = facts.get("id") or cell_values.slug(title)
    document_id = document_id if ":" in document_id else f"{prefix}:{document_id}"
    sections = tuple(_sections(row, document_id))
    if not sections:
        raise RecordError(f"the page on {title[:80]!r} has no section with a text")
    listed: list[str] = []
    for cell in (cell for plain, cell in headed if _FACTS.get(plain) == "synonyms"):
        try:
            listed += cell_values.names(cell) if isinstance(cell, str) else cell
        except RecordError as error:
            notes.append(f"its other names are left out: {error}")
    return Document(
        id=document_id,
        title=title,
        url=facts.get("url", ""),
        collection=facts.get("collection", ""),
        published=mending.date(facts.get("published", ""), notes),
        sections=sections,
        about=(document_id,),
        aliases=tuple(name for name in dict.fromkeys(listed) if name.lower() != title.lower()),
    )


def _sections(row: Mapping[str, Cell], document_id: str) -> Iterator[Section]:
    name_column = _name_column(row)
    for name, cell in row.items():
        header = cell_values.plain_header(name)
        kind = _type(header)
        text = _text(cell)
        if kind and text and name != name_column and header not in _FACTS:
            yield Section(f"{document_id}#{cell_values.slug(header)}", text, kind, header.capitalize())


def _text(cell: Cell) -> str:
    """Give a cell's text; paragraphs that stand in a list get a line each."""
    text = (cell if isinstance(cell, str) else "\n".join(cell)).strip()
    return "" if cell_values.is_nothing(text) else marks.written(text)
