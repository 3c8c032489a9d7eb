"""What storing records would do: judged one after the other, in a dry run just as in a load."""

from __future__ import annotations

import json
from dataclasses import astuple, dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from ...errors import RecordError
from ...graph import catalogue
from ...schema import rows as as_rows
from ...schema.records import Document, Entity, Relation, SourceInfo, Withdrawal, content_hash
from ..base import Reject, Remark, facts_of
from ..files.on_disk import Shelf
from . import kinds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...graph.database import Run
    from ..base import Item, Row

    Verdict = Literal["added", "changed", "unchanged", "withdrawn"]

NO_LOAD: Final = 0
"""What stands for the load in a dry run."""

_PAGE: Final = 500
_NO_ENTITY: Final = "there is no entity {!r}; load first what has it"


@dataclass(slots=True)
class Outcome:
    """What became of the rows of a batch.

    Attributes:
        added: Records that were not in the graph.
        changed: Records that were there with other content.
        unchanged: Records that were there as they are.
        withdrawn: Records that took something back which was there.
        rejects: Numbers in the batch of records that cannot be stored, and why.
        former: Which of the changed and withdrawn ones were there before this load.
    """

    added: list[Row] = field(default_factory=list)
    changed: list[Row] = field(default_factory=list)
    unchanged: list[Row] = field(default_factory=list)
    withdrawn: list[Row] = field(default_factory=list)
    rejects: list[tuple[int, Reject]] = field(default_factory=list)
    former: list[Row] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class State:
    """What is stored of a record: its fingerprint, which load saw it last, and which one wrote it."""

    hash: int
    seen: int
    load: int
    source: str = ""
    revision: str = ""
    parts: tuple[str, ...] = ()


class Memory(Shelf):
    """What earlier batches would have stored, for a dry run, in which the graph does not learn of them.

    It is on disk, so that a file may be of any size; use it in a `with`.
    """

    def recall(self, kind: str, key: Sequence[str]) -> Any:
        """Look something up.

        Args:
            kind: What it is.
            key: Which one.

        Returns:
            What was kept, or None.
        """
        found = self.get("\t".join((kind, *key)))
        return None if found is None else json.loads(found)

    def keep(self, kind: str, key: Sequence[str], value: Any) -> None:
        """Keep something.

        Args:
            kind: What it is.
            key: Which one.
            value: What JSON can hold.
        """
        self.put("\t".join((kind, *key)), json.dumps(value))


