"""Kills: an index run on Ray whose workers, driver and writers are killed at random, beside one that nothing disturbs.

    python lab/benchmarks/kills.py [--kills 50] [--seed 7]

A stub encodes, so that what is computed is quick, and pages are small, so that there are many. Every few finished
shards something gets SIGKILL: a worker, the driver, the driver while a transaction of its writers is open, or the
server. What was killed is started again until the command ends. Told are differences between the two graphs, shards
that were computed although they were finished, and pages that were in hand and had to be begun again.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import harness
import numpy as np
import psutil
from harness import DATA, SMALL, own_home, table
from numpy.typing import NDArray
from revisions import chosen

from medgraph.cli.index import linker_elsewhere
from medgraph.embeddings import index
from medgraph.graph import ray_engine as on_ray
from medgraph.graph.connect import connect
from medgraph.graph.database import Database
from medgraph.graph.engine import LOCAL
from medgraph.linking import mentions
from medgraph.linking.names import names_in_use
from medgraph.loaders.commands import LoadOptions, load_named
from medgraph.schema import migrate
from medgraph.server.embedded import EmbeddedNeo4j
from medgraph.settings import Settings

PAGE, SLEEP = 12, 0.1
CHOICES = {"worker": 30, "driver": 9, "writer": 9, "server": 2}  # what is killed, and how often of 50 times
NODES = """
MATCH (n) WHERE NOT n:Load AND NOT n:Former AND NOT n:Migration AND NOT n:Encoder
RETURN labels(n) AS labels, properties(n) AS properties
"""
RELATIONS = """
MATCH (a)-[r]->(b) WHERE NOT a:Load AND NOT a:Former
RETURN coalesce(a.id, a.cui) AS a, type(r) AS type, properties(r) AS properties, coalesce(b.id, b.cui) AS b
"""


class Stub:
    """An encoder whose vectors follow from the text alone."""

    name, dimension, max_tokens, precision = "stub", 16, 128, "f32"

    def token_offsets(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        return [[found.span() for found in re.finditer(r"\S+", text)] for text in texts]

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        time.sleep(SLEEP)
        drawn = [hashlib.blake2b(text.encode(), digest_size=self.dimension).digest() for text in texts]
        rows = np.array([[*digest] for digest in drawn], dtype=np.float32).reshape(-1, self.dimension) - 127.5
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class Noting(on_ray.Worker):
    """A worker that notes which shards it begins and finishes."""

    def _compute(self, shard: Path) -> None:
        anew = not shard.exists() and shard.with_suffix(".input").exists()
        if anew:
            note(shard, "begun")
        super()._compute(shard)
        if anew:
            note(shard, "finished")


def note(shard: Path, what: str) -> None:
    with (shard.parents[1] / what).open("a") as file:
        file.write(f"{shard.parent.name}/{shard.stem}\n")


def noted(shards: Path, what: str) -> list[str]:
    path = shards / what
    return path.read_text().split() if path.exists() else []


def make_index(settings: Settings, database: Database, shards: Path | None) -> None:
    """Index, on Ray if there is a folder of shards."""
    index.EMBED_BATCH = index.SECTION_BATCH = mentions.BATCH = PAGE  # type: ignore[misc]
    if shards is None:
        index.index(database, Stub(), "all")  # type: ignore[arg-type]
        mentions.index_links(database, *names_in_use(settings, database), engine=LOCAL)
        return
    on_ray.Worker = Noting  # type: ignore[misc]
    database.write = noting_writes(database.write, shards)  # type: ignore[method-assign]
    with on_ray.ray_engine("", shards, 2) as engine:
        index.index(database, Stub(), "all", engine=engine.loading(Stub))  # type: ignore[arg-type]
        elsewhere = engine.loading(linker_elsewhere(settings, database, ""))
        mentions.index_links(database, *names_in_use(settings, database), engine=elsewhere)


def noting_writes(write: Any, shards: Path) -> Any:
    def watched(query: Any, **parameters: Any) -> list[dict[str, Any]]:
        path = shards / f"writing-{time.monotonic_ns()}"
        path.touch()
        try:
            return write(query, **parameters)
        finally:
            path.unlink(missing_ok=True)

    return watched


def drive() -> None:
    """Be the driver, in a process that has this file as a module, as its workers do."""
    settings = Settings.from_environment()
    with connect(settings) as database:
        make_index(settings, database, Path(sys.argv[1]))


def contents(database: Database) -> Counter[str]:
    found: Counter[str] = Counter()
    for text in (NODES, RELATIONS):
        for row in database.stream(harness.statement(text)):
            for own in ("load", "seen"):
                row["properties"].pop(own, None)
            found[json.dumps(row, sort_keys=True, default=repr)] += 1
    return found


def fill(settings: Settings, database: Database, medquad: Path) -> None:
    migrate.apply(database, Stub.name, Stub.dimension, lambda _: None)
    load_named(database, settings, "sample")
    load_named(database, settings, "medquad", medquad, LoadOptions(limit=100_000))


class Killer:
    """Starts the driver, and kills by chance until nothing is left to kill."""

    def __init__(self, settings: Settings, environment: dict[str, str], shards: Path, seed: int) -> None:
        self.killed: Counter[str] = Counter()
        self._settings, self._environment, self._shards = settings, environment, shards
        self._errors = shards.with_name("errors")
        self._chance = random.Random(seed)

    def run(self, kills: int) -> int:
        """Run the command to its end; gives how often the driver was started."""
        starts, reached = 1, 0
        driver = self._begin()
        while driver.poll() is None:
            finished = len(noted(self._shards, "finished"))
            if self.killed.total() < kills and finished >= reached:
                if self._kill(driver):
                    driver, starts = self._begin(), starts + 1
                reached = finished + self._chance.randint(1, 3)
            time.sleep(0.02)
            if driver.poll():
                said = self._errors.read_text(errors="replace")[-2000:]
                if "DatabaseUnavailableError" not in said:
                    sys.exit(f"the driver ended by itself: {said}")
                driver, starts = self._begin(), starts + 1  # the server was away for longer than it waits
        return starts

    def _begin(self) -> subprocess.Popen[bytes]:
        words = [sys.executable, "-c", "import kills; kills.drive()", str(self._shards)]
        with self._errors.open("wb") as errors:
            return subprocess.Popen(words, env=self._environment, stderr=errors)

    def _kill(self, driver: subprocess.Popen[bytes]) -> bool:
        """Kill something; tells whether the driver must be started again."""
        what = self._chance.choices([*CHOICES], [*CHOICES.values()])[0]
        if what == "worker":
            workers = [one for one in psutil.Process(driver.pid).children(recursive=True) if is_worker(one)]
            if not workers:
                return False
            wait_for(lambda: bool({*noted(self._shards, "begun")} - {*noted(self._shards, "finished")}))
            try:
                self._chance.choice(workers).kill()
            except psutil.NoSuchProcess:  # it has ended by itself
                return False
        elif what == "server":
            server = EmbeddedNeo4j(self._settings)
            psutil.Process(server.status().pid).kill()
            server.start(timeout=600)
        else:
            if what == "writer":
                wait_for(lambda: any(self._shards.glob("writing-*")))
            driver.kill()
            driver.wait()
            for path in self._shards.glob("writing-*"):
                path.unlink()
        self.killed[what] += 1
        print(f"killed: {what}", file=sys.stderr)
        return what in {"driver", "writer"}


def wait_for(ready: Callable[[], bool]) -> None:
    end = time.monotonic() + 5
    while not ready() and time.monotonic() < end:
        time.sleep(0.001)


def is_worker(process: psutil.Process) -> bool:
    with suppress(psutil.Error):
        return "MapWorker" in " ".join(process.cmdline())
    return False


def main() -> None:
    options = harness.options(
        __doc__,
        {"medquad": (DATA / "medquad.zip", SMALL / "medquad")},
        documents=(20, 10, "documents of MedQuAD"),
        kills=(50, 4, "kills"),
        seed=(7, 7, "of what is killed when"),
    )
    os.environ.setdefault("RAY_worker_niceness", "0")
    with own_home() as (settings, environment), tempfile.TemporaryDirectory() as scratch:
        shards = Path(scratch, "shards")
        shards.mkdir()
        medquad = options.medquad
        if medquad.is_file():
            medquad = chosen(medquad, Path(scratch, "medquad"), options.documents)
        with connect(settings) as database:
            fill(settings, database, medquad)
            make_index(settings, database, None)
            expected = contents(database)
            database.run(harness.statement("MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 1000 ROWS"))
            fill(settings, database, medquad)
        path = os.pathsep.join([str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])])
        environment["PYTHONPATH"] = path
        killer = Killer(settings, environment, shards, options.seed)
        begun = time.monotonic()
        starts = killer.run(options.kills)
        seconds = time.monotonic() - begun
        with connect(settings) as database:
            found = contents(database)
        finished, started = (Counter(noted(shards, what)) for what in ("finished", "begun"))
        lost, more = expected - found, found - expected
        for row in [*lost, *more][:4]:
            print(f"differs: {row[:600]}", file=sys.stderr)
        rows = [
            ["killed", ", ".join(f"{n} {what}" for what, n in killer.killed.items())],
            ["starts of the driver; seconds", f"{starts}; {seconds:.0f}"],
            ["shards", len(finished)],
            ["begun again, as they were in hand", started.total() - len(started)],
            ["finished, and computed again", finished.total() - len(finished)],
            ["nodes and relations that differ, of", f"{lost.total() + more.total()}, {expected.total()}"],
        ]
        table("An index run under kills:", ["what", "figure"], rows)


if __name__ == "__main__":
    main()
