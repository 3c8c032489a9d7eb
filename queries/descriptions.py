"""What an entity is that no source defines: in the words of what means the same, or of an overview."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..graph import catalogue
from ..text import sendable

if TYPE_CHECKING:
    from ..graph.database import Database


@dataclass(frozen=True, slots=True)
class Description:
    """What an entity is, taken from elsewhere: from another entity of its concept, or from a section.

    Attributes:
        text: The definition, or whole sentences of the section.
        source: Id of the source whose words these are.
        entity: Id of the entity that is defined so; empty where a section says it.
        section: Id of the section that says so; empty where it is a definition.
    """

    text: str
    source: str
    entity: str
    section: str

    @property
    def origin(self) -> str:
        """Id of the entity or the section whose words these are."""
        return self.entity or self.section

    @property
    def words(self) -> str:
        """The text with where it stands, for people."""
        return f"{self.text} (described so by {self.origin}, {self.source})"


def description_of(database: Database, entity_id: str) -> Description | None:
    """Tell what an entity is that no source defines.

    Returns:
        The description; None where the entity has a definition of its own, or nothing says what it is.
    """
    rows = database.read(catalogue.get("description"), id=sendable(entity_id))
    return Description(**{name: " ".join(value.split()) for name, value in rows[0].items()}) if rows else None
