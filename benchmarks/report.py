"""What the benchmarks share: tables in Markdown, quantiles, statements of their own, and a server to measure on."""

from __future__ import annotations

import os
import resource
import signal
import socket
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from medgraph.evaluation.sets.medquad import dev_questions
from medgraph.graph import catalogue
from medgraph.graph.catalogue import Query
from medgraph.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from medgraph.graph.database import Database


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print a Markdown table under a line that says what it is."""
    print(f"\n{title}\n")
    print(f"| {' | '.join(columns)} |")
    print(f"| --- |{' ---: |' * (len(columns) - 1)}")
    for row in rows:
        print(f"| {' | '.join(str(cell) for cell in row)} |")


def quantile(values: Sequence[float], part: float) -> float:
    """Give the value below which a part of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def statement(text: str) -> Query:
    """Wrap Cypher that only a benchmark needs, such as a floor's or a peer's index."""
    return Query("benchmark", "", {}, (), text, Path(__file__))


def sampled(database: Database, sample: int) -> list[str]:
    """Take questions of both styles, or say what the graph lacks."""
    found = [q.text for style in ("source", "everyday") for q in dev_questions(database, style, sample)]
    if not found:
        sys.exit("MedQuAD is not in this graph; run: medgraph load medquad PATH/TO/medquad.zip && medgraph index")
    model = database.read(catalogue.get("encoder"))[0]["name"]
    if database.read(catalogue.get("count_unembedded"), model=model)[0]["chunks"]:
        sys.exit("some chunks of this graph have no vectors; run: medgraph index")
    return list(dict.fromkeys(found))


def peak_mb() -> float:
    """Give the most memory that this process has had resident, in MB."""
    status = Path("/proc/self/status")
    if status.exists():  # on Linux the usage begins with that of the parent
        found = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(found.split()[1]) * 1024 / 1e6
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def command() -> list[str]:
    """Give the `medgraph` command of the Python that runs this."""
    script = Path(sys.executable).with_name("medgraph")
    return [str(script)] if script.exists() else [sys.executable, "-m", "medgraph"]


@contextmanager
def own_home() -> Iterator[tuple[Settings, dict[str, str]]]:
    """Give settings, and the environment for commands, of a server of the benchmark's own; it is stopped at the end."""
    from medgraph.server.embedded import EmbeddedNeo4j

    # Ended from outside, Python would leave the server running.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    with tempfile.TemporaryDirectory(prefix="medgraph-benchmark-") as home:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("NEO4J_")}
        bolt, http = _free_ports()
        environment |= {"MEDGRAPH_HOME": home, "MEDGRAPH_BOLT_PORT": str(bolt), "MEDGRAPH_HTTP_PORT": str(http)}
        settings = Settings.from_environment(environment)
        try:
            yield settings, environment
        finally:
            EmbeddedNeo4j(settings).stop()


def _free_ports() -> tuple[int, int]:
    with socket.socket() as one, socket.socket() as two:
        one.bind(("127.0.0.1", 0))
        two.bind(("127.0.0.1", 0))
        return one.getsockname()[1], two.getsockname()[1]
