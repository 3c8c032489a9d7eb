"""Harness of the benchmarks: options with a smallest size, turns, quantiles, tables and servers to measure on."""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from medgraph.graph import catalogue
from medgraph.graph.catalogue import Query
from medgraph.graph.connect import scratch_settings
from medgraph.graph.database import Database
from medgraph.settings import Settings

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("MEDGRAPH_DATA") or ROOT.parent / "shared" / "data")
SMALL = ROOT / "tests" / "data"  # files of the smallest size

COMMAND = (sys.executable, "-m", "medgraph")
MODES = ("lexical", "semantic", "hybrid", "learned")
PAUSE = 0.1
READY = 300  # seconds until a service must be ready
EVERYDAY = ("How would I know that I have {}?", "Can {} be cured?", "Why do people get {}?", "What can {} lead to?")
QUESTIONS = """
MATCH (e:Entity)<-[:ABOUT]-(d:Document)-[:HAS_SECTION]->(s:Section) WHERE s.question <> ''
WITH s, min(e.name) AS name ORDER BY s.id
RETURN s.question AS question, name
"""


def options(
    doc: str,
    files: Mapping[str, tuple[Path | None, Path | None]] | None = None,
    flags: Mapping[str, str] | None = None,
    **sizes: tuple[int, int, str],
) -> argparse.Namespace:
    """Read the command line; files and sizes are given as usual, and at the smallest size."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--smallest", action="store_true", help="take the smallest sizes, and leave peers out")
    for name, (usual, least, said) in sizes.items():
        help_ = f"{said} ({usual:,}; smallest {least:,})"
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, help=help_)
    for name, (path, _) in (files or {}).items():
        parser.add_argument(f"--{name}", type=Path, help=path and f"a file or folder ({path.name})")
    for name, said in (flags or {}).items():
        parser.add_argument(f"--{name}", action="store_true", help=said)
    given = parser.parse_args()
    for name, (usual, least, *_) in (sizes | (files or {})).items():
        if getattr(given, name) is None:
            setattr(given, name, least if given.smallest else usual)
    for name in files or {}:
        path = getattr(given, name)
        if path and not path.exists():
            sys.exit(f"there is no {path}; name it with --{name}, or set MEDGRAPH_DATA to the folder of data")
    return given


def left_out(what: str) -> None:
    print(f"\nLeft out at the smallest size: {what}.")


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    print(f"\n{title}\n")
    print(f"| {' | '.join(columns)} |")
    print(f"| --- |{' ---: |' * (len(columns) - 1)}")
    for row in rows:
        print(f"| {' | '.join(str(cell) for cell in row)} |")


def quantile(values: Sequence[float], part: float) -> float:
    """Give the value below which a part of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def by_turns(
    ways: Mapping[str, Callable[[Any], Any]], items: Sequence[Any], rounds: int, warm: int = 1
) -> dict[str, list[float]]:
    """Let ways take turns at each item, another one first each time; gives the milliseconds of each way.

    The first `warm` rounds are left out; a way that gives a float has timed itself.
    """
    spent: dict[str, list[float]] = {name: [] for name in ways}
    names = list(ways)
    for number in range(warm + rounds):
        for turn, item in enumerate(items, number):
            for place in range(len(names)):
                name = names[(turn + place) % len(names)]
                started = time.perf_counter()
                given = ways[name](item)
                taken = given if isinstance(given, float) else (time.perf_counter() - started) * 1000
                if number >= warm:
                    spent[name].append(taken)
    return spent


def times(title: str, spent: Mapping[str, Sequence[float]], floor: str) -> None:
    """Print milliseconds of each way, and its median beside that of the floor."""
    base = quantile(spent[floor], 0.5)
    rows = []
    for name, values in spent.items():
        p50, p95 = quantile(values, 0.5), quantile(values, 0.95)
        label = f"{name} (floor)" if name == floor else f"**{name}**"
        rows.append([label, len(values), f"{p50:.1f}", f"{p95:.1f}", f"{p95 / p50:.1f}", f"{p50 / base:.2f}"])
    table(title, ["what", "times", "p50 ms", "p95 ms", "p95 / p50", "p50 / floor"], rows)


