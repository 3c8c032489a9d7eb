"""Streams the statements and mappings of chosen sources from the graph, one record at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import NotInGraphError
from ..graph import catalogue
from ..schema import rows as as_rows
from ..schema.exchange import sssom
from ..schema.records import Relation, SourceInfo
from .sssom import Mapping

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from ..graph.database import Database
    from ..schema.records import Record

_XREF = "oboInOwl:hasDbXref"


def chosen(database: Database, names: Collection[str] = (), licences: Collection[str] = ()) -> list[SourceInfo]:
    """Choose sources.

    Args:
        names: Their ids, or those of sources that they are a part of; all when empty.
        licences: Their licences; all when empty.

    Returns:
        The sources, in the order of their ids.

    Raises:
        NotInGraphError: A name or licence is not in the graph, or nothing is left.
    """
    rows = database.read(catalogue.get("export_sources"))
    _check("source", names, {row["id"] for row in rows})
    _check("licence", licences, {row["facts"]["licence"] for row in rows})
    found = [
        SourceInfo(
            **{name: value for name, value in row["facts"].items() if value is not None}
            | {name: tuple(row["facts"][name]) for name in ("prefixes", "namespaces")}
        )
        for row in rows
        if (not names or {row["id"], row["part_of"]} & set(names))
        and (not licences or row["facts"]["licence"] in licences)
    ]
    if not found:
        raise NotInGraphError("the graph holds no source to export; medgraph sources lists what is loaded")
    return found


def statements(database: Database, sources: Sequence[SourceInfo]) -> Iterator[tuple[str, Record]]:
    """Read everything that sources state.

    Yields:
        Pairs of a source's id and a record: sources, entities with those of one id together, relations, documents.
    """
    ids = [source.id for source in sources]
    yield from ((source.id, source) for source in sources)
    yield from _entities(database, ids)
    for row in database.stream(catalogue.get("export_relations"), sources=ids):
        yield row["source"], as_rows.relation_from(row)
    for row in database.stream(catalogue.get("export_documents"), sources=ids):
        yield row["source"], as_rows.document_from(row)


def mappings(database: Database, sources: Sequence[SourceInfo]) -> Iterator[Mapping]:
    """Read the mappings that sources state: relations that are matches, concepts, and cross-references.

    Yields:
        Mappings with the names of their ends, as far as the graph knows them.
    """
    ids = [source.id for source in sources]
    for row in database.stream(catalogue.get("export_relations"), sources=ids):
        relation = as_rows.relation_from(row)
        if sssom.is_mapping(relation):
            subject, target = (tuple(end) for end in row["ends"])
            yield Mapping(row["source"], relation, subject, target)
    for source, entity in _entities(database, ids):
        targets = dict.fromkeys([*(f"UMLS:{cui}" for cui in entity.concepts), *entity.xrefs])
        for target in targets:
            relation = Relation(entity.id, "RELATED_TO", target, predicate=_XREF, method=sssom.UNSPECIFIED)
            yield Mapping(source, relation, (entity.label, entity.name))


def _entities(database: Database, ids: list[str]) -> Iterator[tuple[str, Any]]:
    for row in database.stream(catalogue.get("export_entities"), sources=ids):
        for stated in row["told"]:
            yield stated["source"], as_rows.entity_from(stated | {"id": row["id"]})


def _check(what: str, wanted: Collection[str], known: Collection[str]) -> None:
    if missing := sorted(set(wanted) - set(known)):
        raise NotInGraphError(
            f"there is no {what} {missing[0]!r} in the graph; known are {', '.join(sorted(known)) or 'none'}"
        )
