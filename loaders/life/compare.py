"""Compares records with the graph one after the other, for a dry run just as for a load."""

from __future__ import annotations

from dataclasses import dataclass, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from ...errors import RecordError
from ...schema.records import content_hash
from ..base import Item, Reject, Row
from ..files.on_disk import Shelf
from . import kinds
from .kind import HeldError, Known, State
from .outcome import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...graph.database import Run
    from .kind import Kind, Numbered
    from .outcome import Verdict

NO_LOAD: Final = 0  # What stands for the load in a dry run
_facts = attrgetter(*(field.name for field in fields(State)))


class _LackingError(RecordError):
    def __init__(self, entity: str) -> None:
        super().__init__(f"there is no entity {entity!r}; load first what has it")
        self.entity = entity


class Memory(Shelf):
    """What earlier batches would have stored, for a dry run, in which the graph does not learn of them.

    A file may be of any size; use it in a `with`.
    """

    def recall(self, kind: str, key: Sequence[str]) -> Any:
        """Look something up; None where nothing was kept."""
        return self.get("\t".join((kind, *key)))

    def keep(self, kind: str, key: Sequence[str], value: Any) -> None:
        """Keep something."""
        self.put("\t".join((kind, *key)), value)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Compares batches of a source's records with the graph, for a load or a dry run (`NO_LOAD`).

    For a dry run `memory` has what earlier batches would have stored; with `last_wins`, later records replace
    earlier ones.
    """

    run: Run
    source: str
    load: int = NO_LOAD
    memory: Memory | None = None
    last_wins: bool = False

    def compare(self, rows: Numbered) -> Outcome:
        """Say what would become of numbered rows of one kind if they were stored one by one."""
        if not rows:
            return Outcome()
        kind = kinds.of(rows[0][1].record)
        return self.judge(kind, rows, kind.look_up(self.run, [row for _, row in rows]))

    def judge(self, kind: Kind, rows: Numbered, known: Known) -> Outcome:
        """Judge numbered rows as `compare` does; `known` is kept up to date with what they would store."""
        if self.memory is not None:
            _recall(self.memory, kind, [row for _, row in rows], known)
        rows, outcome = kind.added(self.run, rows, known, self.load), Outcome()
        judge = _Judge(self, kind, known, outcome)
        for number, row in rows:
            try:
                verdict = kind.verdict(row, known, self.source)
                verdict = verdict or (judge.withdrawal(row) if kind.takes_back else judge.content(row))
                getattr(outcome, verdict).append(row)
            except RecordError as error:
                outcome.rejects.append((number, _reject(kind, row, error)))
        return outcome


def _recall(memory: Memory, kind: Kind, rows: Sequence[Row], known: Known) -> None:
    """Bring what is stored up to date with what earlier batches of a dry run would have stored."""
    for row in rows:
        key = kind.key(row)
        kept = memory.recall(kind.name, key)
        if kept is not None:
            known.states[key] = State(*(*kept[:-1], tuple(kept[-1]))) if kept else None
        known.missing[key] = [end for end in known.missing.get(key, ()) if not memory.recall("known", (end,))]
        for part in kind.parts(row.record):
            owner = memory.recall("part", (part,))
            if owner is not None:
                known.owners[part] = owner[0]


@dataclass(frozen=True, slots=True)
class _Judge:
    comparison: Comparison
    kind: Kind
    known: Known
    outcome: Outcome

    def content(self, row: Row) -> Verdict:
        kind, record, key = self.kind, row.record, self.kind.key(row)
        hashed, state = content_hash(record), self._state(row)
        if missing := self.known.missing.get(key):
            raise _LackingError(missing[0])
        revision: str = getattr(record, "revision", "")
        if state is None:
            verdict: Verdict = "added"
        elif state.hash == hashed or state.revision > revision:
            verdict, hashed = "unchanged", state.hash
        elif state.seen == self.comparison.load and not self.comparison.last_wins:
            raise RecordError("another record with this id and other content came before it; the first one is kept")
        else:
            verdict = "changed"
        if verdict == "unchanged" and state is not None:
            parts, written, revision = state.parts, state.load, max(revision, state.revision)
        else:
            parts, written = kind.parts(record), self.comparison.load
            revision = max(revision, state.revision if state else "")
            self._claim(key[0], parts, state.parts if state else ())
        self._note(row, State(hashed, self.comparison.load, written, row.source, revision, parts))
        if verdict == "changed" and state is not None and state.load != self.comparison.load:
            self.outcome.former.append(row)
        return verdict

    def withdrawal(self, row: Row) -> Verdict:
        state = self._state(row)
        if state is None:
            return "unchanged"
        if state.load != self.comparison.load:
            self.outcome.former.append(row)
        self._claim(self.kind.key(row)[0], (), state.parts)
        self._note(row, None)
        return "withdrawn"

    def _state(self, row: Row) -> State | None:
        key = self.kind.key(row)
        state = self.known.states.get(key)
        if state is not None and state.source not in {"", row.source}:
            said = f"this id belongs to the source {state.source}; put a prefix before yours"
            raise HeldError(f"{said}, such as {row.source}:{key[0]}", state.source)
        return state

    def _note(self, row: Row, state: State | None) -> None:
        kind, key = self.kind, self.kind.key(row)
        self.known.states[key] = state
        if self.comparison.memory is not None:
            self.comparison.memory.keep(kind.name, key, _facts(state) if state else ())
            for entity in kind.entities(row.record):
                self.comparison.memory.keep("known", (entity,), True)
            for entity in kind.ends(row.record):
                self.comparison.memory.keep("end", (entity,), True)

    def _claim(self, document: str, parts: Sequence[str], former: Sequence[str]) -> None:
        """Give ids of sections and questions to a document, unless another one has them."""
        owners = self.known.owners
        for part in parts:
            if owners.get(part, document) not in {None, document}:
                raise RecordError(f"its section id {part!r} is in another document already")
        for part, owner in (*dict.fromkeys(former).items(), *dict.fromkeys(parts, document).items()):
            owners[part] = owner
            if self.comparison.memory is not None:
                self.comparison.memory.keep("part", (part,), [owner])


def no_entity(row: Row, entity: str) -> Reject:
    """Reject a relation one of whose ends, `entity`, is not in the graph."""
    return _reject(kinds.of(row.record), row, _LackingError(entity))


def _reject(kind: Kind, row: Row, error: RecordError) -> Reject:
    reason = f"{' '.join(filter(None, kind.key(row)[-4:]))}: {error}"
    lacks = error.entity if isinstance(error, _LackingError) else ""
    return Reject(row.file, row.line, reason, lacks, error.source if isinstance(error, HeldError) else "")


def numbered(batch: Sequence[Item]) -> Iterator[tuple[int, Row]]:
    """Give the rows of a batch with their numbers."""
    for number, item in enumerate(batch):
        if isinstance(item, Row):
            yield number, item
