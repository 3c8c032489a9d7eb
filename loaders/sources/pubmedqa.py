"""PubMedQA (github.com/pubmedqa/pubmedqa): abstracts of PubMed by PMID in one JSON object, such as `ori_pqal.json`.

A record becomes a document of its abstract's sections. What the set evaluates is left alone: `QUESTION`, `LONG_ANSWER`
and the yes, no or maybe of `final_decision` and the predictions; whoever loads the set can still be measured with it.
The same article may come from PubMed too, and a document has one source: these are called `pubmedqa:10135926`.
"""

from __future__ import annotations

import re
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError
from ...schema.records import Document, Section
from ...schema.vocabulary import part_type
from .. import mending
from ..base import INFOS, Item, Reject, Row, Source
from ..files import json_items, marks
from ..files.texts import open_source

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


INFO: Final = INFOS["pubmedqa"]

_RECORD_BYTES: Final = 2200
_BEGINNING: Final = re.compile(r'\s*\{\s*"[1-9]\d{0,9}"\s*:\s*\{\s*"(?:QUESTION|CONTEXTS)"')
_PMID: Final = re.compile(r"[1-9]\d{0,9}")


def records(path: Path) -> Iterator[Item]:
    """Read a document an entry, in the file's order; one that is cut off is an error after what came before."""
    with closing(open_source(path)) as file:
        for pmid, line, data in json_items.members_of(json_items.JsonText(file, path), set()):
            notes: list[str] = []
            try:
                yield Row(_document(pmid, data, notes), str(path), line)
            except RecordError as error:
                yield Reject(str(path), line, f"entry {pmid[:20]!r}: {error}")
            yield from mending.remarks(notes, f"entry {pmid[:20]!r}", str(path), line)


def recognise(path: Path) -> bool:
    """Tell whether a file is PubMedQA's."""
    if not path.name.endswith((".json", ".json.gz")):
        return False
    with open_source(path) as file:
        return _BEGINNING.match(file.read(200).decode("utf-8", "replace")) is not None


SOURCE: Final = Source(
    INFO, records, lambda path: path.stat().st_size // _RECORD_BYTES, order=42, recognise=recognise, unit="document"
)


def _document(pmid: str, data: Any, notes: list[str]) -> Document:
    if isinstance(data, RecordError):
        raise data
    if not _PMID.fullmatch(pmid) or not isinstance(data, dict):
        raise RecordError("an entry is a PMID (a number) with an object")
    contexts, labels = _strings(data, "CONTEXTS"), _strings(data, "LABELS")
    if len(contexts) != len(labels):
        raise RecordError(f"has {len(contexts)} CONTEXTS and {len(labels)} LABELS; each part has one of both")
    document, headings = f"pubmedqa:{pmid}", _strings(data, "MESHES")
    published = mending.date(str(data.get("YEAR") or ""), notes)
    notes += [f"part {n} has no text, and is left out" for n, part in enumerate(contexts, 1) if not part.strip()]
    return Document(
        id=document,
        title=f"PubMed article {pmid}",  # its own title is the question that the set asks
        url=f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/",
        published=published,
        sections=tuple(
            Section(f"{document}#{number}", marks.written(part), part_type(label), label)
            for number, (part, label) in enumerate(zip(contexts, labels, strict=True), 1)
            if part.strip()
        ),
        properties=(("mesh_headings", headings),) if headings else (),
    )


def _strings(data: dict[str, Any], key: str) -> tuple[str, ...]:
    value = data.get(key, [])
    if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
        raise RecordError(f"{key!r} is not a list of texts")
    return tuple(value)
