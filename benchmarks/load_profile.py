"""Where the server's time goes in an ordinary load: stacks of its running threads, by what they do.

    python benchmarks/load_profile.py --entities 40000

Java's flight recorder looks at the threads that run; what a thread does is told by the innermost of its frames that
belongs to a part of the server. The load is that of `bulk.py`, warmed with a tenth of its records.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from bulk import child, empty
from report import own_home, table

from medgraph.embeddings.encoders.encoder import DEFAULT_ENCODER
from medgraph.graph.connect import connect
from medgraph.schema import migrate
from medgraph.server.embedded import EmbeddedNeo4j
from medgraph.server.jars import find_java

if TYPE_CHECKING:
    from medgraph.settings import Settings

PARTS = {
    "making plans of statements": ("org.neo4j.cypher.internal.compiler", "org.neo4j.cypher.internal.planner"),
    "uniqueness and other indexes": ("org.neo4j.index.internal.gbptree", "org.neo4j.kernel.impl.index.schema"),
    "full text": ("org.apache.lucene", "org.neo4j.kernel.api.impl.fulltext"),
    "locks": ("org.neo4j.kernel.impl.locking", "org.neo4j.lock"),
    "transaction log": ("org.neo4j.kernel.impl.transaction.log", "org.neo4j.wal", "org.neo4j.kernel.impl.transaction"),
    "records of nodes, relations and properties": (
        "org.neo4j.kernel.impl.store",
        "org.neo4j.internal.recordstorage",
        "org.neo4j.io.pagecache",
        "org.neo4j.internal.id",
    ),
    "what a transaction has changed": (
        "org.neo4j.kernel.impl.api",
        "org.neo4j.kernel.impl.newapi",
        "org.neo4j.collection",
    ),
    "running the statements": ("org.neo4j.cypher", "org.neo4j.values", "org.neo4j.internal.kernel"),
    "reading what the driver sends": ("org.neo4j.bolt", "org.neo4j.packstream", "io.netty"),
}
"""What the server does → how the names of its classes begin."""

_FRAME = re.compile(r"^\s+([\w.$]+)\(", re.MULTILINE)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--entities", type=int, default=40_000, help="Entities of the load.")
    size = parser.parse_args().entities
    with tempfile.TemporaryDirectory() as folder, own_home() as (settings, environment):
        recording = Path(folder) / "load.jfr"
        with connect(settings) as database:
            migrate.apply(database, DEFAULT_ENCODER, 384, lambda _: None)
            child("ordinary", environment, size // 10)
            empty(database)
            server = str(EmbeddedNeo4j(settings).status().pid)
            asked(settings, "jdk.jcmd/sun.tools.jcmd.JCmd", server, "JFR.start", "settings=profile")
            told = child("ordinary", environment, size)
            asked(settings, "jdk.jcmd/sun.tools.jcmd.JCmd", server, "JFR.dump", f"filename={recording}")
        tool = "jdk.jfr/jdk.jfr.internal.tool.Main"
        events = ("--events", "jdk.ExecutionSample", "--stack-depth", "64")
        found = Counter(
            map(what_is_done, asked(settings, tool, "print", *events, str(recording)).split("jdk.Execution")[1:])
        )
    if not (seen := sum(found.values())):
        sys.exit("no stack of a running thread was seen; give more entities")
    rows = [[what, f"{count / seen:.0%}"] for what, count in found.most_common()]
    table("What the server's threads ran, share of the looks", ["what", "share"], rows)
    print(f"\n{3 * size:,} records in {told['seconds']:.0f} s; {seen:,} looks at a running thread")


def asked(settings: Settings, tool: str, *arguments: str) -> str:
    """Run one of Java's own tools, and give what it says."""
    command = [find_java(settings.java), "-m", tool, *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def what_is_done(stack: str) -> str:
    """Tell what a thread does."""
    parts = (part for frame in _FRAME.findall(stack) for part, begins in PARTS.items() if frame.startswith(begins))
    return next(parts, "else")


if __name__ == "__main__":
    main()
