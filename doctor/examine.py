"""Examine everything in turn, the graph itself too: what cannot be looked at becomes a finding."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..embeddings import index, store
from ..errors import MedgraphError, QueryError, SchemaError
from ..files import is_locked
from ..graph import catalogue
from ..schema import migrate
from . import machine, server
from .machine import LEVELS, Finding, KnownEncoder, broken, ok, warning
from .server import AGENT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..graph.database import Database
    from ..settings import Settings


def examine(settings: Settings) -> list[Finding]:
    """Look at machine, server and graph, and start, fetch and change nothing; the worst findings come first."""
    encoder, findings = machine.encoder(settings)
    store = server.store_size(settings)
    findings += _guarded("verifier", machine.verifier(settings))
    findings += _guarded("reader", machine.sentence_reader(settings))
    findings += _guarded("model", machine.language_model(settings))
    findings += [*machine.python(), *machine.packages(), *machine.disks(settings, store or 0)]
    if settings.neo4j_uri is None:
        findings += [*machine.java(settings), *_guarded("transaction-log", server.logs(settings))]
    database, obstacles = server.reach(settings)
    findings += obstacles
    if database is not None:
        with database:
            findings += _connected(database, settings, store, encoder)
    return sorted(findings, key=lambda finding: LEVELS.index(finding.level))


def _connected(
    database: Database, settings: Settings, store: int | None, encoder: KnownEncoder | None
) -> Iterator[Finding]:
    yield ok("server", "the server answers", database.uri)
    yield from _guarded("version", server.version(database))
    yield from _guarded("memory", server.memory(database, settings, store))
    yield from _guarded("schema", schema(database))
    yield from _guarded("vectors", vectors(database, encoder))
    yield from _guarded("concepts", concepts(database))
    yield from _guarded("loads", loads(database, settings))


def _guarded(what_id: str, findings: Iterable[Finding]) -> Iterator[Finding]:
    try:
        yield from findings
    except MedgraphError as error:
        yield broken(what_id, f"this could not be looked at: {error}", what_id, "mend it as said, and run it again")


_APPLY: Final = "medgraph schema apply"


def schema(database: Database) -> Iterator[Finding]:
    """Compare constraints and indexes with those that the migrations declare, and look whether they are online."""
    try:
        missing = [state for state in migrate.status(database) if state.applied is None]
    except SchemaError as error:
        yield broken("schema", str(error), database.uri, "mend it as said")
        return
    for state in missing:
        what = f"the migration V{state.version:03d} {state.name} was not applied"
        yield broken(f"migration:{state.version:03d}", what, database.uri, _APPLY)
    if not missing:
        faults = list(_faults(database))
        yield from faults
        if not faults:
            count = len(migrate.declared())
            yield ok("schema", f"all migrations are applied, {count} constraints and indexes are online", database.uri)


def _faults(database: Database) -> Iterator[Finding]:
    recorded = database.read(catalogue.get("encoder"))
    declared = migrate.declared(slot=recorded[0]["slot"] if recorded else None)
    for rule, fault in migrate.faults(database, declared.values(), recorded[0]["dimension"] if recorded else None):
        yield broken(f"index:{rule.name}", f"the {rule.what} {fault}", database.uri, _APPLY)
    for row in database.read(catalogue.get("schema_rules")):
        name, state = row["name"], row["state"]
        if state == "POPULATING":
            what = f"the index {name} is made at this moment: {row['percent']:.0f} % are done; until then searches fail"
            yield warning(f"index:{name}", what, database.uri, f"wait, or wait with: {_APPLY}")
        elif state == "FAILED" and name not in declared:
            what = f"the index {name}, which is none of medgraph's, has failed"
            yield broken(f"index:{name}", what, database.uri, f"in Neo4j Browser: DROP INDEX {name}")


def vectors(database: Database, encoder: KnownEncoder | None) -> Iterator[Finding]:
    """Compare the graph's vectors with the encoder, None where it cannot be used, and count what has none."""
    recorded = database.read(catalogue.get("encoder"))
    if not recorded:
        return  # the schema is missing, which is said there
    name, dimension = recorded[0]["name"], recorded[0]["dimension"]
    if encoder and (encoder.name != name or encoder.dimension not in {None, dimension}):
        what = (
            f"the graph's vectors are from {name} ({dimension} dimensions), and the settings ask for {encoder.name}"
            f"{f' ({encoder.dimension})' if encoder.dimension else ''}: search by meaning refuses to work"
        )
        remedy = "set MEDGRAPH_ENCODER back, or make all vectors anew: medgraph index embeddings --rebuild"
        yield broken("vectors:encoder", what, database.uri, remedy)
        encoder = None
    yield from _stale(database, name, dimension, encoder)