def medians(title: str, spent: Mapping[str, Sequence[float]], floor: str) -> None:
    """Print seconds of each way, and the median of its ratios to the floor in the same rounds, with their range."""
    rows = []
    for name, values in spent.items():
        ratios = sorted(value / base for value, base in zip(values, spent[floor], strict=True))
        said = f"{statistics.median(ratios):.2f}", f"{ratios[0]:.2f} to {ratios[-1]:.2f}"
        rows.append([f"{name} (floor)" if name == floor else f"**{name}**", f"{statistics.median(values):.3g}", *said])
    table(title, ["what", "median s", "time / floor", "least to most"], rows)


def statement(text: str) -> Query:
    """Wrap Cypher that only a benchmark needs, such as a floor's or a peer's index."""
    return Query("benchmark", "", {}, (), text, Path(__file__))


def sampled(database: Database, sample: int) -> list[str]:
    """Take questions as sources ask them and in everyday words, by turns, or say what the graph lacks."""
    rows = database.read(statement(QUESTIONS))
    model = database.read(catalogue.get("encoder"))[0]["name"]
    if not rows or database.read(catalogue.get("count_unembedded"), model=model)[0]["chunks"]:
        sys.exit("this graph lacks questions or vectors; run: medgraph load medquad PATH && medgraph index")
    chance = random.Random(0)
    chosen = chance.sample(rows, min(sample, len(rows)))
    both = [(row["question"], chance.choice(EVERYDAY).format(row["name"])) for row in chosen]
    return list(dict.fromkeys(text for pair in both for text in pair))


def documents(archive: Path) -> list[Any]:
    from medgraph.loaders import registry
    from medgraph.loaders.base import Row
    from medgraph.schema.records import Document

    rows = (item.record for item in registry.get("medquad").records(archive) if isinstance(item, Row))
    return [record for record in rows if isinstance(record, Document)]


class Graph(NamedTuple):
    """The graph that the settings point at, with its encoder and its names."""

    settings: Settings
    database: Database
    encoder: Any
    linker: Any

    def retriever(self, encoder: Any = None) -> Any:
        """Make what searches, with another encoder where one is given."""
        from medgraph.queries.retriever import Retriever

        return Retriever(self.database, lambda: encoder or self.encoder, self.linker)


@contextmanager
def opened(settings: Settings | None = None) -> Iterator[Graph]:
    from medgraph.embeddings.encoders.encoder import load_encoder
    from medgraph.graph.connect import connect
    from medgraph.linking.names import GraphNames

    settings = settings or Settings.from_environment()
    with connect(settings) as database:
        yield Graph(settings, database, load_encoder(settings), GraphNames(settings, database))


class Remembering:
    """An encoder that encodes a text once, so that what is timed later holds no encoding; it reads nothing."""

    def __init__(self, encoder: Any) -> None:
        self._encoder = encoder
        self._known: dict[tuple[str, str], Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._encoder, name)

    def encode(self, texts: Sequence[str]) -> Any:
        return self._vectors_of("encode", texts)

    def encode_questions(self, texts: Sequence[str]) -> Any:
        return self._vectors_of("encode_questions", texts)

    def passage_logits(self, question: str, passages: Sequence[str]) -> None:
        """Read nothing."""

    def _vectors_of(self, side: str, texts: Sequence[str]) -> Any:
        import numpy as np

        for text in texts:
            if (side, text) not in self._known:
                self._known[side, text] = getattr(self._encoder, side)([text])[0]
        return np.stack([self._known[side, text] for text in texts])


class Ran(NamedTuple):
    """What a command took: seconds by the clock, most memory that was resident, and what it printed."""

    seconds: float
    mb: float
    said: str


