"""Interface of a kind of record in a load: its key, comparison, writing and removal, and what loads tell it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final

from ...errors import RecordError
from ...graph import catalogue
from ...schema.rows import title, to_json

if TYPE_CHECKING:
    from ...graph.database import Database, Run
    from ...schema.records import Document, Entity, Relation
    from ..base import Row
    from .outcome import Outcome, Verdict

    Numbered = Sequence[tuple[int, Row]]


class HeldError(RecordError):
    """Another source has what a record claims."""

    def __init__(self, message: str, source: str) -> None:
        super().__init__(message)
        self.source = source


Key = tuple[str, ...]
KeyRow = Mapping[str, Any]  # What tells a stored record from others of its kind, as statements take it


@dataclass(frozen=True, slots=True)
class Loading:
    """The load that writes.

    `all_new` tells that none of its entities was in the graph yet, so that the next ones need not be looked up.
    """

    source: str
    load: int
    all_new: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """What is stored of a record: its fingerprint, the load that saw it last, and the one that wrote it.

    Its source is empty where that is part of its key; revision and ids of parts are those of a document.
    """

    hash: int
    seen: int
    load: int
    source: str = ""
    revision: str = ""
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Known:
    """What is stored of the records of a batch.

    By key it has states (None or nothing for what is not stored) and ends that are missing; by id of a section or
    question the document that owns it; and by id of a source what is recorded of that.
    """

    states: dict[Key, State | None] = field(default_factory=dict)
    missing: dict[Key, list[str]] = field(default_factory=dict)
    owners: dict[str, str | None] = field(default_factory=dict)
    facts: dict[str, KeyRow] = field(default_factory=dict)

    def add(self, more: Known) -> None:
        """Bring in what is known of further records of the batch."""
        self.states.update(more.states)
        self.missing.update(more.missing)
        self.owners.update(more.owners)
        self.facts.update(more.facts)


@dataclass(frozen=True, slots=True)
class Created:
    """Numbers of records that were stored because the graph had nothing of theirs; `known` is None if not looked up."""

    numbers: Collection[int] = ()
    known: Known | None = None


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A record that is in the graph as its source stated it, its fingerprint, and the load that wrote it."""

    record: Entity | Relation | Document
    source: str
    hash: int
    load: int


@dataclass(frozen=True, slots=True)
class Gone:
    """Nodes and records that went with sources, and entities that stay as stubs, since others point to them."""

    removed: int = 0
    stubs: int = 0
    records: int = 0

    def __add__(self, other: Gone) -> Gone:
        return Gone(self.removed + other.removed, self.stubs + other.stubs, self.records + other.records)


@dataclass(frozen=True, slots=True)
class Former:
    """A record, as JSON, as it was before a load, and the load that had written it.

    `element` is the node that keeps it, `key` its name for people, which is the id of an entity or document.
    """

    element: str
    kind: str
    key: str
    source: str
    record: str
    hash: int
    load: int


PAGE: Final = 500  # How many records are taken out, or brought back, in one transaction
BATCH_ROWS: Final = 2000  # How many records, rejects and remarks are stored in one transaction