class Comparison:
    """Compares a batch of records with the graph.

    Args:
        run: Runs statements that read.
        source: The id of the source that is loaded.
        load: The id of the load; `NO_LOAD` for a dry run.
        memory: What earlier batches would have stored, for a dry run.
        last_wins: Whether a later record replaces an earlier one of the same load.
    """

    def __init__(
        self, run: Run, source: str, load: int = NO_LOAD, memory: Memory | None = None, *, last_wins: bool = False
    ) -> None:
        self._run = run
        self._source = source
        self._load = load
        self._memory = memory
        self._last_wins = last_wins
        self._states: dict[tuple[str, ...], State | None] = {}
        self._owners: dict[str, str | None] = {}
        self._missing: dict[tuple[str, ...], list[str]] = {}
        self._facts: dict[str, dict[str, Any]] = {}

    def compare(self, rows: Sequence[tuple[int, Row]]) -> Outcome:
        """Judge rows.

        Args:
            rows: Rows with records of one kind, each with its number in the batch.

        Returns:
            What would become of each row if they were stored one by one.

        Raises:
            DatabaseError: The database refused or went away.
        """
        self.look_up([row for _, row in rows])
        return self.judge(rows)

    def judge(self, rows: Sequence[tuple[int, Row]]) -> Outcome:
        """Judge rows whose stored states are known.

        Args:
            rows: Rows with records of one kind, each with its number in the batch.

        Returns:
            What would become of each row if they were stored one by one.
        """
        outcome = Outcome()
        for number, row in rows:
            try:
                getattr(outcome, self._judge(row, outcome)).append(row)
            except RecordError as error:
                outcome.rejects.append((number, _rejected(row, str(error))))
        return outcome

    def know(self, row: Row, state: State | None, missing: Sequence[str] = ()) -> None:
        """Note what is stored of a row's record.

        Args:
            row: The row.
            state: What is stored, or None.
            missing: For a relation, which of its ends are not in the graph.
        """
        self._states[kinds.key(row)] = state
        self._missing[kinds.key(row)] = list(missing)

    def look_up(self, rows: Sequence[Row]) -> None:
        """Read what is stored of rows' records.

        Args:
            rows: Rows with records of one kind.

        Raises:
            DatabaseError: The database refused or went away.
        """
        kinds = {Entity: self._entities, Relation: self._relations, SourceInfo: self._sources}
        if rows:
            kinds.get(type(rows[0].record), self._documents)(rows)

    def _entities(self, rows: Sequence[Row]) -> None:
        wanted = [{"id": row.record.id, "source": row.source} for row in rows if isinstance(row.record, Entity)]
        found: dict[tuple[str, ...], State] = {
            (state["source"], state["id"]): State(state["hash"], state["seen"], state["load"])
            for state in self._run(catalogue.get("entity_states"), rows=wanted)
        }
        for row in rows:
            self.know(row, self._recalled(row, found.get(kinds.key(row))))

    def _relations(self, rows: Sequence[Row]) -> None:
        wanted = [
            as_rows.relation_key(row.record, row.source) | {"number": number}
            for number, row in enumerate(rows)
            if isinstance(row.record, Relation)
        ]
        for found in self._run(catalogue.get("relation_states"), rows=wanted):
            row = rows[found["number"]]
            state = None if found["hash"] is None else State(found["hash"], found["seen"], found["load"])
            missing = [end for end in found["missing"] if not (self._memory and self._memory.recall("known", (end,)))]
            self.know(row, self._recalled(row, state), missing)

    def _documents(self, rows: Sequence[Row]) -> None:
        ids = [kinds.key(row)[0] for row in rows]
        found: dict[str, State] = {}
        for was in self._run(catalogue.get("document_states"), ids=ids):
            parts = tuple(was["parts"])
            found[was["id"]] = State(was["hash"], was["seen"], was["load"], was["source"], was["revision"], parts)
        wanted = [part for row in rows if isinstance(row.record, Document) for part in as_rows.parts(row.record)]
        owners = {owned["id"]: owned["document"] for owned in self._run(catalogue.get("part_owners"), ids=wanted)}
        for part in wanted:
            kept = self._memory.recall("part", (part,)) if self._memory else None
            self._owners[part] = owners.get(part) if kept is None else kept[0]
        for row in rows:
            self.know(row, self._recalled(row, found.get(kinds.key(row)[0])))

    def _sources(self, rows: Sequence[Row]) -> None:
        ids = [row.record.id for row in rows if isinstance(row.record, SourceInfo)]
        self._facts = {row["id"]: row for row in self._run(catalogue.get("source_facts"), ids=ids)}

    def _recalled(self, row: Row, stored: State | None) -> State | None:
        kept = self._memory.recall(as_rows.kind_of(row.record), kinds.key(row)) if self._memory else None
        if kept is None:
            return stored
        if not kept:
            return None
        hashed, seen, load, source, revision, parts = kept
        return State(hashed, seen, load, source, revision, tuple(parts))

    def _judge(self, row: Row, outcome: Outcome) -> Verdict:
        record = row.record
        if isinstance(record, SourceInfo):
            return self._judge_source(record)
        if isinstance(record, Withdrawal):
            return self._judge_withdrawal(row, outcome)
        state, verdict = self._states[kinds.key(row)], self._judge_content(row)
        if verdict == "changed" and state is not None and state.load != self._load:
            outcome.former.append(row)
        return verdict

    def _judge_content(self, row: Row) -> Verdict:
        record, hashed, state = row.record, content_hash(row.record), self._states[kinds.key(row)]
        if missing := self._missing[kinds.key(row)]:
            raise RecordError(_NO_ENTITY.format(missing[0]))
        if state is not None and isinstance(record, Document) and state.source != row.source:
            raise RecordError(f"this id belongs to the source {state.source}")
        if state is None:
            verdict: Verdict = "added"
        elif state.hash == hashed or state.revision > getattr(record, "revision", ""):
            verdict, hashed = "unchanged", state.hash
        elif state.seen == self._load and not self._last_wins:
            raise RecordError("another record with this id and other content came before it; the first one is kept")
        else:
            verdict = "changed"
        parts = tuple(as_rows.parts(record)) if isinstance(record, Document) else ()
        if verdict != "unchanged":
            self._claim(kinds.key(row)[0], parts, state.parts if state else ())
        else:
            parts = state.parts if state else ()
        revision = max(getattr(record, "revision", ""), state.revision if state else "")
        written = state.load if state and verdict == "unchanged" else self._load
        self._note(row, State(hashed, self._load, written, row.source, revision, parts))
        return verdict

    def _judge_withdrawal(self, row: Row, outcome: Outcome) -> Verdict:
        state = self._states[kinds.key(row)]
        if state is None:
            return "unchanged"
        if state.source != row.source:
            raise RecordError(f"this id belongs to the source {state.source}")
        if state.load != self._load:
            outcome.former.append(row)
        self._claim(kinds.key(row)[0], (), state.parts)
        self._note(row, None)
        return "withdrawn"

    def _judge_source(self, info: SourceInfo) -> Verdict:
        found = self._facts.get(info.id)
        if found and found["part_of"] != self._source:
            whole = f"a part of {found['part_of']}" if found["part_of"] else "loaded by itself"
            raise RecordError(
                f"the source {info.id} is {whole}; to load it from here, run first: medgraph unload {info.id}"
            )
        return "unchanged" if found and found["facts"] == facts_of(info) else "changed" if found else "added"

    def _note(self, row: Row, state: State | None) -> None:
        self._states[kinds.key(row)] = state
        if self._memory is not None:
            self._memory.keep(as_rows.kind_of(row.record), kinds.key(row), astuple(state) if state else [])
            if isinstance(row.record, Entity):
                self._memory.keep("known", (row.record.id,), True)

    def _claim(self, document: str, parts: Sequence[str], former: Sequence[str]) -> None:
        """Give ids of sections and questions to a document, unless another one has them."""
        for part in parts:
            if self._owners.get(part, document) not in {None, document}:
                raise RecordError(f"its section id {part!r} is in another document already")
        for part, owner in (*dict.fromkeys(former).items(), *dict.fromkeys(parts, document).items()):
            self._owners[part] = owner
            if self._memory is not None:
                self._memory.keep("part", (part,), [owner])


