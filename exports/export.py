"""Exports what sources state, and what curators decided, from the graph into files."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from ..errors import NotInGraphError
from ..files import writing_whole
from ..graph import catalogue
from ..progress import progress
from ..schema import migrate
from ..schema import rows as as_rows
from ..schema.exchange import nquads
from ..schema.exchange import sssom as sssom_rows
from ..schema.exchange.flat import flats
from ..schema.records import Relation, SourceInfo
from ..text import did_you_mean
from . import kgx, sssom

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from ..graph.database import Database
    from ..schema.records import Record

T = TypeVar("T")
_XREF = "oboInOwl:hasDbXref"
REVIEW: Final = SourceInfo(
    id="review", title="Equivalences decided by curators", version="unversioned", licence="CC0-1.0", url=""
)

_DECIDED: Final = "semapv:ManualMappingCuration"
# How a pair was found → its justification in SEMAPV.
_FOUND: Final = {
    **dict.fromkeys(
        ("name", "synonym", "synonyms", "title", "agreed", "ambiguous name", "extended name"), "semapv:LexicalMatching"
    ),
    **dict.fromkeys(("xref", "shared xref", "broad xref", "cui"), "semapv:DatabaseCrossReference"),
    "embedding": "semapv:SemanticSimilarityThresholdMatching",
}


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export wrote: files, ids of sources, how many records of each kind, and what the files cannot say."""

    files: tuple[str, ...]
    sources: tuple[str, ...]
    counts: Mapping[str, int]
    remarks: tuple[str, ...] = ()


def export(
    database: Database,
    form: str,
    path: Path,
    sources: Collection[str] = (),
    licences: Collection[str] = (),
    *,
    table: bool = False,
    force: bool = False,
) -> Exported:
    """Write what sources state into files.

    Args:
        form: `kgx`, `nquads` or `sssom`.
        path: The file, or the folder for KGX.
        table: For KGX, TSV instead of JSON Lines.

    Raises:
        NotInGraphError: A source or licence is not in the graph.
        InputError: A file is there already, or cannot be written; nothing is changed.
    """
    migrate.check(database)
    infos = _chosen(database, sources, licences)
    counts: Counter[str] = Counter()
    remarks: list[str] = []
    if form == "sssom":
        remarks = sssom.write(path, infos, _counted(_mappings(database, infos), counts), force=force)
        files = [path]
    else:
        statements = _counted(_statements(database, infos), counts)
        if form == "kgx":
            files, remarks = kgx.write(path, statements, table=table, force=force)
        else:
            files = write_nquads(path, statements, force=force)
    return Exported(tuple(map(str, files)), tuple(info.id for info in infos), dict(counts), tuple(remarks))


def _counted(items: Iterable[T], counts: Counter[str]) -> Iterator[T]:
    with progress("exporting", "record") as bar:
        for item in items:
            kind = type(item[1] if isinstance(item, tuple) else item).__name__
            counts[kind.removesuffix("Info").lower()] += 1
            bar.update(1)
            yield item


def _chosen(database: Database, names: Collection[str] = (), licences: Collection[str] = ()) -> list[SourceInfo]:
    """Choose sources by ids, their own or of what they are a part of, and by licences; all where none are named."""
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


def _statements(database: Database, sources: Sequence[SourceInfo]) -> Iterator[tuple[str, Record]]:
    """Read everything that sources state: sources, entities with those of one id together, relations, documents."""
    ids = [source.id for source in sources]
    yield from ((source.id, source) for source in sources)
    yield from _entities(database, ids)
    for row in database.stream(catalogue.get("export_relations"), sources=ids):
        yield row["source"], as_rows.relation_from(row)
    for row in database.stream(catalogue.get("export_documents"), sources=ids):
        yield row["source"], as_rows.document_from(row)


def _mappings(database: Database, sources: Sequence[SourceInfo]) -> Iterator[sssom.Mapping]:
    """Read the mappings that sources state: relations that are matches, concepts, and cross-references."""
    ids = [source.id for source in sources]
    for row in database.stream(catalogue.get("export_relations"), sources=ids):
        relation = as_rows.relation_from(row)
        if sssom_rows.is_mapping(relation):
            subject, target = (tuple(end) for end in row["ends"])
            yield sssom.Mapping(row["source"], relation, subject, target)
    for source, entity in _entities(database, ids):
        targets = dict.fromkeys([*(f"UMLS:{cui}" for cui in entity.concepts), *entity.xrefs])
        for target in targets:
            relation = Relation(entity.id, "RELATED_TO", target, predicate=_XREF, method=sssom_rows.UNSPECIFIED)
            yield sssom.Mapping(source, relation, (entity.label, entity.name))


def _entities(database: Database, ids: list[str]) -> Iterator[tuple[str, Any]]:
    for row in database.stream(catalogue.get("export_entities"), sources=ids):
        for stated in row["told"]:
            yield stated["source"], as_rows.entity_from(stated | {"id": row["id"]})


def _check(what: str, wanted: Collection[str], known: Collection[str]) -> None:
    if missing := sorted(set(wanted) - set(known)):
        raise NotInGraphError(
            f"there is no {what} {missing[0]!r} in the graph{did_you_mean(missing[0], sorted(known) or ['none'])}"
        )


def write_nquads(path: Path, statements: Iterable[tuple[str, Record]], *, force: bool = False) -> list[Path]:
    """Write pairs of a source's id and a record as N-Quads that load again without loss, a named graph a source."""
    with writing_whole([path], force=force) as (file,):
        for source, record in statements:
            for flat in flats(record):
                file.writelines(nquads.to_lines(flat, source))
    return [path]


def export_reviews(database: Database, path: Path, *, proposed: bool = False, force: bool = False) -> list[str]:
    """Write the equivalences that curators decided as SSSOM; a rejected one says that it is not so.

    Args:
        proposed: Whether those that nobody has decided on are written too.
        force: Replace a file that is there.

    Returns:
        What the file cannot say, a line each.
    """
    statuses = ["accepted", "rejected", *(["proposed"] if proposed else [])]
    return sssom.write(path, [REVIEW], _decided(database, statuses), force=force)


def _decided(database: Database, statuses: list[str]) -> Iterator[sssom.Mapping]:
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
        yield sssom.Mapping(REVIEW.id, relation, *ends, negated=row["status"] == "rejected")
