"""Ranks sources by precedence on entities, and updates summaries when a release or a curator changes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...errors import UnknownSourceError
from ...graph import catalogue
from ...progress import progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...graph.database import Database
    from ...schema.records import SourceInfo

NEUTRAL: Final = 5
"""The rank of a source that no curator has ranked."""

_PAGE: Final = 500


def standing_of(info: SourceInfo) -> str:
    """Say by what a source's word is weighed that no curator has ranked.

    Returns:
        What the query `unsettled_sources` tells of it once it is in the graph.
    """
    return "".join(f"{prefix} " for prefix in info.prefixes) + f"{info.released} {info.rank} {NEUTRAL}"


def rank(database: Database, source: str, value: int | None) -> None:
    """Say how much the word of a source and its parts on entities counts, above all that the sources themselves tell.

    Args:
        value: From 1, believed before all that nobody ranked, to 9, believed after them; 5 is what nobody ranked,
            and None takes a rank away.

    Raises:
        UnknownSourceError: The graph holds no such source.
        DatabaseError: The database refused or went away; run it again to go on.
    """
    ranked = database.write(catalogue.get("rank_source"), source=source, rank=value)
    if not ranked:
        raise UnknownSourceError(f"the graph holds no source {source!r}; medgraph sources lists what is loaded")
    settle(database, [row["id"] for row in ranked])


def settle(database: Database, sources: Sequence[str]) -> int:
    """Summarise anew what sources share with others, where their standing is not the one it was summarised by.

    Raises:
        DatabaseError: The database refused or went away; the next load of the source, or rank, goes on.
    """
    settled = 0
    for row in database.read(catalogue.get("unsettled_sources"), sources=sources):
        after = ""
        with progress(f"weighing {row['id']}", "entity") as bar:
            while page := database.read(catalogue.get("shared_entities"), source=row["id"], after=after, limit=_PAGE):
                ids = [found["id"] for found in page]
                database.run(catalogue.get("summarise_entities"), ids=ids)
                after, settled = ids[-1], settled + len(ids)
                bar.update(len(ids))
        database.write(catalogue.get("settle_source"), source=row["id"], standing=row["standing"])
    return settled
