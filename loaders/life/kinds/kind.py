"""Interface of a kind of record in a load: its key, comparison, writing and removal."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol

from ....graph import catalogue
from .states import Created

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ....graph.database import Database, Run
    from ...base import Row
    from ..outcome import Outcome, Verdict
    from .states import Former, Gone, Key, KeyRow, Known, Loading, StoredRecord

    Numbered = Sequence[tuple[int, Row]]

PAGE: Final = 500
"""How many records are taken out, or brought back, in one transaction."""

BATCH_ROWS: Final = 2000
"""How many records, rejects and remarks are stored in one transaction."""


class Judge(Protocol):
    """Judges the rows of a batch, one after the other."""

    @property
    def source(self) -> str:
        """The id of the source that is loaded."""

    @property
    def known(self) -> Known:
        """What is stored of the batch."""

    def content(self, row: Row) -> Verdict:
        """Judge a row that says what is."""

    def withdrawal(self, row: Row) -> Verdict:
        """Judge a row that takes something back."""


class Kind(ABC):
    """What a load does with one kind of record.

    Attributes:
        name: What it is called in reports, and where the graph keeps what was.
        batch_rows: How many rows a batch has at most.
    """

    name: ClassVar[str]
    batch_rows: ClassVar[int] = BATCH_ROWS

    @abstractmethod
    def key(self, row: Row) -> Key:
        """Name a row's record among those of its kind.

        Returns:
            What no two stored records have in common.
        """

    @abstractmethod
    def key_row(self, row: Row) -> KeyRow:
        """Give a row's key as statements take it."""

    @abstractmethod
    def look_up(self, run: Run, rows: Sequence[Row]) -> Known:
        """Read what is stored of rows' records."""

    @abstractmethod
    def write(self, run: Run, outcome: Outcome, loading: Loading) -> None:
        """Store what was judged.

        Args:
            outcome: Rows that were added, changed, seen again or withdrawn, without those that `create` stored.
        """

    def judge(self, row: Row, judge: Judge) -> Verdict:
        """Say what storing a row would do.

        Raises:
            RecordError: It cannot be stored.
        """
        return judge.content(row)

    def create(self, run: Run, rows: Numbered, loading: Loading) -> Created:  # noqa: ARG002 - of most kinds nothing
        """Store records of which the graph has nothing."""
        return Created()

    def complete(self, run: Run, rows: Sequence[Row]) -> None:  # noqa: B027 - most kinds are complete by then
        """Store what hangs on records that were added or changed."""

    def names(self, row: Row) -> Iterable[Key]:
        """Name what storing a row writes to; two batches that name the same wait for each other."""
        return (self.key(row),)

    def parts(self, record: Any) -> tuple[str, ...]:  # noqa: ARG002 - most kinds have none
        """List the ids that a record takes for its parts.

        Returns:
            Ids that no other record may take.
        """
        return ()

    def entities(self, record: Any) -> tuple[str, ...]:  # noqa: ARG002 - most kinds bring none
        """List the entities that a record brings."""
        return ()

    def ends(self, record: Any) -> tuple[str, ...]:  # noqa: ARG002 - most kinds join none
        """List the entities that a record joins.

        Returns:
            Ids of entities that stay as long as it does.
        """
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

    Attributes:
        key_names: The columns of a key, in its order.
        every: The query for the keys of all that sources have.
        stale: The query for what a load has not seen.
        written: The query for what a load wrote.
        page_rows: How many records are taken out in one transaction.
    """

    key_names: ClassVar[tuple[str, ...]]
    every: ClassVar[str]
    stale: ClassVar[str]
    written: ClassVar[str]
    page_rows: ClassVar[int] = PAGE

    @abstractmethod
    def stored(self, run: Run, keys: Sequence[KeyRow]) -> list[StoredRecord]:
        """Read records back as their sources stated them."""

    @abstractmethod
    def remove(self, run: Run, keys: Sequence[KeyRow]) -> int:
        """Take records out of the graph.

        Returns:
            How many stay as stubs, since others point to them.
        """

    @abstractmethod
    def restore(self, run: Run, formers: Sequence[Former]) -> None:
        """Bring records back into the graph as they were before a load changed or withdrew them."""

    @abstractmethod
    def unload(self, database: Database, sources: Sequence[str]) -> Gone:
        """Take out all that sources state.

        Args:
            sources: Ids of a source and its parts.
        """

    def keys(self, database: Database, sources: Sequence[str]) -> Iterator[KeyRow]:
        """List all that sources have.

        Args:
            sources: Ids of a source and its parts.
        """
        return database.stream(catalogue.get(self.every), sources=sources)

    def pages(self, database: Database, query: str, sources: Sequence[str], load: int) -> Iterator[list[KeyRow]]:
        """List records that are taken out, page by page.

        Args:
            query: `stale` or `written`.
            sources: Ids of a source and its parts.

        Yields:
            Keys of records, which must be gone before the next page.
        """
        while page := database.read(catalogue.get(query), sources=sources, load=load, limit=self.page_rows):
            yield list(page)

    @property
    def stored_as(self) -> StoredKind:
        """The kind itself."""
        return self
