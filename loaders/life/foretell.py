"""Simulates loading a file into an empty graph, without a database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..base import Row
from .compare import NO_LOAD, Comparison, Memory, numbered
from .write import batches

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...graph.catalogue import Query
    from ..base import Item


def foretold(items: Iterable[Item], source: str, *, last_wins: bool = False) -> Iterator[Item]:
    """Judge records as a load into an empty graph would.

    Args:
        last_wins: Whether a later record replaces an earlier one.

    Yields:
        The items, with a reject in the place of each record that would be rejected; one that only lacks an entity,
        which a graph may have, names it as `lacks`.
    """
    said = (
        Row(item.record, item.file, item.line, item.source or source) if isinstance(item, Row) else item
        for item in items
    )
    with Memory() as memory:
        comparison = Comparison(_nothing, source, NO_LOAD, memory, last_wins=last_wins)
        for batch in batches(said):
            rejected = dict(comparison.compare(list(numbered(batch))).rejects)
            for number, item in enumerate(batch):
                yield rejected.get(number, item)


def _nothing(query: Query, **parameters: Any) -> list[dict[str, Any]]:
    """Answer the statements of a comparison as an empty graph does."""
    if query.name != "relation_states":
        return []
    nothing = {"hash": None, "seen": None, "load": None}
    return [
        {"number": row["number"], "missing": [row["subject"], row["object"]], **nothing} for row in parameters["rows"]
    ]
