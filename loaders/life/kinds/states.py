"""Data that kinds of records exchange with a load: stored states, and the load itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ....errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Collection

    from ....schema.records import Document, Entity, Relation


class HeldError(RecordError):
    """Another source has what a record claims."""

    def __init__(self, message: str, source: str) -> None:
        super().__init__(message)
        self.source = source


Key = tuple[str, ...]
KeyRow = Mapping[str, Any]
"""What tells a stored record from others of its kind, as statements take it."""


@dataclass(frozen=True, slots=True)
class Loading:
    """The load that writes.

    Attributes:
        source: The id of the source that is loaded.
        load: The load's id.
        all_new: Whether no entity of the graph has come yet, so that the next ones need not be looked up.
    """

    source: str
    load: int
    all_new: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """What is stored of a record.

    Attributes:
        hash: Its fingerprint.
        seen: The load that saw it last.
        load: The load that wrote it.
        source: The source that has it; empty where that is part of its key.
        revision: Its revision, for a document.
        parts: Ids that it takes for its parts, for a document.
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

    Attributes:
        states: By key, what is stored of each; None, or nothing, where it is not.
        missing: By key, which of the entities that a record points to are not in the graph.
        owners: By id of a section or question, the document that has it.
        facts: By id of a source, what is recorded of it.
    """

    states: dict[Key, State | None] = field(default_factory=dict)
    missing: dict[Key, list[str]] = field(default_factory=dict)
    owners: dict[str, str | None] = field(default_factory=dict)
    facts: dict[str, KeyRow] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Created:
    """Records that were stored because the graph had nothing of theirs.

    Attributes:
        numbers: Their numbers in the batch.
        known: What is stored of all the others; None where that has to be looked up.
    """

    numbers: Collection[int] = ()
    known: Known | None = None


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A record that is in the graph.

    Attributes:
        record: The record, as its source stated it.
        source: The source's id.
        hash: Its fingerprint.
        load: The load that wrote it.
    """

    record: Entity | Relation | Document
    source: str
    hash: int
    load: int


@dataclass(frozen=True, slots=True)
class Gone:
    """What taking sources out did.

    Attributes:
        removed: Nodes that went.
        stubs: Entities that nobody states any more and that stay as stubs, since others point to them.
    """

    removed: int = 0
    stubs: int = 0

    def __add__(self, other: Gone) -> Gone:
        return Gone(self.removed + other.removed, self.stubs + other.stubs)


@dataclass(frozen=True, slots=True)
class Former:
    """A record as it was before a load.

    Attributes:
        element: The node that keeps it.
        kind: The name of its kind.
        key: Its name for people, which is the id of an entity or document.
        source: The id of the source that stated it.
        record: The record as JSON.
        hash: Its fingerprint.
        load: The load that had written it.
    """

    element: str
    kind: str
    key: str
    source: str
    record: str
    hash: int
    load: int
