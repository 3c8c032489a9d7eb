"""Documents in medgraph's own JSONL form: what people write to bring their own corpus.

One document a line, UTF-8, packed with gzip or not:

```json
{"id": "a1", "title": "Asthma", "url": "https://…", "sections": [{"id": "a1#s", "type": "symptoms", "text": "…"}]}
```

`id` and `title` of a document and `text` of a section are required; `url`, `published` (an ISO date) and `collection`
of a document, and `id`, `heading`, `type`, `question` and `language` (such as `fr`) of a section are not. Ids are kept
as given; a section without one is called `<document id>#<its number, from 1>`. What cannot be held, such as a day that
does not exist, an empty title or a section without text, is left out with a remark.

The source `graph` loads the texts on relations that `medgraph index subgraphs` writes: medgraph's own records.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError
from ...schema.checks import check_id
from ...schema.languages import stored_tag
from ...schema.records import Document, Section
from ...schema.rows import from_json
from ...schema.vocabulary import section_type
from ...text import did_you_mean
from .. import mending
from ..base import INFOS, Item, Reject, Row, Source, each
from ..files import json_items, marks, texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


INFO: Final = INFOS["documents"]
_GRAPH: Final = INFOS["graph"]

MAX_LINE: Final = 100_000_000
_MAX_STORED: Final = 10_000_000

_DOCUMENT_KEYS: Final = {"id", "title", "url", "published", "collection", "sections"}
_SECTION_KEYS: Final = {"id", "heading", "type", "question", "text", "language"}


def records(path: Path) -> Iterator[Item]:
    """Read a JSONL file of documents: a row or a reject a line; blank lines are passed over."""
    return _parse(path, MAX_LINE, _items)


def _parse(path: Path, longest: int, make: Callable[[str, int, bytes], Iterator[Item]]) -> Iterator[Item]:
    return each(str(path), _lines(path, longest), partial(make, str(path)))


def _lines(path: Path, longest: int) -> Iterator[tuple[int, bytes] | Reject]:
    return (item for item in texts.raw_lines(path, longest) if isinstance(item, Reject) or item[1].strip())


def _estimate(path: Path) -> int:
    return sum(1 for _ in _lines(path, MAX_LINE))


SOURCES: Final = (
    Source(INFO, records, _estimate, order=43, unit="document", describe=lambda _: INFO),
    Source(_GRAPH, lambda path: _parse(path, _MAX_STORED, _stored), order=60, unit="document"),
)


def _stored(file: str, number: int, line: bytes) -> Iterator[Item]:
    try:
        yield Row(from_json(Document, line.decode()), file, number)
    except (RecordError, ValueError, TypeError, AttributeError, KeyError) as error:
        raise RecordError(f"is no document as medgraph writes it: {error}") from error


def _items(file: str, number: int, line: bytes) -> Iterator[Item]:
    notes: list[str] = []
    document = _document(json_items.parse(line), notes)
    yield Row(document, file, number)
    yield from mending.remarks(notes, document.id, file, number)


def _document(data: Any, notes: list[str]) -> Document:
    _check_keys("document", data, _DOCUMENT_KEYS)
    document_id = check_id(_string(data, "id", required=True))
    parts = data.get("sections")
    if not isinstance(parts, list) or not parts:
        raise RecordError("'sections' must be a list of at least one section")
    sections: list[Section] = []
    translations: list[str] = []
    for number, part in enumerate(parts, 1):
        _check_keys(f"section {number}", part, _SECTION_KEYS)
        said = _string(part, "language")
        language = stored_tag(said) if said else ""
        if not _string(part, "text").strip():
            notes.append(f"section {number} has no text, and is left out")
        elif language.partition("-")[0] in {"", "en"}:
            sections.append(_section(document_id, number, part))
        else:
            translations.append(f"{marks.written(part['text'])}@{language}")
    return Document(
        id=document_id,
        title=mending.title(marks.written(_string(data, "title")), notes),
        url=_string(data, "url"),
        collection=_string(data, "collection"),
        published=mending.date(_string(data, "published"), notes),
        sections=tuple(sections),
        translations=tuple(translations),
    )


def _section(document_id: str, number: int, data: Any) -> Section:
    try:
        return Section(
            id=_string(data, "id") or f"{document_id}#{number}",
            text=marks.written(_string(data, "text")),
            type=section_type(_string(data, "type")),
            heading=marks.written(_string(data, "heading")),
            question=marks.written(_string(data, "question")),
        )
    except RecordError as error:
        raise RecordError(f"section {number}: {error}") from error


def _check_keys(what: str, data: Any, known: set[str]) -> None:
    if not isinstance(data, dict):
        raise RecordError(f"{what} is not a JSON object in {{}}")
    if unknown := data.keys() - known:
        raise RecordError(f"{what} has the unknown key {min(unknown)!r}{did_you_mean(min(unknown), sorted(known))}")


def _string(data: dict[str, Any], key: str, *, required: bool = False) -> str:
    value = data.get(key)
    if value is None and not required:
        return ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)  # a year, a number for an id
    if not isinstance(value, str) or (required and not value.strip()):
        raise RecordError(f"{key!r} must be a text{' that is not empty' if required else ''}")
    return value
