"""Exports the curators' decisions on equivalences as an SSSOM table that others can load."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..graph import catalogue
from ..schema.records import Relation, SourceInfo
from . import sssom

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ..graph.database import Database

INFO: Final = SourceInfo(
    id="review", title="Equivalences decided by curators", version="unversioned", licence="CC0-1.0", url=""
)

_DECIDED: Final = "semapv:ManualMappingCuration"
# How a pair was found → its justification in SEMAPV.
_FOUND: Final = {
    "name": "semapv:LexicalMatching",
    "synonym": "semapv:LexicalMatching",
    "synonyms": "semapv:LexicalMatching",
    "title": "semapv:LexicalMatching",
    "agreed": "semapv:LexicalMatching",
    "ambiguous name": "semapv:LexicalMatching",
    "extended name": "semapv:LexicalMatching",
    "xref": "semapv:DatabaseCrossReference",
    "shared xref": "semapv:DatabaseCrossReference",
    "broad xref": "semapv:DatabaseCrossReference",
    "cui": "semapv:DatabaseCrossReference",
    "embedding": "semapv:SemanticSimilarityThresholdMatching",
}


def export(database: Database, path: Path, *, proposed: bool = False, force: bool = False) -> list[str]:
    """Write equivalences; a rejected one says that it is not so.

    Args:
        path: The file, `.sssom.tsv` by custom.
        proposed: Whether those that nobody has decided on are written too.
        force: Replace a file that is there.

    Returns:
        What the file cannot say, a line each.

    Raises:
        InputError: The file cannot be written; what was there is there still.
    """
    statuses = ["accepted", "rejected", *(["proposed"] if proposed else [])]
    return sssom.write(path, [INFO], _mappings(database, statuses), force=force)


def _mappings(database: Database, statuses: list[str]) -> Iterator[sssom.Mapping]:
    for row in database.stream(catalogue.get("reviewed_pairs"), statuses=statuses):
        decided = row["status"] != "proposed"
        properties = {"comment": f"found by {row['method']}: {row['evidence']}"} if row["evidence"] else {}
        if decided and row["decided"]:
            properties["mapping_date"] = row["decided"]
        relation = Relation(
            row["one"],
            "EXACT_MATCH",
            row["other"],
            method=_DECIDED if decided else _FOUND.get(row["method"], "semapv:UnspecifiedMatching"),
            score=1.0 if decided else row["score"],
            properties=tuple(sorted(properties.items())),
        )
        ends = ("", row["one_name"] or ""), ("", row["other_name"] or "")
        yield sssom.Mapping(INFO.id, relation, *ends, negated=row["status"] == "rejected")
