"""The only place that writes what sources yield: one transaction a batch, and nothing twice."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

from .. import cypher
from ..schema.records import Document, Entity, Relation, content_hash
from .base import Reject, Row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ..cypher import Query
    from ..database import Database
    from ..schema.records import Record

    Statement = tuple[Query, Mapping[str, Any]]

BATCH_ROWS: Final = 500
BATCH_CHARACTERS: Final = 4_000_000


@dataclass(slots=True)
class Outcome:
    """What became of the rows of a batch.

    Attributes:
        added: Records that were not in the graph.
        changed: Records that were there with other content.
        unchanged: Records that were there as they are.
        rejects: Records that cannot be stored.
    """

    added: list[Row] = field(default_factory=list)
    changed: list[Row] = field(default_factory=list)
    unchanged: list[Row] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)


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
        self._seen: dict[tuple[type, str], str] = {}

    def store(self, rows: list[Row], progress: Mapping[str, int]) -> Outcome:
        """Store a batch in one transaction, together with how far the load has come.

        Args:
            rows: Rows with records of one kind.
            progress: The load's counts before this batch, with `position` as after it.

        Returns:
            What became of each row.

        Raises:
            DatabaseError: Nothing of the batch is stored.
        """
        outcome = self._compare(rows)
        if self._load is not None:
            counts = dict(progress)
            for name in ("added", "changed", "unchanged"):
                counts[name] += len(getattr(outcome, name))
            counts["rejected"] += len(outcome.rejects)
            statements = [
                *self._statements(outcome),
                (cypher.get("advance_load"), {"load": self._load, "counts": counts}),
            ]
            self._database.write_all(statements)
        return outcome

    def _compare(self, rows: list[Row]) -> Outcome:
        outcome = Outcome()
        fresh = list(self._without_repeats(rows, outcome))
        if not fresh:
            return outcome
        if isinstance(fresh[0].record, Relation):
            self._compare_relations(fresh, outcome)
        elif isinstance(fresh[0].record, Entity):
            states = self._database.read(
                cypher.get("entity_states"), ids=[_key(row.record) for row in fresh], source=self._source
            )
            self._sort(fresh, {s["id"]: s | {"source": self._source, "taken": None} for s in states}, outcome)
        else:
            documents = [row.record for row in fresh if isinstance(row.record, Document)]
            asked = [{"id": d.id, "sections": [s.id for s in d.sections]} for d in documents]
            states = self._database.read(cypher.get("document_states"), rows=asked)
            self._sort(fresh, {s["id"]: s for s in states}, outcome)
        return outcome

    def _without_repeats(self, rows: list[Row], outcome: Outcome) -> Iterator[Row]:
        """Drop rows that repeat one before; without a load to compare with, remember all that went by."""
        if self._load is not None:
            self._seen = {}
        for row in rows:
            key, hashed = (type(row.record), _key(row.record)), content_hash(row.record)
            if key not in self._seen:
                self._seen[key] = hashed
                taken = self._sections_taken(row.record)
                if taken is None:
                    yield row
                else:
                    outcome.rejects.append(_reject(row, _TAKEN.format(taken)))
            elif self._seen[key] == hashed:
                outcome.unchanged.append(row)
            else:
                outcome.rejects.append(_reject(row, _DUPLICATE))

    def _sections_taken(self, record: Record) -> str | None:
        if not isinstance(record, Document):
            return None
        for section in record.sections:
            if self._seen.setdefault((type(section), section.id), record.id) != record.id:
                return section.id
        return None

    def _sort(self, rows: list[Row], states: Mapping[str, Mapping[str, Any]], outcome: Outcome) -> None:
        for row in rows:
            state = states.get(_key(row.record))
            if state is None:
                outcome.added.append(row)
            elif state["taken"]:
                outcome.rejects.append(
                    _reject(row, f"its section id {state['taken']!r} is in another document already")
                )
            elif state["source"] != self._source:
                outcome.rejects.append(_reject(row, f"this id belongs to the source {state['source']}"))
            elif state["hash"] == content_hash(row.record):
                outcome.unchanged.append(row)
            elif state["load"] == self._load:
                outcome.rejects.append(_reject(row, _DUPLICATE))
            else:
                outcome.changed.append(row)

    def _compare_relations(self, rows: list[Row], outcome: Outcome) -> None:
        states = self._database.read(
            cypher.get("relation_states"), rows=[asdict(row.record) for row in rows], source=self._source
        )
        for row, state in zip(rows, states, strict=True):
            if state["stored"]:
                outcome.unchanged.append(row)
            elif state["missing"] and (self._load is not None or (Entity, state["missing"]) not in self._seen):
                outcome.rejects.append(_reject(row, f"there is no entity {state['missing']!r}"))
            else:
                outcome.added.append(row)

    def _statements(self, outcome: Outcome) -> Iterator[Statement]:
        written = [*outcome.added, *outcome.changed]
        common = {"source": self._source, "load": self._load}
        first = next((row.record for row in (*written, *outcome.unchanged)), None)
        if isinstance(first, Relation):
            yield cypher.get("write_relations"), {"rows": [asdict(row.record) for row in written], **common}
        elif isinstance(first, Entity):
            yield cypher.get("touch_entities"), {"ids": [_key(row.record) for row in outcome.unchanged], **common}
            yield cypher.get("write_entities"), {"rows": list(_entity_rows(written)), **common}
        elif isinstance(first, Document):
            yield cypher.get("touch_documents"), {"ids": [_key(row.record) for row in outcome.unchanged], **common}
            if outcome.changed:
                yield cypher.get("clear_documents"), {"ids": [_key(row.record) for row in outcome.changed]}
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


_TAKEN: Final = "its section id {!r} is in another document already"
_DUPLICATE: Final = "another record with this id and other content came before it; the first one is kept"


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


def _key(record: Record) -> str:
    if isinstance(record, Relation):
        return f"{record.subject}\t{record.type}\t{record.object}"
    return record.id


def _reject(row: Row, reason: str) -> Reject:
    return Reject(row.file, row.line, f"{_key(row.record)}: {reason}")


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
