"""The kinds of records that loads know, an object each: a kind is added by adding its object here.

Documents are stored whole with their sections and questions; a source takes some back. It says of each of its parts
the version, licence and the like.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from ...graph import catalogue
from ...schema import rows as as_rows
from ...schema.concept_relations import fold_terms
from ...schema.records import Document, Entity, Record, Relation, SourceInfo, Withdrawal
from ..base import Row, facts_of, standing_of
from .kind import Former, Gone, HeldError, Key, KeyRow, Kind, Known, Loading, State, StoredKind, StoredRecord
from .statements import Entities, Relations

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ...graph.database import Database, Run
    from .outcome import Outcome, Verdict


class Documents(StoredKind):
    """What a load does with documents."""

    name = "Document"
    batch_rows = 500
    every = "all_documents"
    stale = "stale_documents"
    written = "written_documents"

    def key(self, row: Row) -> Key:
        """Name a document: its id."""
        return (row.of(Document).id,)

    def names(self, row: Row) -> tuple[Key, ...]:
        """Name the document and its parts."""
        document = row.of(Document)
        return ((document.id,), *(("part", part) for part in as_rows.parts(document)))

    def parts(self, record: Document) -> tuple[str, ...]:
        """List the ids of sections and open questions."""
        return tuple(as_rows.parts(record))

    def weight(self, record: Document) -> int:
        """Count the characters of the sections."""
        return sum(len(section.text) for section in record.sections)

    def look_up(self, run: Run, rows: Sequence[Row]) -> Known:
        """Read fingerprints, loads and sources, and which documents have the ids of parts."""
        states = _states(run, [row.of(Document).id for row in rows])
        wanted = [part for row in rows for part in as_rows.parts(row.of(Document))]
        owners = {row["id"]: row["document"] for row in run(catalogue.get("part_owners"), ids=wanted)}
        return Known(states, owners=owners)

    def write(self, run: Run, outcome: Outcome, loading: Loading) -> None:
        """Store documents with everything in them; those that changed or were taken back go first."""
        if outcome.unchanged:
            ids = [row.of(Document).id for row in outcome.unchanged]
            run(catalogue.get("touch_documents"), ids=ids, load=loading.load)
        if outcome.changed:
            _remove(run, [row.of(Document).id for row in outcome.changed])
        # Of one that came twice, where later ones win, the last is left.
        written = {self.key(row): row for row in (*outcome.added, *outcome.changed)}
        _write(run, written.values(), loading.load)

    def stored(self, run: Run, keys: Sequence[KeyRow]) -> list[StoredRecord]:
        """Read documents with everything in them."""
        found = run(catalogue.get("stored_documents"), ids=[key["id"] for key in keys])
        return [StoredRecord(as_rows.document_from(row), row["source"], row["hash"], row["load"]) for row in found]

    def remove(self, run: Run, keys: Sequence[KeyRow]) -> int:
        """Take documents out, with everything in them."""
        _remove(run, [key["id"] for key in keys])
        return 0

    def restore(self, run: Run, formers: Sequence[Former]) -> None:
        """Bring documents back."""
        _remove(run, [former.key for former in formers])
        for former in formers:
            document = as_rows.from_json(Document, former.record)
            _write(run, [Row(document, "", source=former.source)], former.load)

    def unload(self, database: Database, sources: Sequence[str]) -> Gone:
        """Take all documents of sources out, and what was written of what these say."""
        queries = map(catalogue.get, ("unload_documents", "unload_told", "unload_made_questions"))
        removed = sum(row["removed"] for query in queries for row in database.run(query, sources=sources))
        terms = [row["id"] for row in database.stream(catalogue.get("touched_terms"), sources=sources)]
        fold_terms(database.write, terms)
        database.run(catalogue.get("unload_found_relations"), sources=sources)
        return Gone(removed)


class Withdrawals(Kind):
    """What a load does when a source takes documents back."""

    name = "Document"
    batch_rows = Documents.batch_rows
    takes_back = True

    def __init__(self, documents: Documents) -> None:
        self._documents = documents

    def key(self, row: Row) -> Key:
        """Name the document."""
        return (row.of(Withdrawal).document,)

    def look_up(self, run: Run, rows: Sequence[Row]) -> Known:
        """Read what is stored of the documents."""
        return Known(_states(run, [row.of(Withdrawal).document for row in rows]))

    def write(self, run: Run, outcome: Outcome, loading: Loading) -> None:  # noqa: ARG002 - they leave no mark
        """Take the documents out."""
        if outcome.withdrawn:
            self._documents.remove(run, [self.key_row(row) for row in outcome.withdrawn])

    @property
    def stored_as(self) -> Documents:
        """Documents."""
        return self._documents


def _states(run: Run, ids: Sequence[str]) -> dict[Key, State | None]:
    return {
        (row["id"],): State(row["hash"], row["seen"], row["load"], row["source"], row["revision"], tuple(row["parts"]))
        for row in run(catalogue.get("document_states"), ids=ids)
    }


def _remove(run: Run, ids: Sequence[str | tuple[str, ...]]) -> None:
    terms = [row["term"] for row in run(catalogue.get("remove_terms"), ids=ids)]
    fold_terms(run, terms)
    run(catalogue.get("remove_documents"), ids=ids)


def _write(run: Run, rows: Iterable[Row], load: int) -> None:
    """Store documents that the graph does not hold, with everything in them."""
    documents = [(row.of(Document), row.source) for row in rows]
    if not documents:
        return
    run(catalogue.get("write_documents"), rows=[as_rows.document_row(*each) for each in documents], load=load)
    for name, make in (
        ("write_sections", as_rows.section_rows),
        ("write_answered_questions", as_rows.question_rows),
        ("write_open_questions", as_rows.open_question_rows),
        ("write_about", as_rows.about_rows),
    ):
        if parts := [part for each in documents for part in make(*each)]:
            run(catalogue.get(name), rows=parts)


class Parts(Kind):
    """What a load does with the parts of its source."""

    name = "SourceInfo"

    def key(self, row: Row) -> Key:
        """Name a part: its id."""
        return (row.of(SourceInfo).id,)

    def look_up(self, run: Run, rows: Sequence[Row]) -> Known:
        """Read what is recorded of the sources of these names."""
        found = run(catalogue.get("source_facts"), ids=[row.of(SourceInfo).id for row in rows])
        return Known(facts={row["id"]: row for row in found})

    def verdict(self, row: Row, known: Known, source: str) -> Verdict:
        """Say whether something else was recorded before."""
        info = row.of(SourceInfo)
        recorded = known.facts.get(info.id)
        if recorded and recorded["part_of"] != source:
            whole = f"a part of {recorded['part_of']}" if recorded["part_of"] else "loaded by itself"
            said = f"the source {info.id} is {whole}; to load it from here, run first: medgraph unload {info.id}"
            raise HeldError(said, recorded["part_of"] or info.id)
        if not recorded:
            return "added"
        return "unchanged" if recorded["facts"] == facts_of(info) else "changed"

    def write(self, run: Run, outcome: Outcome, loading: Loading) -> None:
        """Record what is said of the parts; what was said before is kept, so that it can be taken back."""
        for known in run(catalogue.get("source_facts"), ids=[row.of(SourceInfo).id for row in outcome.changed]):
            kept = {"kind": self.name, "key": known["id"], "source": known["part_of"], "hash": 0, "load": loading.load}
            run(catalogue.get("keep_source"), row=kept | {"record": json.dumps(known["facts"])})
        for row in (*outcome.added, *outcome.changed):
            info = row.of(SourceInfo)
            facts = facts_of(info)
            run(catalogue.get("write_source"), facts=facts, whole=loading.source, standing=standing_of(info))

    @staticmethod
    def restore(run: Run, formers: Sequence[Former]) -> None:
        """Record what was said of the parts before."""
        for former in formers:
            run(catalogue.get("write_source"), facts=json.loads(former.record), whole=former.source, standing="")


ENTITIES: Final = Entities()
RELATIONS: Final = Relations()
DOCUMENTS: Final = Documents()
PARTS: Final = Parts()
# By class of record
KINDS: Final[Mapping[type[Record], Kind]] = {
    Entity: ENTITIES,
    Relation: RELATIONS,
    Document: DOCUMENTS,
    Withdrawal: Withdrawals(DOCUMENTS),
    SourceInfo: PARTS,
}
# By name, what sources withdraw, in the order in which it comes
STORED: Final[Mapping[str, StoredKind]] = {kind.name: kind for kind in (ENTITIES, RELATIONS, DOCUMENTS)}
# By name, what `undo` brings back as it was
RESTORED: Final[Mapping[str, StoredKind | Parts]] = {**STORED, PARTS.name: PARTS}
# The same in the order in which it goes: relations before entities, which take theirs with them
LAST_FIRST: Final[tuple[StoredKind, ...]] = tuple(reversed(list(STORED.values())))


def of(record: Record) -> Kind:
    """Find the kind of a record."""
    return KINDS[type(record)]
