"""Search filters, validated against the graph's contents and completed for its indexes."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from math import ceil
from typing import TYPE_CHECKING, Any, Final

from ..errors import InputError, NotInGraphError
from ..graph import catalogue
from ..schema.languages import language_tag
from ..schema.vocabulary import SECTION_TYPES, section_type
from ..text import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..graph.catalogue import Query
    from ..graph.database import Database, Row
    from .entities import LinkerOf

# Sections whose vectors are all compared, where nothing else may pass: of more, the index is faster.
SCANNED: Final = 500
# Sections whose vectors are all compared, at most, where they are so rare that the index would miss them.
MOST_SCANNED: Final = 4000
# Sections whose titles are given to the full-text index, and words of these, at most: it takes 1,024 words in all.
MOST_TITLED: Final = 300
SPARE: Final = 5  # how many times more neighbours are asked for than would do if what passes lay evenly among all
MOST_NEIGHBOURS: Final = 10_000  # neighbours that the index is asked for, at most
# Sections whose vectors are all compared, at most, where the index's neighbours leave a list short.
MOST_COMPARED: Final = 20_000
# The source of what relations tell, in sentences: it repeats what others say, so it is searched where asked for.
DERIVED: Final = "graph"
NO_NOTICE: Final = "none"  # what stands for documents without notices in a filter by these
_DATE: Final = re.compile(r"[0-9]{4}(-[0-9]{2}){0,2}")


@dataclass(frozen=True, slots=True)
class Scope:
    """What somebody may be told of; an empty field does not limit, and neither do two."""

    sources: tuple[str, ...] = ()  # ids of sources, each with its parts
    licences: tuple[str, ...] = ()  # licences of sources

    def __bool__(self) -> bool:
        return bool(self.sources or self.licences)

    def passing(self, rows: Iterable[Row]) -> list[Row]:
        """Keep the rows of sources that it takes in; what relations tell repeats all sources, so none does.

        A part of a source that is not among them is one by itself.
        """
        licences = set(map(_plain, self.licences))
        kept = [
            row
            for row in rows
            if not self
            or (
                row["source"] != DERIVED
                and (not self.sources or {row["source"], row["part_of"]} & {*self.sources})
                and (not licences or _plain(row["licence"] or "") in licences)
            )
        ]
        known = {row["source"] for row in kept}
        return [row if row["part_of"] in known else row | {"part_of": None} for row in kept]


EVERYTHING: Final = Scope()


def sources_within(database: Database, scope: Scope) -> frozenset[str] | None:
    """Name the sources that a scope takes in; None for all."""
    rows = database.read(catalogue.get("filter_values")) if scope else ()
    return frozenset(row["source"] for row in scope.passing(rows)) if scope else None


@dataclass(frozen=True, slots=True)
class Filters:
    """What results may be; an empty field does not restrict."""

    sources: tuple[str, ...] = ()  # ids of sources, each with its parts, or names of their collections
    types: tuple[str, ...] = ()  # section types, or other words for them
    since: str = ""  # the earliest date of publication, ISO; undated documents are left out
    until: str = ""
    licences: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    journals: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()  # MeSH headings of documents, by name or id, each with those below it
    concepts: tuple[str, ...] = ()  # what sections mention or their documents are about, by name, id or CUI
    # kinds of notices, such as `erratum`, of which a document has to have one; `none` for those without any
    notices: tuple[str, ...] = ()
    studies: tuple[str, ...] = ()  # kinds of study that documents are of one of, such as `guideline`
    language: str = ""  # the language, such as `fr`, of titles and abstracts that alone are searched; empty for English
    # whether what relations tell, in sentences, is searched beside texts; the source `graph` alone is named like any
    # other
    graph: bool = False
    left_out: tuple[str, ...] = ()  # ids of documents that are not searched; what they alone tell is no relation either
    scope: Scope = EVERYTHING  # what whoever asks may be told of: beyond it nothing is found, named or suggested

    def summary(self) -> str:
        """Say it in a few words: `journal Lancet, since 2020`; empty where everything passes."""
        kinds = {f"{kind}s": kind for kind in "source licence type author journal heading concept notice".split()}
        kinds["studies"] = "study"
        named = (f"{kind} {' or '.join(values)}" for name, kind in kinds.items() if (values := getattr(self, name)))
        dates = (f"{name} {value}" for name in ("since", "until", "language") if (value := getattr(self, name)))
        return ", ".join([*named, *dates])


@dataclass(frozen=True, slots=True)
class Restriction:
    """Filters as the Cypher files take them."""

    sources: Sequence[str] = ()
    collections: Sequence[str] = ()
    types: Sequence[str] = ()
    since: str = ""
    until: str = ""
    all_sources: Sequence[str] = ()  # every source there is; so of collections and section types
    all_collections: Sequence[str] = ()
    all_types: Sequence[str] = ()
    # ids of the only sections that may pass, and of pages without any; None for any
    within: Sequence[str] | None = None
    # titles that these stand under, where they are few enough for the full-text index to look for no others
    titles: Sequence[str] = ()
    share: float = 0.0  # what part of the graph's sections these are, where they are more than `SCANNED`
    # whether nothing passes, since no source that is named has a licence that is named, no section is by such an
    # author, from such a journal and so on, or what is since a day would have to be until an earlier one
    nothing: bool = False
    hidden: str = ""  # a source that is left out, and that is all that is restricted; empty for none
    unnoticed: bool = False  # whether documents with notices are left out
    language: str = ""  # the language, other than English, that alone is searched
    left_out: Sequence[str] = ()

    @property
    def by_source(self) -> bool:
        """Whether sources are all that it restricts."""
        return self.within is None and not (self.collections or self.types or self.since or self.until)

    def parameters(self) -> dict[str, Any]:
        """Complete it for the vector index, which has no `OR`: every list complete, every bound set."""
        return {
            "sources": list(self.sources or self.all_sources),
            "collections": list(self.collections or self.all_collections),
            "types": list(self.types or self.all_types),
            "since": self.since or ("0" if self.until else ""),
            "until": _last_day(self.until) if self.until else "9999",
            "within": None if self.within is None else list(self.within),
        }

    def neighbours(self, fetch: int) -> dict[str, Any]:
        """Say how neighbours are found where only some sections may pass.

        All of these are compared, or else the index is asked for as many times more neighbours as the graph has more
        sections, and some to spare, of which these are picked.
        """
        if self.within is None or len(self.within) <= SCANNED:
            return {"scanned": self.within is not None, "wide": fetch}
        wide = ceil(SPARE * fetch / self.share)
        scanned = wide > MOST_NEIGHBOURS and len(self.within) <= MOST_SCANNED
        return {"scanned": scanned, "wide": min(wide, MOST_NEIGHBOURS)}

    def phrases(self, *, titled: bool) -> dict[str, Sequence[str]]:
        """Give phrases by field, one of which Lucene requires, where what is searched has titles or not."""
        titles = {"title": self.titles} if titled else {}
        return {"source": self.sources, "collection": self.collections, "type": self.types} | titles


def restrict(database: Database, filters: Filters | None, linker: LinkerOf) -> Restriction | None:
    """Turn filters into values that the graph knows; None where everything passes.

    What relations tell passes only where it is asked for.

    Raises:
        InputError: A filter cannot be used.
        NotInGraphError: The graph has no such source, section type, licence, author, journal, heading or concept.
    """
    filters = filters or Filters()
    known = filters.scope.passing(database.read(catalogue.get("filter_values")))
    hides = not filters.graph and DERIVED in {row["source"] for row in known}
    plain = replace(filters, graph=False, left_out=()) == Filters()
    if plain and not hides and not filters.left_out:
        return None
    types = {name for row in known for name in row["types"]} | set(SECTION_TYPES)
    wanted = {section_type(name) for name in filters.types}
    if unknown := wanted - types:
        raise NotInGraphError(f"there is no section type {min(unknown)!r}{did_you_mean(min(unknown), sorted(types))}")
    sources, collections = _origins(known, filters.sources)
    if filters.licences:
        licensed = _licensed(known, filters.licences)
        sources = licensed & sources if sources else licensed
    elif filters.scope and not collections:
        sources = sources or {row["source"] for row in known}
    _check_dates(filters)
    within = _passing(database, linker, filters)
    return Restriction(
        sources=sorted(sources),
        collections=sorted(collections),
        types=sorted(wanted),
        since=filters.since,
        until=filters.until,
        all_sources=sorted(row["source"] for row in known if not (hides and row["source"] == DERIVED)),
        all_collections=["", *sorted({name for row in known for name in row["collections"]})],
        all_types=["", *sorted(types)],
        within=within,
        titles=_titles(database, within) if within and len(within) <= MOST_TITLED else (),
        share=_share(database, within) if within and len(within) > SCANNED else 0.0,
        nothing=(bool(filters.licences or filters.scope) and not (sources or collections))
        or within == []
        or (bool(filters.since and filters.until) and filters.since > _last_day(filters.until)),
        unnoticed=NO_NOTICE in filters.notices,
        language=language_tag(filters.language).partition("-")[0].lower().removeprefix("en"),
        hidden=DERIVED
        if plain and not filters.graph and not any(_looks_hidden(row["source"]) for row in known)
        else "",
        left_out=filters.left_out,
    )


def require_known(database: Database, scope: Scope) -> None:
    """Make sure that the graph has each source and licence of a scope; NotInGraphError names one that it lacks."""
    known = database.read(catalogue.get("filter_values"))
    _origins(known, scope.sources)
    _licensed(known, scope.licences)


def _passing(database: Database, linker: LinkerOf, filters: Filters) -> list[str] | None:
    notices = tuple(kind for kind in filters.notices if kind != NO_NOTICE)
    if not (filters.authors or filters.journals or filters.headings or filters.concepts or notices or filters.studies):
        return None
    from .origins import passing

    try:
        return passing(
            database,
            linker,
            authors=filters.authors,
            journals=filters.journals,
            headings=filters.headings,
            concepts=filters.concepts,
            notices=notices,
            studies=filters.studies,
        )
    except InputError:
        if not filters.scope:
            raise
        return []  # the message would tell of names that others have


def in_full(
    database: Database, query: Query, parameters: dict[str, Any], restriction: Restriction | None, wanted: int
) -> list[Row]:
    """Search; where what passes lies too far from the question for the index to give enough of it, compare it all.

    Fewer rows than are wanted where no more pass, or more than `MOST_COMPARED` sections would be compared.
    """
    rows = database.read(query, **parameters)
    within = restriction.within if restriction else None
    if within is None or parameters.get("scanned", True) or len(rows) >= min(wanted, len(within)):
        return rows
    return database.read(query, **parameters | {"scanned": True}) if len(within) <= MOST_COMPARED else rows


def _titles(database: Database, within: Sequence[str]) -> Sequence[str]:
    titles = [row["title"] for row in database.read(catalogue.get("titles"), ids=within)]
    return titles if sum(len(title.split()) for title in titles) <= MOST_TITLED else ()


def _share(database: Database, within: Sequence[str]) -> float:
    count: int = database.read(catalogue.get("section_count"))[0]["sections"]
    return min(1.0, len(within) / max(1, count))


def _looks_hidden(source: str) -> bool:
    """Tell whether the full-text index takes another source for the hidden one."""
    return source != DERIVED and any(word.startswith(DERIVED) for word in re.findall(r"[a-z0-9]+", source))


def _origins(known: Sequence[Row], names: Iterable[str]) -> tuple[set[str], set[str]]:
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
            told = did_you_mean(name, [*sorted(sources), *sorted(collections.values())] or ["none: load one"])
            raise NotInGraphError(f"there is no source {name!r} in the graph{told}")
    if by_source and by_collection:
        raise InputError(
            f"{min(by_source)} is a source and {min(by_collection)} a collection; "
            "give sources or collections, not both at once"
        )
    return by_source, by_collection


def _licensed(known: Sequence[Row], names: Iterable[str]) -> set[str]:
    licences = {_plain(row["licence"]): row["licence"] for row in known if row["licence"]}
    for name in names:
        if _plain(name) not in licences:
            told = did_you_mean(name, sorted(licences.values()) or ["none: load a source"])
            raise NotInGraphError(f"no source in the graph has the licence {name!r}{told}")
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
    return until + "-99" * (2 - until.count("-"))


def concept_of(document: str) -> str:
    """Tell what a document that relations tell is about, by its id of `subgraphs.documents_of`."""
    return document.removeprefix(f"{DERIVED}:").rpartition("/")[0]
