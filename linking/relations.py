"""Typed relations from sections: what a page about a condition names as its symptom, treatment or cause, and more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..graph import catalogue
from ..progress import progress
from .roles import ROLES

if TYPE_CHECKING:
    from ..graph.database import Database

VAGUE: Final = (
    *(
        f"{kind} {name}"
        for kind in ("rare", "genetic", "other", "certain", "common", "inherited", "chronic", "medical", "serious")
        for name in ("disease", "diseases", "disorder", "disorders", "condition", "conditions", "syndrome", "syndromes")
    ),
    *("allergen", "allergens", "anesthesia", "general anesthesia"),
)
"""What a page names without saying anything: these go with no condition more than with others."""

SURE: Final = 0.9
"""Score below which a relation is not told."""

_HALF: Final = 0.5
"""Score below which a mention says nothing: many that are unlikely make nothing likely."""


def index_relations(database: Database) -> int:
    """Find the relations that the sections of the graph tell; only what has changed is written.

    Args:
        database: The graph.

    Returns:
        How many were found.

    Raises:
        DatabaseError: The database went away; a second call finds them all.
    """
    told = {role: relation for role, (relation, _) in ROLES.items() if relation}
    query, found = catalogue.get("find_relations"), 0
    with progress("finding relations", "role", len(told)) as bar:
        for role, relation in told.items():
            labels = [*ROLES[role][1]]
            rows = database.run(
                query, role=role, relation=relation, labels=labels, vague=VAGUE, least=_HALF, enough=SURE
            )
            found += rows[0]["found"] if rows else 0
            bar.update(1)
    database.run(catalogue.get("contest_relations"))
    return found
