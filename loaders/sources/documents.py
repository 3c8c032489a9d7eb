"""Documents in medgraph's own JSONL form: what people write to bring their own corpus.

One document a line, UTF-8, packed with gzip or not:

```json
{"id": "a1", "title": "Asthma", "url": "https://…", "sections": [{"id": "a1#s", "type": "symptoms", "text": "…"}]}
```

`id` and `title` of a document and `text` of a section are required; `url`, `published` (an ISO date) and `collection`
of a document, and `id`, `heading`, `type` and `question` of a section are not. Ids are kept as given; a section
without one is called `<document id>#<its number, from 1>`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError
from ...schema.checks import check_id
from ...schema.records import Document, Section, SourceInfo
from ...schema.vocabulary import section_type
from ..base import Reject, Row, Source
from ..files import json_text, texts

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ..base import Item

INFO: Final = SourceInfo(
    id="documents",
    title="Documents of your own",
    version="unversioned",
    licence="LicenseRef-unstated",
    url="",
)

MAX_LINE: Final = 100_000_000

_DOCUMENT_KEYS: Final = {"id", "title", "url", "published", "collection", "sections"}
_SECTION_KEYS: Final = {"id", "heading", "type", "question", "text"}


def records(path: Path) -> Iterator[Item]:
    """Read a JSONL file of documents.

    Yields:
        A row a line, or a reject for a line that cannot be used; blank lines are passed over.

    Raises:
        SourceFileError: The file cannot be read, or is empty.
    """
    for item in texts.raw_lines(path, MAX_LINE):
        if isinstance(item, Reject):
            yield item
        elif item[1].strip():
            yield _row(str(path), *item)


def _estimate(path: Path) -> int:
    return sum(1 for item in texts.raw_lines(path, MAX_LINE) if isinstance(item, Reject) or item[1].strip())


SOURCE: Final = Source(INFO, records, _estimate, order=43, unit="document", describe=lambda _: INFO)


def _row(file: str, number: int, line: bytes) -> Item:
    try:
        return Row(_document(json_text.parse(line)), file, number)
    except RecordError as error:
        return Reject(file, number, str(error))


def _document(data: Any) -> Document:
    _check_keys("document", data, _DOCUMENT_KEYS)
    document_id = check_id(_string(data, "id", required=True))
    parts = data.get("sections")
    if not isinstance(parts, list) or not parts:
        raise RecordError("'sections' must be a list of at least one section")
    return Document(
        id=document_id,
        title=_string(data, "title", required=True),
        url=_string(data, "url"),
        collection=_string(data, "collection"),
        published=_string(data, "published"),
        sections=tuple(_section(document_id, number, part) for number, part in enumerate(parts, 1)),
    )


def _section(document_id: str, number: int, data: Any) -> Section:
    _check_keys(f"section {number}", data, _SECTION_KEYS)
    try:
        return Section(
            id=_string(data, "id") or f"{document_id}#{number}",
            text=_string(data, "text", required=True),
            type=section_type(_string(data, "type")),
            heading=_string(data, "heading"),
            question=_string(data, "question"),
        )
    except RecordError as error:
        raise RecordError(f"section {number}: {error}") from error


def _check_keys(what: str, data: Any, known: set[str]) -> None:
    if not isinstance(data, dict):
        raise RecordError(f"{what} is not a JSON object in {{}}")
    if unknown := data.keys() - known:
        raise RecordError(f"{what} has the unknown key {min(unknown)!r}; known are {', '.join(sorted(known))}")


def _string(data: dict[str, Any], key: str, *, required: bool = False) -> str:
    value = data.get(key)
    if value is None and not required:
        return ""
    if not isinstance(value, str) or (required and not value.strip()):
        raise RecordError(f"{key!r} must be a text{' that is not empty' if required else ''}")
    return value
