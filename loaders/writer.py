"""The only place that writes what sources yield: one transaction a batch, and nothing twice."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from .. import cypher
from ..schema.records import Document, Entity, Relation, content_hash
from .base import Reject
from .comparison import Comparison, key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..cypher import Query
    from ..database import Database
    from ..schema.records import Record
    from .base import Row
    from .comparison import Outcome

    Statement = tuple[Query, Mapping[str, Any]]

BATCH_ROWS: Final = 500
BATCH_CHARACTERS: Final = 4_000_000


class Writer:
    """Stores the records of one load.

    Args:
        database: Where to.
        source: The id of the source that the records are from.
        load: The id of the load; None for a dry run, which only compares.
    """

    def __init__(self, database: Database, source: str, load: str | None) -> None:
        self._database = database
        self._source = source
        self._load = load
        self._comparison = Comparison(database, source, load)

    def compare(self, rows: list[Row]) -> Outcome:
        """Find out what storing a batch would do.

        Args:
            rows: Rows with records of one kind.

        Returns:
            What would become of each row.

        Raises:
            DatabaseError: The database refused or went away.
        """
        return self._comparison.compare(rows)

    def store(self, outcome: Outcome, counts: Mapping[str, int]) -> None:
        """Store a batch in one transaction, together with how far the load has come.

        Args:
            outcome: What `compare` found.
            counts: The load's counts after this batch.

        Raises:
            DatabaseError: Nothing of the batch is stored.
        """
        advance = (cypher.get("advance_load"), {"load": self._load, "counts": counts})
        self._database.write_all([*self._statements(outcome), advance])

    def _statements(self, outcome: Outcome) -> Iterator[Statement]:
        written = [*outcome.added, *outcome.changed]
        common = {"source": self._source, "load": self._load}
        first = next((row.record for row in (*written, *outcome.unchanged)), None)
        if isinstance(first, Relation):
            yield cypher.get("write_relations"), {"rows": [asdict(row.record) for row in written], **common}
        elif isinstance(first, Entity):
            yield cypher.get("touch_entities"), {"ids": [key(row.record) for row in outcome.unchanged], **common}
            yield cypher.get("write_entities"), {"rows": list(_entity_rows(written)), **common}
        elif isinstance(first, Document):
            yield cypher.get("touch_documents"), {"ids": [key(row.record) for row in outcome.unchanged], **common}
            if outcome.changed:
                yield cypher.get("clear_documents"), {"ids": [key(row.record) for row in outcome.changed]}
            documents = [row.record for row in written if isinstance(row.record, Document)]
            yield from self._document_statements(documents, common)

    def _document_statements(self, documents: list[Document], common: Mapping[str, Any]) -> Iterator[Statement]:
        rows = [
            {
                "hash": content_hash(d),
                "properties": {
                    "id": d.id,
                    "title": d.title,
                    "url": d.url,
                    "source": self._source,
                    "collection": d.collection,
                    "published": d.published,
                },
            }
            for d in documents
        ]
        yield cypher.get("write_documents"), {"rows": rows, **common}
        yield cypher.get("write_sections"), {"rows": list(self._section_rows(documents))}
        yield cypher.get("write_answered_questions"), {"rows": list(self._answered_rows(documents))}
        yield cypher.get("write_open_questions"), {"rows": list(self._open_rows(documents))}
        links = [{"document": d.id, "entity": entity} for d in documents for entity in d.about]
        yield cypher.get("write_about"), {"rows": links, "source": self._source}

    def _section_rows(self, documents: Iterable[Document]) -> Iterator[dict[str, Any]]:
        for document in documents:
            for position, section in enumerate(document.sections, 1):
                properties = asdict(section) | {
                    "title": document.title,
                    "aliases": list(document.aliases),
                    "position": position,
                    "source": self._source,
                    "collection": document.collection,
                    "published": document.published,
                }
                yield {"document": document.id, "properties": properties}

    def _answered_rows(self, documents: Iterable[Document]) -> Iterator[dict[str, Any]]:
        for document in documents:
            for section in document.sections:
                if section.question.strip():
                    properties = self._question(document, section.id, section.question, section.type)
                    yield {"section": section.id, "properties": properties}

    def _open_rows(self, documents: Iterable[Document]) -> Iterator[dict[str, Any]]:
        for document in documents:
            for question in document.questions:
                properties = self._question(document, question.id, question.text, question.type)
                yield {"document": document.id, "properties": properties}

    def _question(self, document: Document, question_id: str, text: str, kind: str) -> dict[str, Any]:
        return {
            "id": question_id,
            "text": text,
            "type": kind,
            "generated": False,
            "source": self._source,
            "collection": document.collection,
            "published": document.published,
        }


def batches(rows: Iterable[Row | Reject]) -> Iterator[list[Row | Reject]]:
    """Cut a stream into batches bounded by rows and characters, each with records of one kind.

    Args:
        rows: Rows and rejects, in the source's order.

    Yields:
        Lists that are not empty.
    """
    batch: list[Row | Reject] = []
    size, kind = 0, None
    for row in rows:
        weight, row_kind = (0, kind) if isinstance(row, Reject) else (_weight(row.record), type(row.record))
        full = len(batch) >= BATCH_ROWS or size + weight > BATCH_CHARACTERS
        if batch and (full or (kind is not None and row_kind is not kind)):
            yield batch
            batch, size = [], 0
        batch.append(row)
        size, kind = size + weight, row_kind
    if batch:
        yield batch


def _weight(record: Record) -> int:
    return sum(len(section.text) for section in record.sections) if isinstance(record, Document) else 0


def _entity_rows(rows: Iterable[Row]) -> Iterator[dict[str, Any]]:
    for row in rows:
        entity = row.record
        assert isinstance(entity, Entity)
        yield {
            "label": entity.label,
            "hash": content_hash(entity),
            "properties": {
                "id": entity.id,
                "name": entity.name,
                "synonyms": list(entity.synonyms),
                "definition": entity.definition,
            },
            "concepts": list(entity.concepts),
            "semantic_types": list(entity.semantic_types),
        }
