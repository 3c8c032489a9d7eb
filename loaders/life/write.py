"""The only place that writes what sources yield: one transaction a batch, and nothing twice."""

from __future__ import annotations

from collections import defaultdict
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from ...errors import ConflictError
from ...graph import catalogue
from ...schema import rows as as_rows
from ...schema.records import Document, Entity, Relation, SourceInfo, Withdrawal, content_hash
from ..base import facts_of
from . import kinds
from .compare import Comparison, Outcome, State, numbered, tally
from .history import keep

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from ...graph.database import Database, Run
    from ...schema.records import Record
    from ..base import Item, Row

    Numbered = list[tuple[int, Row]]

BATCH_ROWS: Final = 2000
BATCH_DOCUMENTS: Final = 500
BATCH_CHARACTERS: Final = 4_000_000

_TRIES: Final = 5


class _StoredBeforeError(Exception):
    """A batch is stored already: the reply to its transaction was lost, or somebody else took up the same load."""


class Writer:
    """Stores the records of one load; several threads may use it at once.

    Args:
        database: Where to.
        source: The id of the source that is loaded.
        load: The id of the load.
        last_wins: Whether a later record replaces an earlier one of the same load.
        report: Is told the rejects of a batch before it is stored, perhaps more than once.
    """

    def __init__(
        self,
        database: Database,
        source: str,
        load: int,
        report: Callable[[int, Sequence[Item], Outcome], None],
        *,
        last_wins: bool = False,
    ) -> None:
        self._database = database
        self._source = source
        self._load = load
        self._report = report
        self._last_wins = last_wins
        # Nearly all sources bring entities that no other has; the first one that is known shows that this one does not.
        self._all_new = True

    def store(self, batch: Sequence[Item], start: int) -> Outcome:
        """Store a batch in one transaction, together with how far the load has come.

        Args:
            batch: Items whose records are of one kind.
            start: How many items came before.

        Returns:
            What became of each row; nothing, if an earlier try had stored it though its reply was lost.

        Raises:
            DatabaseError: Nothing of the batch is stored.
        """
        for _ in range(_TRIES - 1):
            try:
                return self._try(batch, start)
            except ConflictError:  # one of the entities is there, or another load made it meanwhile
                self._all_new = False
        return self._try(batch, start)

    def _try(self, batch: Sequence[Item], start: int) -> Outcome:
        try:
            return self._database.transaction(lambda run: self._work(run, batch, start))
        except _StoredBeforeError:
            return Outcome()

    def _work(self, run: Run, batch: Sequence[Item], start: int) -> Outcome:
        rows = list(numbered(batch))
        outcome = self._stored(run, rows) if rows else Outcome()
        counts, end = tally(batch, outcome), start + len(batch)
        if run(catalogue.get("advance_load"), load=self._load, start=start, end=end, counts=counts)[0]["again"]:
            raise _StoredBeforeError
        self._report(start, batch, outcome)
        return outcome

    def _stored(self, run: Run, rows: Numbered) -> Outcome:
        record = rows[0][1].record
        if isinstance(record, Entity):
            return self._entities(run, rows)
        if isinstance(record, Relation):
            return self._relations(run, rows)
        comparison = self._comparison(run)
        outcome = comparison.compare(rows)
        if isinstance(record, SourceInfo):
            for row in (*outcome.added, *outcome.changed):
                assert isinstance(row.record, SourceInfo)
                run(catalogue.get("write_source"), facts=facts_of(row.record), whole=self._source)
        else:
            self._documents(run, outcome)
        return outcome

    def _keep(self, run: Run, outcome: Outcome) -> None:
        if outcome.former:
            kind = as_rows.kind_of(outcome.former[0].record)
            keep(run, self._load, kind, [kinds.key_row(row) for row in outcome.former])

    def _comparison(self, run: Run) -> Comparison:
        return Comparison(run, self._source, self._load, last_wins=self._last_wins)

    def _entities(self, run: Run, rows: Numbered) -> Outcome:
        """Store entities that are new to the graph first, which are most of them; compare the others."""
        first: dict[str, tuple[int, Row]] = {}
        for number, row in rows:
            first.setdefault(_entity(row).id, (number, row))
        created = self._created(run, first.values())
        rest = [(number, row) for number, row in rows if number not in created]
        comparison = self._comparison(run)
        outcome = comparison.compare(rest) if rest else Outcome()
        self._state_entities(run, outcome)
        outcome.added.extend(row for number, row in rows if number in created)
        concepts = [row for row in (*outcome.added, *outcome.changed) if _entity(row).concepts]
        if concepts:
            linked = [as_rows.concept_row(_entity(row), row.source) for row in concepts]
            run(catalogue.get("write_concepts"), rows=sorted(linked, key=itemgetter("concepts")))
        return outcome

    def _created(self, run: Run, first: Collection[tuple[int, Row]]) -> set[int]:
        """Store those entities that are new to the graph; gives their numbers."""
        groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for number, row in first:
            groups[row.source].append(as_rows.entity_row(_entity(row), row.source) | {"number": number})
        # One order of locks, so that loads do not block each other.
        given = [{"source": source, "rows": rows} for source, rows in sorted(groups.items())]
        statement = catalogue.get("create_new_entities" if self._all_new else "create_entities")
        known = run(statement, groups=given, load=self._load)
        return {number for number, _ in first} - {found["number"] for found in known}

    def _state_entities(self, run: Run, outcome: Outcome) -> None:
        self._keep(run, outcome)
        if outcome.changed:
            run(catalogue.get("clear_concepts"), rows=[kinds.key_row(row) for row in outcome.changed])
        written = [as_rows.entity_row(_entity(row), row.source) for row in (*outcome.added, *outcome.changed)]
        if written:
            run(catalogue.get("write_entities"), rows=written, load=self._load)
            run(catalogue.get("summarise_entities"), ids=list(dict.fromkeys(row["id"] for row in written)))
        if outcome.unchanged:
            run(
                catalogue.get("touch_entities"),
                rows=[kinds.key_row(row) for row in outcome.unchanged],
                load=self._load,
            )

    def _relations(self, run: Run, rows: Numbered) -> Outcome:
        first: dict[tuple[str, ...], tuple[int, Row]] = {}
        for number, row in rows:
            first.setdefault(kinds.key(row), (number, row))
        fresh = [as_rows.relation_row(_relation(row), row.source) | {"number": n} for n, row in first.values()]
        fresh.sort(key=itemgetter("object", "subject"))  # one order of locks, so that batches seldom block each other
        found = {
            state["number"]: state for state in run(catalogue.get("create_relations"), rows=fresh, load=self._load)
        }
        comparison, created = self._comparison(run), set()
        for number, row in first.values():
            state = found.get(number)
            if state is None:
                created.add(number)
                comparison.know(row, State(content_hash(row.record), self._load, self._load))
            elif state["hash"] is None:
                comparison.know(row, None, state["missing"])
            else:
                comparison.know(row, State(state["hash"], state["seen"], state["load"]), state["missing"])
        outcome = comparison.judge([(number, row) for number, row in rows if number not in created])
        self._keep(run, outcome)
        if outcome.changed:
            changed = [as_rows.relation_row(_relation(row), row.source) for row in outcome.changed]
            run(catalogue.get("write_relations"), rows=changed, load=self._load)
        if outcome.unchanged:
            seen = [kinds.key_row(row) for row in outcome.unchanged]
            run(catalogue.get("touch_relations"), rows=seen, load=self._load)
        outcome.added.extend(row for number, row in rows if number in created)
        return outcome

    def _documents(self, run: Run, outcome: Outcome) -> None:
        self._keep(run, outcome)
        if outcome.unchanged:
            run(
                catalogue.get("touch_documents"),
                ids=[kinds.key(row)[0] for row in outcome.unchanged],
                load=self._load,
            )
        if gone := [kinds.key(row)[0] for row in (*outcome.changed, *outcome.withdrawn)]:
            run(catalogue.get("remove_documents"), ids=gone)
        # Of one that came twice, where later ones win, the last is left.
        written = {kinds.key(row): row for row in (*outcome.added, *outcome.changed)}
        write_documents(run, written.values(), self._load)