def no_entity(row: Row, entity: str) -> Reject:
    """Reject a relation.

    Args:
        row: The relation.
        entity: The end of it that is not in the graph.

    Returns:
        What is said of it.
    """
    return _rejected(row, _NO_ENTITY.format(entity))


def _rejected(row: Row, reason: str) -> Reject:
    return Reject(row.file, row.line, f"{' '.join(filter(None, kinds.key(row)[-4:]))}: {reason}")


def tally(batch: Sequence[Item], outcome: Outcome) -> dict[str, int]:
    """Count what became of a batch.

    Args:
        batch: Rows, rejects and remarks.
        outcome: What became of the rows.

    Returns:
        `added`, `changed`, `unchanged`, `withdrawn`, `rejected` and `remarks`.
    """
    return {
        "added": len(outcome.added),
        "changed": len(outcome.changed),
        "unchanged": len(outcome.unchanged),
        "withdrawn": len(outcome.withdrawn),
        "rejected": len(outcome.rejects) + sum(1 for item in batch if isinstance(item, Reject)),
        "remarks": sum(1 for item in batch if isinstance(item, Remark)),
    }


def numbered(batch: Sequence[Any]) -> Iterator[tuple[int, Row]]:
    """Give the rows of a batch with their numbers.

    Args:
        batch: Rows, rejects and remarks.

    Yields:
        Pairs of number and row.
    """
    for number, item in enumerate(batch):
        if hasattr(item, "record"):
            yield number, item
