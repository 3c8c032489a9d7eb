"""Examine machine, server and graph in turn; nothing is started, and what cannot be looked at becomes a finding."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ..embeddings import candidate_sentences, index
from ..errors import (
    AuthenticationError,
    DatabaseUnavailableError,
    DataVersionError,
    MedgraphError,
    QueryError,
    SchemaError,
)
from ..files import is_locked
from ..graph import catalogue
from ..graph.connect import SCHEMES
from ..graph.database import Database
from ..schema import migrate
from ..server import store as server_store
from ..server.embedded import EmbeddedNeo4j
from ..server.process import (
    HOST,
    NEO4J_VERSION,
    USER,
    ServerStatus,
    machine_memory,
    memory_sizes,
    require_free_port,
)
from . import machine
from .machine import LEVELS, Finding, KnownEncoder, broken, ok, size, warning

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..settings import Settings


AGENT: Final = "medgraph doctor"
PATIENCE: Final = 5.0
LEAST_HEAP: Final = 480 << 20
MEMORY_SHARE: Final = 0.8
# Java tells of less heap than it was given where one thread collects garbage, as it does on one processor.
HEAP_SHARE: Final = 0.95
_UNITS: Final = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def reach(settings: Settings) -> tuple[Database | None, list[Finding]]:
    """Connect to the server that the settings name: an open database or None, and what was found on the way."""
    if settings.neo4j_uri is not None:
        return _reach_remote(settings, settings.neo4j_uri)
    server = EmbeddedNeo4j(settings)
    status = server.status()
    if not status.running:
        return None, list(_not_running(settings, status))
    where, findings = status.bolt_uri, list(_other_ports(settings, status))
    try:
        password = server.password()
    except MedgraphError as error:
        return None, [
            *findings,
            broken("server", str(error), where, "put the password file back, or set NEO4J_PASSWORD"),
        ]
    try:
        return _open(settings, where, USER, password), findings
    except AuthenticationError:
        what = f"the server runs and does not accept the password in {status.home / 'password'}"
        remedy = "if it was changed, run once: NEO4J_PASSWORD=… medgraph neo4j start"
        return None, [*findings, broken("server", what, where, remedy)]
    except MedgraphError as error:
        remedy = f"wait if it has just been started; else read {status.home / 'logs'} and run: medgraph neo4j stop"
        return None, [*findings, broken("server", f"the server runs and does not answer: {error}", where, remedy)]


def version(database: Database) -> Iterator[Finding]:
    """Compare the server's version with those that serve."""
    facts = database.read(catalogue.get("server_facts"))[0]
    release, edition = facts["version"], facts["edition"]
    what = f"Neo4j {release} {edition}"
    if migrate.is_too_old(release):
        remedy = f"upgrade the server to {NEO4J_VERSION}, or unset NEO4J_URI for the embedded one"
        yield broken("version", f"{what} is too old: the schema needs {migrate.OLDEST} or later", database.uri, remedy)
    elif release.split(".")[:2] != NEO4J_VERSION.split(".")[:2]:
        remedy = f"nothing as long as all works; Neo4j {NEO4J_VERSION} is what was tested"
        yield warning("version", f"{what} was not tested with this medgraph", database.uri, remedy)
    else:
        yield ok("version", what, database.uri)


def memory(database: Database, settings: Settings, store: int | None, total: int | None = None) -> Iterator[Finding]:
    """Compare the server's heap and page cache with the machine and the graph, whose bytes may be unknown."""
    heap, cache = _memory_of(database)
    if heap is None or cache is None:
        yield ok("memory", "this server does not tell what memory it has", database.uri)
        return
    both = f"heap {size(heap)}, page cache {size(cache)}"
    before = "set MEDGRAPH_NEO4J_{}, then: medgraph neo4j stop && medgraph neo4j start"
    if settings.neo4j_uri is not None:
        before = "set server.memory.{} in its neo4j.conf, and start it anew"
    heap_name, cache_name = ("HEAP", "PAGECACHE") if settings.neo4j_uri is None else ("heap.max_size", "pagecache.size")
    if heap < LEAST_HEAP:
        remedy = before.format(heap_name)
        yield warning("memory:heap", f"{both}: less heap than 512 MB makes loads fail", database.uri, remedy)
    if store is not None and cache < store:
        what = f"{both}: the graph has {size(store)}, so that searches read from the disk"
        wish = before.format(f"{cache_name}={store // (1 << 20) * 5 // 4 + 64}m")
        yield warning("memory:page-cache", what, database.uri, wish)
    if settings.neo4j_uri is None:
        yield from _against_machine(settings, heap, cache, total or machine_memory(), database.uri)
    else:
        yield ok("memory", both, database.uri)


def _open(settings: Settings, uri: str, username: str, password: str) -> Database:
    database = Database(uri, username, password, settings.neo4j_database, PATIENCE, agent=AGENT)
    try:
        database.verify()
        database.read(catalogue.get("server_facts"))
    except BaseException:
        database.close()
        raise
    return database


def _reach_remote(settings: Settings, uri: str) -> tuple[Database | None, list[Finding]]:
    if uri.partition("://")[0] not in SCHEMES:
        remedy = f"let NEO4J_URI begin with one of {', '.join(SCHEMES)} and ://, or unset it for the embedded server"
        return None, [broken("server", "NEO4J_URI is no address of a Neo4j server", uri, remedy)]
    try:
        return _open(settings, uri, settings.neo4j_username, settings.neo4j_password or ""), []
    except AuthenticationError:
        what, remedy = "the server does not accept the user name or password", "set NEO4J_USERNAME and NEO4J_PASSWORD"
    except DatabaseUnavailableError:
        what = "nothing answers there"
        remedy = "start that server, correct NEO4J_URI, or unset it for the embedded one"
    except QueryError as error:
        what, remedy = str(error), "correct NEO4J_DATABASE"
    except MedgraphError as error:
        what, remedy = str(error), "correct NEO4J_URI, or unset it for the embedded server"
    return None, [broken("server", what, uri, remedy)]


