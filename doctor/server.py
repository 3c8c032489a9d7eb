"""The server: is it reachable, of a version that serves, with memory, ports and logs in order; nothing is started."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ..errors import AuthenticationError, DatabaseUnavailableError, DataVersionError, MedgraphError, QueryError
from ..graph import catalogue
from ..graph.connect import SCHEMES
from ..graph.database import Database
from ..schema.migrate import OLDEST, is_too_old
from ..server import store as server_store
from ..server.embedded import EmbeddedNeo4j
from ..server.process import (
    DATABASE,
    HOST,
    NEO4J_VERSION,
    USER,
    ServerStatus,
    machine_memory,
    memory_sizes,
    require_free_port,
)
from .machine import Finding, broken, ok, size, warning

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ..settings import Settings

AGENT: Final = "medgraph doctor"
PATIENCE: Final = 5.0
LEAST_HEAP: Final = 480 << 20
MOST_LOGS: Final = 1 << 30
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
    if is_too_old(release):
        remedy = f"upgrade the server to {NEO4J_VERSION}, or unset NEO4J_URI for the embedded one"
        yield broken("version", f"{what} is too old: the schema needs {OLDEST} or later", database.uri, remedy)
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


def logs(settings: Settings, most: int = MOST_LOGS) -> Iterator[Finding]:
    """Look at the size of the embedded server's transaction log; another server's disk is not ours to see."""
    if settings.neo4j_uri is not None:
        return
    folder = _home(settings) / "data" / "transactions" / DATABASE
    taken = folder_size(folder)
    if taken > most:
        what = f"the transaction log has {size(taken)}; a stop writes it into the graph and lets most of it go"
        yield warning("transaction-log", what, str(folder), "medgraph neo4j stop && medgraph neo4j start")
    else:
        yield ok("transaction-log", f"the transaction log has {size(taken)}", str(folder))


def store_size(settings: Settings) -> int | None:
    """Measure the bytes of the embedded server's graph; None for another server."""
    return folder_size(_home(settings) / "data" / "databases" / DATABASE) if settings.neo4j_uri is None else None


def folder_size(folder: Path) -> int:
    """Add up the files of a folder, which need not exist; files may go away meanwhile."""
    total = 0
    for file in folder.rglob("*"):
        try:
            total += file.stat().st_size
        except OSError:
            continue
    return total


def _home(settings: Settings) -> Path:
    return (settings.home / "neo4j").resolve()


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
