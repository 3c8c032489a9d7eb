"""The kinds of records that loads know, an object each: a kind is added by adding its object here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ....schema.records import Document, Entity, Relation, SourceInfo, Withdrawal
from .document import Documents, Withdrawals
from .entity import Entities
from .part import Parts
from .relation import Relations

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ....schema.records import Record
    from .kind import Kind, StoredKind

ENTITIES: Final = Entities()
RELATIONS: Final = Relations()
DOCUMENTS: Final = Documents()

PARTS: Final = Parts()

KINDS: Final[Mapping[type[Record], Kind]] = {
    Entity: ENTITIES,
    Relation: RELATIONS,
    Document: DOCUMENTS,
    Withdrawal: Withdrawals(DOCUMENTS),
    SourceInfo: PARTS,
}
"""By class of record."""

STORED: Final[Mapping[str, StoredKind]] = {kind.name: kind for kind in (ENTITIES, RELATIONS, DOCUMENTS)}
"""By name, what sources withdraw, in the order in which it comes."""

RESTORED: Final[Mapping[str, StoredKind | Parts]] = {**STORED, PARTS.name: PARTS}
"""By name, what `undo` brings back as it was."""

LAST_FIRST: Final[tuple[StoredKind, ...]] = tuple(reversed(list(STORED.values())))
"""The same in the order in which it goes: relations before entities, which take theirs with them."""


def of(record: Record) -> Kind:
    """Find the kind of a record."""
    return KINDS[type(record)]
