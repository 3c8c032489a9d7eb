"""Typed relations from sections: what a page about a condition names under its symptoms are its symptoms."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from ..graph import catalogue
from ..progress import progress
from ..schema.vocabulary import CONDITIONS

if TYPE_CHECKING:
    from ..graph.database import Database

_MEANS: Final = ("Drug", "Chemical", "DrugClass", "Treatment")

VAGUE: Final = (
    *(
        f"{kind} {name}"
        for kind in ("rare", "genetic", "other", "certain", "common", "inherited", "chronic", "medical", "serious")
        for name in ("disease", "diseases", "disorder", "disorders", "condition", "conditions", "syndrome", "syndromes")
    ),
    *("air", "allergen", "allergens", "anesthesia", "general anesthesia", "down", "still", "west"),
)
"""What a page names without saying anything: these go with no condition more than with others, or are everyday."""

STATED_BY: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "symptoms": ("HAS_SYMPTOM", CONDITIONS),
    "causes": ("CAUSED_BY", (*CONDITIONS, "Gene", "Organism")),
    "genetic changes": ("CAUSED_BY", ("Gene",)),
    "susceptibility": ("HAS_RISK_FACTOR", CONDITIONS),
    "complications": ("HAS_COMPLICATION", CONDITIONS),
    "treatment": ("TREATED_BY", _MEANS),
    "exams and tests": ("DIAGNOSED_BY", ("Test",)),
}
"""Section type → the relation that what stands there has to the condition, and the labels of what can have it."""

TRUST: Final = {
    "TREATED_BY": 0.97,
    "DIAGNOSED_BY": 0.94,
    "HAS_SYMPTOM": 0.94,
    "HAS_RISK_FACTOR": 0.8,
    "CAUSED_BY": 0.79,
    "HAS_COMPLICATION": 0.58,
}
"""Relation → how many of those found are right (`medgraph evaluate linking --relations`), which their scores bear."""


def index_relations(database: Database) -> int:
    """Find the relations that the sections of the graph tell; only what has changed is written.

    Args:
        database: The graph.

    Returns:
        How many were found.

    Raises:
        DatabaseError: The database went away; a second call finds them all.
    """
    kinds: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for section_type, (relation, labels) in STATED_BY.items():
        kinds[relation].append({"section_type": section_type, "labels": labels})
    query, found = catalogue.get("find_relations"), 0
    with progress("finding relations", "type", len(kinds)) as bar:
        for relation, told in kinds.items():
            rows = database.run(query, relation=relation, kinds=told, vague=VAGUE, trust=TRUST[relation])
            found += rows[0]["found"] if rows else 0
            bar.update(1)
    database.run(catalogue.get("contest_relations"))
    return found