def run(words: Sequence[object], environment: Mapping[str, str] | None = None, folder: Path | None = None) -> Ran:
    """Run a command that must succeed."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        start = time.perf_counter()
        line = list(map(str, words))
        process = subprocess.Popen(line, env=environment, cwd=folder, stdout=output, stderr=errors)
        mb, watching = [0.0], threading.Event()
        watcher = threading.Thread(target=_watch, args=(process.pid, mb, watching))
        try:
            watcher.start()
            process.wait()
        finally:  # the watcher would keep a benchmark that was ended from outside alive
            seconds = time.perf_counter() - start
            process.kill()
            process.wait()
            watching.set()
        if process.returncode:
            sys.exit(f"{' '.join(line)}: {_log_text(errors).strip()[-2000:]}")
        return Ran(seconds, mb[-1], _log_text(output))


def _watch(pid: int, mb: list[float], ended: threading.Event) -> None:
    """Note the most memory of a process; what is told at its end begins with that of its parent, on Linux."""
    while not ended.wait(0.02):
        with suppress(OSError, ValueError, IndexError):
            mb.append(peak_mb(pid))


def child(script: str, *words: object, environment: Mapping[str, str] | None = None) -> Any:
    """Run a part of a benchmark in a process of its own; gives what it prints as JSON."""
    return json.loads(run([sys.executable, script, *words], environment).said)


def peak_mb(pid: int | str = "self") -> float:
    """Give the most memory that a process has had resident, in MB; on Linux."""
    return int(Path(f"/proc/{pid}/status").read_text().partition("VmHWM:")[2].split()[0]) * 1024 / 1e6


@contextmanager
def own_home() -> Iterator[tuple[Settings, dict[str, str]]]:
    """Give settings, and the environment for commands, of a server of the benchmark's own; it is stopped at the end."""
    from medgraph.server.embedded import EmbeddedNeo4j

    # Ended from outside, Python would leave the server running.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    with tempfile.TemporaryDirectory(prefix="medgraph-benchmark-") as home:
        settings = scratch_settings(Settings.from_environment(), Path(home))
        environment = {name: value for name, value in os.environ.items() if not name.startswith("NEO4J_")}
        ports = {"MEDGRAPH_BOLT_PORT": str(settings.bolt_port), "MEDGRAPH_HTTP_PORT": str(settings.http_port)}
        environment |= {"MEDGRAPH_HOME": home, **ports}
        try:
            yield settings, environment
        finally:
            EmbeddedNeo4j(settings).stop()


@contextmanager
def served(environment: Mapping[str, str] | None = None, folder: Path | None = None) -> Iterator[tuple[int, int]]:
    """Run the service; gives its port and the id of its process."""
    with tempfile.TemporaryFile("w+") as log:
        words, started = [*COMMAND, "serve", "--port", "0"], time.perf_counter()
        process = subprocess.Popen(words, env=environment, cwd=folder, stderr=log, start_new_session=True)
        try:
            while "serving at " not in (told := _log_text(log)):
                if process.poll() is not None:
                    sys.exit(f"the service ended: {told}")
                time.sleep(PAUSE)
            port = int(told.partition("serving at ")[2].split()[0].rpartition(":")[2])
            while status(port, "/readyz") != 200:
                if process.poll() is not None or time.perf_counter() - started > READY:
                    sys.exit(f"the service did not become ready: {_log_text(log)}")
                time.sleep(PAUSE)
            yield port, process.pid
        finally:
            process.terminate()
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()


def _log_text(log: Any) -> str:
    log.seek(0)
    return log.read()


def status(port: int, path: str) -> int | str:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        return type(error).__name__
    finally:
        connection.close()


def post(connection: http.client.HTTPConnection, question: str) -> int:
    connection.request("POST", "/v1/answers", json.dumps({"question": question}), {"Content-Type": "application/json"})
    response = connection.getresponse()
    body = response.read()
    kind = response.headers["Content-Type"]
    if kind != ("application/json" if response.status == 200 else "application/problem+json"):
        raise http.client.HTTPException(f"{response.status} as {kind}")
    json.loads(body)
    return response.status
