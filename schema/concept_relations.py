"""The relations between concepts: each once, folded from what sources state of their entities and what sections tell.

They are derived: a relation names all who say so, and is written only where what is said has changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..graph import catalogue
from ..progress import progress
from .vocabulary import ENTITY_LABELS, INVERSES, SYMMETRIC

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..graph.database import Database, Row, Run

_WEIGHT: Final = 20_000  # Relations of entities that are read in one transaction, unless one concept has more
_TERMS: Final = 500  # Terms a transaction


def fold_all(database: Database) -> int:
    """Give joined concepts the relations that sources state of their entities; count what is written or goes."""
    return _fold(database, list(database.stream(catalogue.get("related_concepts"))))


def fold_sources(database: Database, sources: Sequence[str], load: int | None = None, *, gone: bool = True) -> int:
    """Give concepts the relations that sources state of their entities, in one load or all.

    Where these may state something no more, as `gone` tells, that is taken out.
    """
    touched = database.stream(catalogue.get("touched_concepts"), sources=sources, load=load, gone=gone)
    return _fold(database, list(touched))


def fold_terms(run: Run, terms: Sequence[str]) -> None:
    """Give conditions their relations to terms; terms that no section tells of go."""
    for start in range(0, len(terms), _TERMS):
        run(catalogue.get("fold_terms"), terms=terms[start : start + _TERMS])


def _fold(database: Database, concepts: Sequence[Row]) -> int:
    written = 0
    fixed = {"inverses": INVERSES, "symmetric": SYMMETRIC, "labels": list(ENTITY_LABELS)}
    with progress("folding relations", "concept", len(concepts)) as bar:
        for page in _weighed(concepts):
            written += database.write(catalogue.get("fold_statements"), concepts=page, **fixed)[0]["written"]
            bar.update(len(page))
    if written:
        database.run(catalogue.get("contest_relations"))
    return written


def _weighed(concepts: Iterable[Row]) -> Iterator[list[str]]:
    page: list[str] = []
    weight = 0
    for row in concepts:
        if page and weight + row["weight"] > _WEIGHT:
            yield page
            page, weight = [], 0
        page.append(row["concept"])
        weight += row["weight"]
    if page:
        yield page
