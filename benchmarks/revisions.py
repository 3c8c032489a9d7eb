"""This tree against an earlier revision of it: loading, indexing, searching and asking, by turns.

    python benchmarks/revisions.py REVISION MEDQUAD.zip [--documents 800] [--questions 100] [--rounds 3]

The revision is checked out beside this tree, and both use the packages of the Python that runs this. Each has an
embedded server of its own, and is measured from outside: by its commands, and by `POST /v1/answers` of its service.
Jars and encoder come from the usual cache.
"""

from __future__ import annotations

import argparse
import http.client
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from report import own_home, statement, table
from service import post, served
from startup import seconds

from medgraph.graph.connect import connect

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

COMMAND = (sys.executable, "-m", "medgraph")
TREE = Path(__file__).parents[1]
QUESTIONS = statement("MATCH (q:Question)-[:ANSWERED_BY]->() RETURN q.text AS text ORDER BY q.id LIMIT $limit")
ANSWERED = re.compile(r"(^|/)[1-9]_[^/]*/")
"""The collections whose publishers let their answers be passed on."""

STEPS = ("load", "index", "search", "ask")


@dataclass(frozen=True)
class Side:
    """One of the two trees, with the server that is its own."""

    folder: Path
    environment: dict[str, str]

    def run(self, *words: object) -> float:
        """Run a command that must succeed, and give its seconds."""
        return seconds([*COMMAND, *map(str, words)], self.environment, self.folder)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("revision")
    parser.add_argument("medquad", type=Path)
    parser.add_argument("--documents", type=int, default=800, help="how much of MedQuAD")
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    spent: dict[str, tuple[list[float], list[float]]] = {step: ([], []) for step in STEPS}
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="medgraph-benchmark-")))
        earlier = stack.enter_context(checkout(options.revision, scratch / "earlier"))
        sides, settings = [], []
        for name, tree in (("before", earlier), ("after", TREE)):
            one, environment = stack.enter_context(own_home())
            (scratch / name).mkdir()
            (scratch / name / "medgraph").symlink_to(tree)
            sides.append(Side(scratch / name, environment | {"PYTHONPATH": str(scratch / name)}))
            settings.append(one)
        documents = unpacked(options.medquad, scratch / "medquad", options.documents)
        for side in sides:  # the first time everything is slow
            side.run("schema", "apply")
            store(side, documents)
        for number in range(options.rounds):
            for place in ordered(number):
                spent["load"][place].append(store(sides[place], documents))
                spent["index"][place].append(sides[place].run("index"))
        with connect(settings[1]) as database:
            questions = [row["text"] for row in database.read(QUESTIONS, limit=options.questions)]
        (scratch / "topics.tsv").write_text("".join(f"q{n}\t{text}\n" for n, text in enumerate(questions)))
        for number in range(options.rounds):
            for place in ordered(number):
                words = ("search", "--topics", scratch / "topics.tsv", "--run", scratch / f"{number}-{place}.run")
                spent["search"][place].append(sides[place].run(*words))
        ports = [stack.enter_context(served(COMMAND, side.environment, side.folder))[0] for side in sides]
        for number in range(options.rounds + 1):
            for place in ordered(number):
                answered = ask(ports[place], questions)
                spent["ask"][place].extend(answered if number else [])
    report(spent, options)


@contextmanager
def checkout(revision: str, folder: Path) -> Iterator[Path]:
    """Check a revision out, and forget it afterwards."""
    git = ["git", "-C", str(TREE), "worktree"]
    subprocess.run([*git, "add", "--quiet", "--detach", str(folder), revision], check=True)
    try:
        yield folder
    finally:
        subprocess.run([*git, "remove", "--force", str(folder)], check=True)


def ordered(number: int) -> tuple[int, int]:
    """Take the sides by turns, each as often first."""
    return (0, 1) if number % 2 else (1, 0)


def unpacked(archive: Path, folder: Path, number: int) -> Path:
    """Unpack as many files as asked for, of the collections that have answers."""
    with zipfile.ZipFile(archive) as medquad:
        names = sorted(name for name in medquad.namelist() if name.endswith(".xml") and ANSWERED.search(name))
        medquad.extractall(folder, names[:: max(1, len(names) // number)][:number])
    return folder


def store(side: Side, documents: Path) -> float:
    """Load into a graph without the source, and give the seconds."""
    if is_loaded(side):
        side.run("unload", "medquad")
    return side.run("load", "medquad", documents, "--limit", 100_000)


def is_loaded(side: Side) -> bool:
    """Tell whether the source is in the graph."""
    command = [*COMMAND, "query", "sources", "--json"]
    rows = subprocess.run(command, env=side.environment, cwd=side.folder, capture_output=True, text=True, check=True)
    return '"medquad"' in rows.stdout


def ask(port: int, questions: Sequence[str]) -> list[float]:
    """Ask one question after another, and give the seconds of each."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    spent = []
    for question in questions:
        start = time.perf_counter()
        post(connection, question)
        spent.append(time.perf_counter() - start)
    connection.close()
    return spent


def report(spent: dict[str, tuple[list[float], list[float]]], options: argparse.Namespace) -> None:
    """Print medians, and the speed now as a share of the speed before."""
    labels = {
        "load": f"`load`, {options.documents:,} documents, s",
        "index": "`index`, chunks and vectors of them, s",
        "search": f"`search --topics`, {options.questions} questions, s",
        "ask": "one answer of the service, ms",
    }
    rows = []
    for step, label in labels.items():
        before, after = (statistics.median(values) * (1000 if step == "ask" else 1) for values in spent[step])
        rows.append([label, f"{before:.1f}", f"{after:.1f}", f"{before / after:.2f}", len(spent[step][0])])
    columns = ["what", options.revision, "this tree", "speed now / then", "runs"]
    table(f"Medians, {os.cpu_count()} processors.", columns, rows)


if __name__ == "__main__":
    main()
