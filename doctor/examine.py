"""Examine everything in turn: what cannot be looked at becomes a finding, and the rest is looked at all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import MedgraphError
from . import graph, machine, server
from .findings import LEVELS, broken, ok

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..graph.database import Database
    from ..settings import Settings
    from .findings import Finding
    from .machine import KnownEncoder


def examine(settings: Settings) -> list[Finding]:
    """Look at machine, server and graph.

    Returns:
        The findings, the worst first; nothing was started, fetched or changed.
    """
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
    yield from _guarded("schema", graph.schema(database))
    yield from _guarded("vectors", graph.vectors(database, encoder))
    yield from _guarded("concepts", graph.concepts(database))
    yield from _guarded("loads", graph.loads(database, settings))


def _guarded(what_id: str, findings: Iterable[Finding]) -> Iterator[Finding]:
    try:
        yield from findings
    except MedgraphError as error:
        yield broken(what_id, f"this could not be looked at: {error}", what_id, "mend it as said, and run it again")
