"""What results may be: filters, checked against what the graph holds and completed for its indexes."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from ..errors import InputError, NotInGraphError
from ..graph import catalogue
from ..schema.vocabulary import SECTION_TYPES, section_type

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..graph.database import Database

    Row = dict[str, Any]

DERIVED: Final = "graph"
"""The source of what relations tell, in sentences: it repeats what others say, so it is searched where asked for."""

_DATE: Final = re.compile(r"[0-9]{4}(-[0-9]{2}){0,2}")


@dataclass(frozen=True, slots=True)
class Filters:
    """What results may be; an empty field does not restrict.

    Attributes:
        sources: Ids of sources, each with its parts, or names of their collections.
        types: Section types, or other words for them.
        since: The earliest date of publication, ISO; undated documents are left out.
        until: The latest one.
        licences: Licences of sources.
        graph: Whether what relations tell, in sentences, is searched beside texts; the source `graph` alone is named
            like any other.
    """

    sources: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    licences: tuple[str, ...] = ()
    graph: bool = False


@dataclass(frozen=True, slots=True)
class Restriction:
    """Filters as the Cypher files take them.

    Attributes:
        sources: Ids of sources; empty for any.
        collections: Names of collections; empty for any.
        types: Section types; empty for any.
        since: The earliest date; empty for any.
        until: The latest one.
        all_sources: Every source there is.
        all_collections: Every collection there is.
        all_types: Every section type there is.
        nothing: Whether nothing passes, since no source that is named has a licence that is named.
        hidden: A source that is left out, and that is all that is restricted; empty for none.
    """

    sources: Sequence[str] = ()
    collections: Sequence[str] = ()
    types: Sequence[str] = ()
    since: str = ""
    until: str = ""
    all_sources: Sequence[str] = ()
    all_collections: Sequence[str] = ()
    all_types: Sequence[str] = ()
    nothing: bool = False
    hidden: str = ""

    def parameters(self) -> dict[str, Any]:
        """Complete it: the vector index has no `OR`.

        Returns:
            Values for the vector index: every list complete, every bound set.
        """
        return {
            "sources": list(self.sources or self.all_sources),
            "collections": list(self.collections or self.all_collections),
            "types": list(self.types or self.all_types),
            "since": self.since or ("0" if self.until else ""),
            "until": _last_day(self.until) if self.until else "9999",
        }

    def phrases(self) -> dict[str, Sequence[str]]:
        """Give the phrases that Lucene requires in the fields it filters by.

        Returns:
            Phrases by field, one of which must be there.
        """
        return {"source": self.sources, "collection": self.collections, "type": self.types}


def restrict(database: Database, filters: Filters | None) -> Restriction | None:
    """Turn filters into values that the graph knows.

    Args:
        database: The graph.
        filters: What results may be.

    Returns:
        The restriction; None where everything passes. What relations tell passes only where it is asked for.

    Raises:
        InputError: A filter cannot be used.
        NotInGraphError: The graph has no such source, section type or licence.
        DatabaseError: The database refused or went away.
    """
    filters = filters or Filters()
    known = database.read(catalogue.get("filter_values"))
    hides = not filters.graph and DERIVED in {row["source"] for row in known}
    plain = replace(filters, graph=False) == Filters()
    if plain and not hides:
        return None
    types = {name for row in known for name in row["types"]} | set(SECTION_TYPES)
    wanted = {section_type(name) for name in filters.types}
    if unknown := wanted - types:
        raise NotInGraphError(f"there is no section type {min(unknown)!r}; known are {', '.join(sorted(types))}")
    sources, collections = _origins(known, filters.sources)
    if filters.licences:
        licensed = _licensed(known, filters.licences)
        sources = licensed & sources if sources else licensed
    _check_dates(filters)
    return Restriction(
        sources=sorted(sources),
        collections=sorted(collections),
        types=sorted(wanted),
        since=filters.since,
        until=filters.until,
        all_sources=sorted(row["source"] for row in known if not (hides and row["source"] == DERIVED)),
        all_collections=["", *sorted({name for row in known for name in row["collections"]})],
        all_types=["", *sorted(types)],
        nothing=bool(filters.licences) and not sources,
        hidden=DERIVED if plain and not any(_looks_hidden(row["source"]) for row in known) else "",
    )


def _looks_hidden(source: str) -> bool:
    """Tell whether the full-text index takes another source for the hidden one."""
    return source != DERIVED and any(word.startswith(DERIVED) for word in re.findall(r"[a-z0-9]+", source))


def _origins(known: Sequence[Row], names: Iterable[str]) -> tuple[set[str], set[str]]:
    """Find the sources or the collections that are named; a source has its parts with it."""
    sources = {row["source"] for row in known}
    collections = {name.lower(): name for row in known for name in row["collections"]}
    by_source: set[str] = set()
    by_collection: set[str] = set()
    for name in names:
        if name in sources:
            by_source |= {name, *(row["source"] for row in known if row["part_of"] == name)}
        elif name.lower() in collections:
            by_collection.add(collections[name.lower()])
        else:
            told = ", ".join([*sorted(sources), *sorted(collections.values())])
            raise NotInGraphError(f"there is no source {name!r} in the graph; known are {told or 'none: load one'}")
    if by_source and by_collection:
        raise InputError(
            f"{min(by_source)} is a source and {min(by_collection)} a collection; "
            "give sources or collections, not both at once"
        )
    return by_source, by_collection


def _licensed(known: Sequence[Row], names: Iterable[str]) -> set[str]:
    """Find the sources of some licences, in whatever case and with blanks or hyphens."""
    licences = {_plain(row["licence"]): row["licence"] for row in known if row["licence"]}
    for name in names:
        if _plain(name) not in licences:
            told = ", ".join(sorted(licences.values()))
            raise NotInGraphError(
                f"no source in the graph has the licence {name!r}; known are {told or 'none: load a source'}"
            )
    wanted = {_plain(name) for name in names}
    return {row["source"] for row in known if _plain(row["licence"]) in wanted}


def _plain(licence: str) -> str:
    return "-".join(licence.casefold().replace("-", " ").replace("_", " ").split())


def _check_dates(filters: Filters) -> None:
    for name in ("since", "until"):
        value = getattr(filters, name)
        if value and not _is_date(value):
            raise InputError(f"{name} is {value!r}; write it as 2026, 2026-11 or 2026-11-21")


def _is_date(value: str) -> bool:
    try:
        date.fromisoformat((value + "-01-01")[:10])
    except ValueError:
        return False
    return _DATE.fullmatch(value) is not None


def _last_day(until: str) -> str:
    """Extend a year or month to its end, so that every date in it is at most this."""
    return until + "-99" * (2 - until.count("-"))
