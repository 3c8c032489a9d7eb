"""Typed relations from sections: what a page about a condition names as its symptom, treatment or cause, and more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..graph import catalogue
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
    *("tumor", "tumors", "tumour", "tumours", "progressive", "clotting", "puberty"),
)
"""What a page names without saying anything: these go with no condition more than with others, or mean less than their
concept, as a tumor need not be a cancer."""

SURE: Final = 0.9
"""Score below which a relation is not told."""

_LIKELY: Final = 0.8
"""Score below which a mention says nothing: many that are less likely make nothing sure."""


def index_relations(database: Database) -> int:
    """Find the relations that the sections of the graph tell; only what has changed is written.

    Raises:
        DatabaseError: The database went away; a second call finds them all.
    """
    told = {role: relation for role, (relation, _) in ROLES.items() if relation}
    labels = {role: [*ROLES[role][1]] for role in told}
    query = catalogue.get("find_relations")
    rows = database.run(query, relations=told, labels=labels, vague=VAGUE, least=_LIKELY, enough=SURE)
    database.run(catalogue.get("contest_relations"))
    return rows[0]["found"] if rows else 0
