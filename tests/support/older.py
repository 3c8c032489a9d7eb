"""Run a command with an older Neo4j: python -m tests.support.older VERSION LOCK COMMAND…; LOCK is made if need be."""

import sys
from pathlib import Path

from medgraph.server import process

version, lock = sys.argv[1], Path(sys.argv[2])
process.NEO4J_VERSION = version  # before others take it from there

from medgraph.__main__ import main  # noqa: E402
from medgraph.server import jars  # noqa: E402
from medgraph.settings import Settings  # noqa: E402

if not lock.exists():
    jars.write_lock(Settings.from_environment().cache, lock)
for function in (jars.fetch_jars, jars.cached_jars):
    function.__defaults__ = tuple(lock if value == jars.LOCK else value for value in function.__defaults__)
sys.argv[1:] = sys.argv[3:]
main()