def _stale(database: Database, name: str, dimension: int, encoder: KnownEncoder | None) -> Iterator[Finding]:
    cut = f"{index.VERSION}:{name}:{encoder.max_tokens}" if encoder and encoder.max_tokens else ""
    known = {"cut": cut, "model": name, "dimension": dimension, "sentences": store.sentences_by(name)}
    counts = database.read(catalogue.get("count_vectors"), **known)[0]
    if not counts["documents"]:
        yield warning("content", "the graph holds no documents", database.uri, "medgraph load SOURCE PATH")
        return
    where, faults = database.uri, []
    if counts["misfits"]:
        what = f"{counts['misfits']:,} vectors have another length than {dimension}: the index leaves them out"
        faults.append(broken("vectors:length", what, where, "medgraph index embeddings --rebuild"))
    for column, what in (
        ("uncut", "sections are not cut into chunks, or were cut otherwise"),
        ("unembedded_chunks", f"chunks have no vector of {name}"),
        ("unembedded_questions", f"questions have no vector of {name}"),
    ):
        if counts[column]:
            fault = f"{counts[column]:,} {what}: search by meaning does not find them"
            faults.append(warning(f"vectors:{column.replace('_', '-')}", fault, where, "medgraph index"))
    if counts["unembedded_sections"]:
        what = f"the sentences of {counts['unembedded_sections']:,} sections have no vectors of {name}"
        faults.append(warning("vectors:sentences", f"{what}: answers from them take longer", where, "medgraph index"))
    yield from faults
    if not faults:
        parts = f"{counts['sections']:,} sections, {counts['chunks']:,} chunks and {counts['questions']:,} questions"
        yield ok("vectors", f"{parts} have vectors of {name}", where)


def concepts(database: Database) -> Iterator[Finding]:
    """Look whether entities are joined at concepts, and concepts have the relations that sources state."""
    row = database.read(catalogue.get("unfolded"))[0]
    if row["entities"]:
        what = f"{row['entities']:,} entities stand for no concept, so that nothing is known of them by other names"
        yield warning("concepts", what, database.uri, "medgraph index concepts")
    elif row["statements"]:
        what = "concepts lack relations that sources state"
        yield warning("concepts", what, database.uri, "medgraph index concepts")
    else:
        yield ok(
            "concepts", "every entity stands for a concept, which has the relations that sources state", database.uri
        )


def loads(database: Database, settings: Settings) -> Iterator[Finding]:
    """Look for loads that did not end, or failed."""
    rows = database.read(catalogue.get("unfinished_loads"))
    for row in rows:
        source, again = row["source"], f"repeat it, it goes on where it stopped: medgraph load {row['loader']} PATH"
        since = f"of {row['file']}, begun {row['started'][:16]}, at record {row['position']:,}"
        if row["status"] == "failed":
            rejects = (
                f" with {row['rejected']:,} rejects" if row["rejected"] else ": its file could not be read to the end"
            )
            what = f"the last load {since}, failed{rejects}"
            remedy = f"mend the file and load it again, or take it back: medgraph undo {source}"
            yield broken(f"load:{source}", what, source, remedy)
        elif any(is_locked(lock) for lock in (settings.home / "locks").glob(f"{source}-*")):
            yield ok(f"load:{source}", f"a load {since}, is under way", source)
        elif settings.neo4j_uri is not None and _others(database):
            what = f"a load {since}, was broken off, or another machine is at it: others are connected"
            yield warning(f"load:{source}", what, source, f"wait for it; if none is at work, {again}")
        else:
            yield broken(f"load:{source}", f"a load {since}, was broken off", source, again)
    if not rows:
        yield ok("loads", "every source's last load has ended", database.uri)


def _others(database: Database) -> bool:
    """Tell whether another medgraph is connected; where the server does not say, one may be."""
    try:
        return bool(database.read(catalogue.get("other_clients"), own=AGENT)[0]["connections"])
    except QueryError:
        return True