def write_documents(run: Run, rows: Iterable[Row], load: int) -> None:
    """Store documents with everything in them.

    Args:
        run: Runs statements in a transaction.
        rows: Rows with documents that the graph does not hold.
        load: The id of the load.
    """
    documents = [(row.record, row.source) for row in rows if isinstance(row.record, Document)]
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


def batches(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Cut a stream into batches bounded by rows and characters, each with records of one kind.

    Args:
        items: Rows, rejects and remarks, in the source's order.

    Yields:
        Lists that are not empty.
    """
    batch: list[Item] = []
    size, kind = 0, None
    for item in items:
        record = getattr(item, "record", None)
        weight, its_kind = 0, kind
        if record is not None:
            weight, its_kind = _weight(record), type(record)
        limit = BATCH_DOCUMENTS if its_kind is Document or its_kind is Withdrawal else BATCH_ROWS
        if batch and (
            len(batch) >= limit or size + weight > BATCH_CHARACTERS or (its_kind is not kind and kind is not None)
        ):
            yield batch
            batch, size = [], 0
        batch.append(item)
        size, kind = size + weight, its_kind
    if batch:
        yield batch


def _weight(record: Record) -> int:
    if isinstance(record, Document):
        return sum(len(section.text) for section in record.sections)
    return len(record.definition) + len(record.name) if isinstance(record, Entity) else 0


def _entity(row: Row) -> Entity:
    assert isinstance(row.record, Entity)
    return row.record


def _relation(row: Row) -> Relation:
    assert isinstance(row.record, Relation)
    return row.record
