"""Entities and relations in a load.

What several sources say of an entity stands on their own `FROM` relations, and the node is a summary. A source states a
relation once, and both its ends must be in the graph.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from ...graph import catalogue
from ...schema import rows as as_rows
from ...schema.records import RELATION_KEY, Entity, Relation, content_hash
from .kind import Created, Gone, Known, State, StoredKind, StoredRecord

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ...graph.database import Database, Run
    from ..base import Row
    from .kind import Former, Key, KeyRow, Loading, Numbered
    from .outcome import Outcome


class Entities(StoredKind):
    """What a load does with entities."""

    name = "Entity"
    key_names = ("source", "id")
    every = "all_entities"
    stale = "stale_entities"
    written = "written_entities"

    def key(self, row: Row) -> Key:
        """Name an entity: source and id."""
        return row.source, row.of(Entity).id

    def names(self, row: Row) -> tuple[Key]:
        """Name the node, to which all sources write that state the same entity."""
        return ((row.of(Entity).id,),)

    def entities(self, record: Entity) -> tuple[str, ...]:
        """Give the id."""
        return (record.id,)

    def weight(self, record: Entity) -> int:
        """Count the characters of definition and name."""
        return len(record.definition) + len(record.name)

    def look_up(self, run: Run, rows: Sequence[Row]) -> Known:
        """Read fingerprints and loads."""
        records = [row.of(Entity) for row in rows]
        wanted = [[record.id, row.source, content_hash(record)] for record, row in zip(records, rows, strict=True)]
        found = run(catalogue.get("entity_states"), rows=wanted)
        return Known({self.key(rows[n]): _state(one, wanted[n][-1]) for one in found for n in one["numbers"]})

    def added(self, run: Run, rows: Numbered, known: Known, load: int) -> Numbered:
        """Give entities that add to what an earlier load stated, with all names of both."""
        states = {number: known.states.get(self.key(row)) for number, row in rows if row.adds}
        keys = [self.key_row(row) for number, row in rows if (state := states.get(number)) and state.seen != load]
        if not keys:
            return rows
        stored = self.stored(run, keys)
        former: dict[Key, Entity] = {
            (one.source, one.record.id): one.record for one in stored if isinstance(one.record, Entity)
        }
        return [(number, _whole(row, former.get(self.key(row)))) for number, row in rows]

    def create(self, run: Run, rows: Numbered, loading: Loading) -> Created:
        """Store entities that are new to the graph, which are most of them."""
        first: dict[str, int] = {}
        groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for number, row in rows:
            entity = row.of(Entity)
            if first.setdefault(entity.id, number) == number:
                groups[row.source].append(as_rows.entity_row(entity, row.source) | {"number": number})
        # One order of locks, so that loads do not block each other.
        given = [{"source": source, "rows": rows} for source, rows in sorted(groups.items())]
        statement = catalogue.get("create_new_entities" if loading.all_new else "create_entities")
        known = run(statement, groups=given, load=loading.load)
        return Created(set(first.values()) - {row["number"] for row in known})

    def write(self, run: Run, outcome: Outcome, loading: Loading) -> None:
        """Store statements and summarise them; those of an entity that changed lose their concepts first."""
        if outcome.changed:
            run(catalogue.get("clear_concepts"), rows=[self.key_row(row) for row in outcome.changed])
        written = [as_rows.entity_row(row.of(Entity), row.source) for row in (*outcome.added, *outcome.changed)]
        if written:
            run(catalogue.get("write_entities"), rows=written, load=loading.load)
            run(catalogue.get("summarise_entities"), ids=list(dict.fromkeys(row["id"] for row in written)))
        if outcome.unchanged:
            seen = [[row.of(Entity).id, row.source] for row in outcome.unchanged]
            run(catalogue.get("touch_entities"), rows=seen, load=loading.load)

    def complete(self, run: Run, rows: Sequence[Row]) -> None:
        """Link entities to their concepts."""
        linked = [as_rows.concept_row(row.of(Entity), row.source) for row in rows if row.of(Entity).concepts]
        if linked:
            run(catalogue.get("write_concepts"), rows=sorted(linked, key=itemgetter("concepts")))

    def stored(self, run: Run, keys: Sequence[KeyRow]) -> list[StoredRecord]:
        """Read what sources state of entities."""
        found = run(catalogue.get("stored_entities"), rows=list(keys))
        return [StoredRecord(as_rows.entity_from(row), row["source"], row["hash"], row["load"]) for row in found]

    def remove(self, run: Run, keys: Sequence[KeyRow]) -> int:
        """Take statements out; an entity that nobody states any more goes, or stays as a stub if others point to it."""
        ids = list(dict.fromkeys(row["id"] for row in keys))
        run(catalogue.get("release_entities"), rows=list(keys))
        return int(run(catalogue.get("summarise_entities"), ids=ids)[0]["stubs"])

    def restore(self, run: Run, formers: Sequence[Former]) -> None:
        """Bring statements back."""
        entities = [(as_rows.from_json(Entity, former.record), former) for former in formers]
        written = [as_rows.entity_row(entity, former.source) | _marks(former) for entity, former in entities]
        linked = [as_rows.concept_row(entity, former.source) for entity, former in entities if entity.concepts]
        run(catalogue.get("clear_concepts"), rows=[{"id": former.key, "source": former.source} for former in formers])
        run(catalogue.get("write_entities"), rows=written, load=0)
        run(catalogue.get("write_concepts"), rows=linked)
        run(catalogue.get("summarise_entities"), ids=[former.key for former in formers])

    def unload(self, database: Database, sources: Sequence[str]) -> Gone:
        """Take out entities that nobody else states or points to, then what is stated of others."""
        gone = Gone(sum(row["removed"] for row in database.run(catalogue.get("unload_entities"), sources=sources)))
        while rows := database.read(catalogue.get("stated_entities"), sources=sources, limit=2 * self.page_rows):
            gone += Gone(stubs=database.transaction(lambda run, rows=rows: self.remove(run, rows)))  # type: ignore[misc]
        return gone


def _marks(former: Former) -> dict[str, int]:
    return {"hash": former.hash, "load": former.load}


def _whole(row: Row, former: Entity | None) -> Row:
    if former is None or not row.adds:
        return row
    new = row.of(Entity)
    called = () if new.name.lower() == former.name.lower() else (new.name,)
    whole = replace(
        former,
        synonyms=tuple(dict.fromkeys((*former.synonyms, *called, *new.synonyms))),
        narrow_synonyms=tuple(dict.fromkeys((*former.narrow_synonyms, *new.narrow_synonyms))),
        xrefs=tuple(dict.fromkeys((*former.xrefs, *new.xrefs))),
    )
    return replace(row, record=whole)


def _state(found: KeyRow, hashed: int) -> State:
    """Give what is stored of a record that has the fingerprint `hashed` now."""
    return State(hashed if found["same"] else found["hash"], found["seen"], found["load"])


def _listed(row: Row) -> list[str]:
    relation = row.of(Relation)
    return [relation.subject, relation.type, relation.object, row.source, relation.predicate]


_ENDS: Final = ("subject", "object")


class Relations(StoredKind):
    """What a load does with relations."""

    name = "Relation"
    key_names = ("source", *RELATION_KEY)
    every = stale = "stale_relations"
    written = "written_relations"

    def key(self, row: Row) -> Key:
        """Name a relation: source, subject, type, object and predicate."""
        relation = row.of(Relation)
        return row.source, relation.subject, relation.type, relation.object, relation.predicate

    def ends(self, record: Relation) -> tuple[str, str]:
        """Give subject and object."""
        return record.subject, record.object

    def look_up(self, run: Run, rows: Sequence[Row]) -> Known:
        """Read fingerprints and loads, and which ends are missing."""
        wanted = [[*_listed(row), content_hash(row.record)] for row in rows]
        return self._known(run(catalogue.get("relation_states"), rows=wanted), dict(enumerate(rows)))

    def create(self, run: Run, rows: Numbered, loading: Loading) -> Created:
        """Store relations that their source has not stated before; the statement tells of the others."""
        first: dict[Key, tuple[int, Row]] = {}
        for number, row in rows:
            first.setdefault(self.key(row), (number, row))
        numbered = dict(first.values())
        fresh = {n: as_rows.relation_row(row.of(Relation), row.source) | {"number": n} for n, row in numbered.items()}
        # One order of locks, so that batches seldom block each other.
        given = sorted(fresh.values(), key=itemgetter("object", "subject"))
        others = list(run(catalogue.get("create_relations"), rows=given, load=loading.load))
        known = self._known(others, numbered)
        created = numbered.keys() - {number for state in others for number in state["numbers"]}
        for number in created:
            known.states[self.key(numbered[number])] = State(fresh[number]["hash"], loading.load, loading.load)
        return Created(created, known)

    def _known(self, found: Iterable[KeyRow], rows: Mapping[int, Row]) -> Known:
        known = Known()
        for state in found:
            for row in (rows[number] for number in state["numbers"]):
                key = self.key(row)
                if state["missing"]:
                    known.missing[key] = list(state["missing"])
                if state["same"] or state["hash"] is not None:
                    known.states[key] = _state(state, content_hash(row.record))
        return known

    def write(self, run: Run, outcome: Outcome, loading: Loading) -> None:
        """Store what changed, and note what was seen again."""
        written = [as_rows.relation_row(row.of(Relation), row.source) for row in outcome.changed]
        if written:
            run(catalogue.get("write_relations"), rows=written, load=loading.load)
        if outcome.unchanged:
            seen = [_listed(row) for row in outcome.unchanged]
            run(catalogue.get("touch_relations"), rows=seen, load=loading.load)

    def stored(self, run: Run, keys: Sequence[KeyRow]) -> list[StoredRecord]:
        """Read relations."""
        found = run(catalogue.get("stored_relations"), rows=list(keys))
        return [StoredRecord(as_rows.relation_from(row), row["source"], row["hash"], row["load"]) for row in found]

    def remove(self, run: Run, keys: Sequence[KeyRow]) -> int:
        """Take relations out, and stubs that only they pointed to."""
        run(catalogue.get("remove_relations"), rows=list(keys))
        run(catalogue.get("drop_stubs"), ids=list(dict.fromkeys(row[end] for row in keys for end in _ENDS)))
        return 0

    def restore(self, run: Run, formers: Sequence[Former]) -> None:
        """Bring relations back."""
        relations = [(as_rows.from_json(Relation, former.record), former) for former in formers]
        written = [as_rows.relation_row(relation, former.source) | _marks(former) for relation, former in relations]
        # The source that had an end may have been unloaded meanwhile.
        run(catalogue.get("write_stubs"), ids=sorted({row[end] for row in written for end in _ENDS}))
        run(catalogue.get("write_relations"), rows=written, load=0)

    def unload(self, database: Database, sources: Sequence[str]) -> Gone:
        """Take all relations of sources out, and the stubs that only they pointed to."""
        database.run(catalogue.get("unload_relations"), sources=sources)
        return Gone(database.run(catalogue.get("drop_all_stubs"))[0]["removed"])

    def keys(self, database: Database, sources: Sequence[str]) -> Iterator[KeyRow]:
        """List all relations of sources: those that no load of the number 0 has seen."""
        return database.stream(catalogue.get(self.every), sources=sources, load=0)

    def pages(self, database: Database, query: str, sources: Sequence[str], load: int) -> Iterator[list[KeyRow]]:
        """List relations in one pass: no index finds them, so that a pass a page would take long."""
        found = database.stream(catalogue.get(query), sources=sources, load=load)
        while page := list(islice(found, self.page_rows)):
            yield list(page)
