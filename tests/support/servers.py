"""Servers of tests' own: settings, environments, commands on them, and the end of those that nobody has stopped."""

import os
import socket
import subprocess
import sys
from contextlib import contextmanager, suppress
from dataclasses import replace

import psutil

from medgraph.graph.database import Database
from medgraph.schema import migrate
from medgraph.server.embedded import EmbeddedNeo4j
from medgraph.server.process import MAIN_CLASS
from tests.support import homes
from tests.support.schemas import ENCODER

RUN = "MEDGRAPH_TEST_RUN"
"""The variable by which a server's process tells which run of the tests it belongs to."""

KEPT_PLANS = "dbms.cypher.min_replan_interval=1h\ninternal.cypher.use_parameter_size=false\n"
"""Lines for a server's configuration."""


def free_port():
    return free_ports(1)[0]


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def at(settings, home, **changes):
    """Settings for a server in a folder of its own, on ports of its own."""
    bolt, http = free_ports(2)
    return replace(settings, **{"home": home, "bolt_port": bolt, "http_port": http} | changes)


def surroundings(own):
    """The environment in which a command finds these settings."""
    return {
        **os.environ,
        "MEDGRAPH_HOME": str(own.home),
        "MEDGRAPH_CACHE": str(own.cache),
        "MEDGRAPH_BOLT_PORT": str(own.bolt_port),
        "MEDGRAPH_HTTP_PORT": str(own.http_port),
        "MEDGRAPH_NEO4J_HEAP": own.heap,
        "MEDGRAPH_NEO4J_PAGECACHE": own.page_cache,
    }


def command(own, *arguments):
    """Begin a command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "medgraph", *map(str, arguments)],
        env=surroundings(own),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def connect(server):
    return Database(server.bolt_uri, "neo4j", server.password())


def apply_schema(database):
    migrate.apply(database, *ENCODER, lambda line: None)


@contextmanager
def started(own):
    """A server with the schema applied, stopped in the end."""
    homes.furnish(own)
    server = EmbeddedNeo4j(own)
    server.start()
    try:
        with connect(server) as database:
            apply_schema(database)
        yield server
    finally:
        server.stop()


def end_those_of(run):
    """Kill the servers that a run of the tests has left, whoever of its processes started them."""
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if MAIN_CLASS in process.cmdline() and process.environ().get(RUN) == run:
                process.kill()
