"""What is made before the tests, so that their many servers start sooner and do less: a cache of classes, and a home.

A server that records what it does loads, indexes and answers as in tests; Java makes the cache of that. It leaves its
home with the schema and nothing else: those of tests' servers are copies of it.
"""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from click.testing import CliRunner

from medgraph.cli.main import main
from medgraph.embeddings.encoders import encoder as encoders
from medgraph.server import process
from medgraph.server.jars import cached_jars, find_java
from medgraph.server.process import JAVA_OPTIONS, class_path_argument
from medgraph.settings import Settings
from tests.support import homes, servers
from tests.support.encoders import once
from tests.support.graphs import empty
from tests.support.homes import JAVA, place

COMMANDS = (
    ("load", "sample"),
    ("index",),
    ("ask", "What are the symptoms of asthma?"),
)
"""What the server does while it records."""

LONGEST = 240
"""Seconds that the server may take to write down what it recorded, and Java to make the cache."""


def make():
    """Make the home and the cache, unless they are there."""
    home, cache = place("home"), place("aot")
    if home and cache and home.exists() and (cache.exists() or not homes.can_record()):
        return
    with tempfile.TemporaryDirectory() as folder:
        own = servers.at(Settings.from_environment(), Path(folder) / "own", heap="500m", page_cache="64m")
        recorded, made = Path(folder) / "recorded", Path(folder) / "made"
        record(own, recorded)
        keep(own.home / "neo4j", place("home"))
        if homes.can_record():
            create(own, recorded, made)
            keep(made, place("aot"))


def keep(made, kept):
    part = kept.with_name(kept.name + ".part")
    shutil.move(made, part) if made.is_file() else shutil.copytree(made, part, dirs_exist_ok=True)
    part.rename(kept)


def record(own, recorded):
    """Let a server do what tests do; it alone records it, not what makes its first password."""
    options = [JAVA]
    if homes.can_record():
        options += ["-XX:AOTMode=record", f"-XX:AOTConfiguration={recorded}"]

    def spawn(*given, spawn=process.spawn):
        os.environ["JDK_JAVA_OPTIONS"] = " ".join(options)
        return spawn(*given)

    process.spawn = spawn
    # What it computes of the sample is remembered for the tests, which compute in this precision.
    os.environ["MEDGRAPH_PRECISION"] = "f32"
    encoders.load_encoder = once(encoders.load_encoder)
    os.environ["JDK_JAVA_OPTIONS"] = f"{JAVA} -XX:AOTMode=off"  # an archive of ours would be in the way
    with servers.started(own) as server:
        for command in COMMANDS:
            done = CliRunner().invoke(main, [*map(str, command)], obj=own)
            assert done.exit_code == 0, (command, done.stderr)
        with servers.connect(server) as database:
            empty(database)
        server.stop(timeout=LONGEST)


def create(own, recorded, made):
    os.environ["JDK_JAVA_OPTIONS"] = JAVA
    class_path = class_path_argument(cached_jars(own.cache), recorded.with_name("class-path"))
    options = ("-XX:AOTMode=create", f"-XX:AOTConfiguration={recorded}", f"-XX:AOTCache={made}", *JAVA_OPTIONS)
    subprocess.run([find_java(own.java), *options, class_path], check=True, capture_output=True, timeout=LONGEST)


if __name__ == "__main__":
    make()
