"""What storing records would do: judged one after the other, in a dry run just as in a load."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from .. import cypher
from ..errors import RecordError
from ..schema.records import Document, Entity, Relation, content_hash
from .base import Reject

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..database import Database
    from ..schema.records import Record
    from .base import Row

    Verdict = Literal["added", "changed", "unchanged"]

_NO_LOAD: Final = ""


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


@dataclass(frozen=True, slots=True)
class _State:
    """A stored record: whose it is, what it holds, and which load saw it last."""

    source: str
    hash: str
    load: str
    parts: tuple[str, ...] = ()


class Comparison:
    """Compares the records of one load with the graph.

    Args:
        database: The graph.
        source: The id of the source that the records are from.
        load: The id of the load; None for a dry run, in which the graph does not learn of earlier batches.
    """

    def __init__(self, database: Database, source: str, load: str | None) -> None:
        self._database = database
        self._source = source
        self._load = load
        # Records of two kinds may share an id, as a disease and the page about it do.
        self._states: dict[tuple[type[Record], str], _State] = {}
        self._owners: dict[str, str | None] = {}
        self._relations: dict[str, bool] = {}
        self._missing: set[str] = set()

    def compare(self, rows: Sequence[Row]) -> Outcome:
        """Judge a batch.

        Args:
            rows: Rows with records of one kind.

        Returns:
            What would become of each row if they were stored one by one.

        Raises:
            DatabaseError: The database refused or went away.
        """
        if self._load is not None:
            for known in (self._states, self._owners, self._relations):
                known.clear()
        self._look_up([row.record for row in rows])
        outcome = Outcome()
        for row in rows:
            try:
                getattr(outcome, self._judge(row.record)).append(row)
            except RecordError as error:
                outcome.rejects.append(Reject(row.file, row.line, f"{key(row.record)}: {error}"))
        return outcome

    def _look_up(self, records: Sequence[Record]) -> None:
        relations = [
            record for record in records if isinstance(record, Relation) and key(record) not in self._relations
        ]
        if relations:
            self._look_up_relations(relations)
        entities = [key(r) for r in records if isinstance(r, Entity) and (Entity, r.id) not in self._states]
        if entities:
            for row in self._database.read(cypher.get("entity_states"), ids=entities, source=self._source):
                self._states[Entity, row["id"]] = _State(self._source, row["hash"], row["load"])
        documents = [r for r in records if isinstance(r, Document) and (Document, r.id) not in self._states]
        if documents:
            self._look_up_documents(documents)

    def _look_up_relations(self, relations: Sequence[Relation]) -> None:
        rows = [asdict(relation) for relation in relations]
        states = self._database.read(cypher.get("relation_states"), rows=rows, source=self._source)
        for relation, state in zip(relations, states, strict=True):
            self._relations[key(relation)] = state["stored"]
            self._missing.update(state["missing"])

    def _look_up_documents(self, documents: Sequence[Document]) -> None:
        for row in self._database.read(cypher.get("document_states"), ids=[d.id for d in documents]):
            state = _State(row["source"], row["hash"], row["load"], tuple(row["parts"]))
            self._states[Document, row["id"]] = state
        parts = [part for document in documents for part in _parts(document) if part not in self._owners]
        for row in self._database.read(cypher.get("part_owners"), ids=parts):
            self._owners[row["id"]] = row["document"]

    def _judge(self, record: Record) -> Verdict:
        return self._judge_relation(record) if isinstance(record, Relation) else self._judge_content(record)

    def _judge_relation(self, relation: Relation) -> Verdict:
        if self._relations[key(relation)]:
            return "unchanged"
        for entity in (relation.subject, relation.object):
            if entity in self._missing and (self._load is not None or (Entity, entity) not in self._states):
                raise RecordError(f"there is no entity {entity!r}")
        self._relations[key(relation)] = True
        return "added"

    def _judge_content(self, record: Entity | Document) -> Verdict:
        hashed, state = content_hash(record), self._states.get((type(record), record.id))
        verdict: Verdict = "changed" if state else "added"
        if state:
            if state.source != self._source:
                raise RecordError(f"this id belongs to the source {state.source}")
            if state.hash == hashed:
                verdict = "unchanged"
            elif state.load == (self._load or _NO_LOAD):
                raise RecordError("another record with this id and other content came before it; the first one is kept")
        parts = _parts(record) if isinstance(record, Document) else ()
        if verdict != "unchanged":
            self._claim(record.id, parts, state.parts if state else ())
        self._states[type(record), record.id] = _State(self._source, hashed, self._load or _NO_LOAD, parts)
        return verdict

    def _claim(self, document: str, parts: Sequence[str], former: Sequence[str]) -> None:
        """Give ids of sections and questions to a document, unless another one has them."""
        for part in parts:
            if self._owners.get(part, document) not in {None, document}:
                raise RecordError(f"its section id {part!r} is in another document already")
        self._owners.update(dict.fromkeys(former))
        self._owners.update(dict.fromkeys(parts, document))


def key(record: Record) -> str:
    """Name a record among those of its kind.

    Args:
        record: Any record.

    Returns:
        Its id, or what a relation says.
    """
    return f"{record.subject}\t{record.type}\t{record.object}" if isinstance(record, Relation) else record.id


def _parts(document: Document) -> tuple[str, ...]:
    return (*(section.id for section in document.sections), *(question.id for question in document.questions))