def _not_running(settings: Settings, status: ServerStatus) -> Iterator[Finding]:
    where = str(status.home)
    if server_store.is_initialised(status.home):
        what = "the embedded server does not run, so that the graph was not looked at"
        yield broken("server", what, where, "medgraph neo4j start, and run the doctor again")
    else:
        yield broken("server", "there is no embedded server yet", where, "medgraph quickstart")
    try:
        server_store.refuse_other_version(status.home)
    except DataVersionError as error:
        yield broken("data-version", str(error), where, "set MEDGRAPH_HOME, or take the data along as said")
    yield from _ports(settings)


def _ports(settings: Settings) -> Iterator[Finding]:
    ports = {"MEDGRAPH_BOLT_PORT": settings.bolt_port, "MEDGRAPH_HTTP_PORT": settings.http_port}
    if settings.bolt_port == settings.http_port:
        what = f"MEDGRAPH_BOLT_PORT and MEDGRAPH_HTTP_PORT are both {settings.bolt_port}"
        yield broken("ports", what, HOST, "set one of them to another port")
    for variable, port in ports.items():
        try:
            require_free_port(port, variable)
        except MedgraphError as error:
            yield broken(f"port:{port}", str(error), f"{HOST}:{port}", f"stop it, or set {variable} to a free port")


def _other_ports(settings: Settings, status: ServerStatus) -> Iterator[Finding]:
    wanted = (f"bolt://{HOST}:{settings.bolt_port}", f"http://{HOST}:{settings.http_port}")
    if (status.bolt_uri, status.http_uri) != wanted:
        what = f"the server listens at {status.bolt_uri} and {status.http_uri}; the settings say {' and '.join(wanted)}"
        yield warning("ports", what, status.bolt_uri, "medgraph neo4j stop && medgraph neo4j start")
    else:
        yield ok("ports", f"{settings.bolt_port} for drivers, {settings.http_port} for Neo4j Browser", HOST)


def _memory_of(database: Database) -> tuple[int | None, int | None]:
    """Ask for heap and page cache; hosted servers do not let everybody know."""
    sizes: list[int | None] = []
    for name, column in (("server_heap", "heap"), ("server_page_cache", "size")):
        try:
            rows = database.read(catalogue.get(name))
        except QueryError:
            rows = []
        sizes.append(_bytes(str(rows[0][column])) if rows else None)
    return sizes[0], sizes[1]


def _bytes(text: str) -> int | None:
    match = re.fullmatch(r"([\d.]+) *([KMGT]?)i?B?", text, re.IGNORECASE)
    return int(float(match[1]) * _UNITS[match[2].upper()]) if match else None


def _against_machine(settings: Settings, heap: int, cache: int, total: int, where: str) -> Iterator[Finding]:
    both = f"heap {size(heap)}, page cache {size(cache)}, of the machine's {size(total)}"
    wanted_heap, wanted_cache = (_bytes(text) or 0 for text in memory_sizes(settings))
    less = (
        "set MEDGRAPH_NEO4J_HEAP and MEDGRAPH_NEO4J_PAGECACHE lower, then: medgraph neo4j stop && medgraph neo4j start"
    )
    if heap + cache > total:
        yield broken("memory", f"{both}: more than there is", where, less)
    elif heap + cache > MEMORY_SHARE * total:
        yield warning("memory", f"{both}: little is left for anything else", where, less)
    elif wanted_cache != cache or not HEAP_SHARE * wanted_heap <= heap <= wanted_heap:
        what = f"{both}; the settings say {' and '.join(memory_sizes(settings))}"
        yield warning("memory", what, where, "medgraph neo4j stop && medgraph neo4j start")
    else:
        yield ok("memory", both, where)


def examine(settings: Settings) -> list[Finding]:
    """Look at machine, server and graph, and start, fetch and change nothing; the worst findings come first."""
    encoder, findings = machine.encoder(settings)
    store = machine.store_size(settings)
    findings += _guarded("verifier", machine.verifier(settings))
    findings += _guarded("reader", machine.sentence_reader(settings))
    findings += _guarded("model", machine.language_model(settings))
    findings += [*machine.python(), *machine.packages(), *machine.disks(settings, store or 0)]
    if settings.neo4j_uri is None:
        findings += [*machine.java(settings), *_guarded("transaction-log", machine.logs(settings))]
    database, obstacles = reach(settings)
    findings += obstacles
    if database is not None:
        with database:
            findings += _connected(database, settings, store, encoder)
    return sorted(findings, key=lambda finding: LEVELS.index(finding.level))


def _connected(
    database: Database, settings: Settings, store: int | None, encoder: KnownEncoder | None
) -> Iterator[Finding]:
    yield ok("server", "the server answers", database.uri)
    yield from _guarded("version", version(database))
    yield from _guarded("memory", memory(database, settings, store))
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
    known = {"cut": cut, "model": name, "dimension": dimension, "sentences": candidate_sentences.sentences_by(name)}
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
            rejects = f" with {row['rejected']:,} rejects" if row["rejected"] else ": its file was refused"
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