class Kind(ABC):
    """What a load does with one kind of record, which has its `name` in reports and where the graph keeps what was."""

    name: ClassVar[str]
    key_names: ClassVar[tuple[str, ...]] = ("id",)
    batch_rows: ClassVar[int] = BATCH_ROWS
    takes_back: ClassVar[bool] = False  # whether its records say what is no more

    @abstractmethod
    def key(self, row: Row) -> Key:
        """Name a row's record among those of its kind, by `key_names`: what no two stored records have in common."""

    def key_row(self, row: Row) -> KeyRow:
        """Give a row's key, and its source, as statements take them."""
        return {**dict(zip(self.key_names, self.key(row), strict=True)), "source": row.source}

    @abstractmethod
    def look_up(self, run: Run, rows: Sequence[Row]) -> Known:
        """Read what is stored of rows' records."""

    @abstractmethod
    def write(self, run: Run, outcome: Outcome, loading: Loading) -> None:
        """Store rows that were added, changed, seen again or withdrawn, without those that `create` stored."""

    def verdict(self, row: Row, known: Known, source: str) -> Verdict | None:  # noqa: ARG002 - of most kinds
        """Say what storing a row would do, where that does not follow from what was stored of the same key."""
        return None

    def create(self, run: Run, rows: Numbered, loading: Loading) -> Created:  # noqa: ARG002 - of most kinds nothing
        """Store records of which the graph has nothing."""
        return Created()

    def added(self, run: Run, rows: Numbered, known: Known, load: int) -> Numbered:  # noqa: ARG002 - of most kinds none
        """Give rows with what adds to records of earlier loads made whole."""
        return rows

    def complete(self, run: Run, rows: Sequence[Row]) -> None:  # noqa: B027 - most kinds are complete by then
        """Store what hangs on records that were added or changed."""

    def names(self, row: Row) -> Iterable[Key]:
        """Name what storing a row writes to; two batches that name the same wait for each other."""
        return (self.key(row),)

    def parts(self, record: Any) -> tuple[str, ...]:  # noqa: ARG002 - most kinds have none
        """List the ids that a record takes for its parts, which no other record may take."""
        return ()

    def entities(self, record: Any) -> tuple[str, ...]:  # noqa: ARG002 - most kinds bring none
        """List the entities that a record brings."""
        return ()

    def ends(self, record: Any) -> tuple[str, ...]:  # noqa: ARG002 - most kinds join none
        """List the entities that a record joins, which stay as long as it does."""
        return ()

    def weight(self, record: Any) -> int:  # noqa: ARG002 - most kinds are small
        """Tell how much a record adds to its batch."""
        return 0

    @property
    def stored_as(self) -> StoredKind | None:
        """The kind of what the graph holds of such records."""
        return None


class StoredKind(Kind):
    """A kind of record that sources withdraw, and that is kept as it was when it changes.

    Queries for keys are `every` (of all that sources have), `stale` (unseen by a load) and `written` (by a load).
    """

    every: ClassVar[str]
    stale: ClassVar[str]
    written: ClassVar[str]
    page_rows: ClassVar[int] = PAGE

    @abstractmethod
    def stored(self, run: Run, keys: Sequence[KeyRow]) -> list[StoredRecord]:
        """Read records back as their sources stated them."""

    @abstractmethod
    def remove(self, run: Run, keys: Sequence[KeyRow]) -> int:
        """Take records out of the graph; give how many stay as stubs, since others point to them."""

    @abstractmethod
    def restore(self, run: Run, formers: Sequence[Former]) -> None:
        """Bring records back into the graph as they were before a load changed or withdrew them."""

    @abstractmethod
    def unload(self, database: Database, sources: Sequence[str]) -> Gone:
        """Take out all that sources state."""

    def keys(self, database: Database, sources: Sequence[str]) -> Iterator[KeyRow]:
        """List the keys of all that sources have."""
        return database.stream(catalogue.get(self.every), sources=sources)

    def pages(self, database: Database, query: str, sources: Sequence[str], load: int) -> Iterator[list[KeyRow]]:
        """Yield pages of keys that a query, `stale` or `written`, finds; they must be gone before the next page."""
        while page := database.read(catalogue.get(query), sources=sources, load=load, limit=self.page_rows):
            yield list(page)

    def keep(self, run: Run, load: int, keys: Sequence[KeyRow]) -> None:
        """Keep records as a load finds them until the source's next one, in the transaction that changes them."""
        rows = [
            {
                "kind": self.name,
                "key": title(stored.record),
                "record": to_json(stored.record),
                "source": stored.source,
                "hash": stored.hash,
                "load": stored.load,
            }
            for stored in self.stored(run, keys)
        ]
        if rows:
            run(catalogue.get("write_formers"), rows=rows, load=load)

    @property
    def stored_as(self) -> StoredKind:
        """The kind itself."""
        return self
