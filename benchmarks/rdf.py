"""An ontology in RDF/XML to records, against rdflib alone, in one run, by turns.

    python benchmarks/rdf.py [--file PATH/TO/symp.owl] [--rounds 15]

Each round reads the file into records by medgraph, parses it by rdflib's own parser into rdflib's own store, which
gives no records yet, and reads it into records with that parser in place of the fast one. All run on one thread;
processor time is measured, which what else the machine does disturbs less. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import rdflib
from report import quantile, table

from medgraph.loaders.ontologies.rdf import source

if TYPE_CHECKING:
    from collections.abc import Callable

DATA = Path(os.environ.get("MEDGRAPH_DATA") or Path(__file__).parents[2] / "shared" / "data")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--file", type=Path, default=DATA / "symp" / "symp.owl")
    arguments.add_argument("--rounds", type=int, default=15)
    given = arguments.parse_args()
    if not given.file.exists():
        sys.exit(f"{given.file} is not there; name an ontology in RDF/XML with --file")
    ways = {
        "records by medgraph": lambda: list(source.records(given.file)),
        "rdflib alone, parsing only": lambda: rdflib.Graph().parse(given.file, format="xml"),
        "records by rdflib's parser": lambda: slowly(given.file),
    }
    for way in ways.values():
        way()
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    turns = random.Random(1)
    for _ in range(given.rounds):
        for name in turns.sample(list(ways), len(ways)):
            seconds[name].append(timed(ways[name]))
    report(given.file, seconds)


def slowly(path: Path) -> list[object]:
    """Read records as if pyoxigraph were not installed."""
    fast = sys.modules["pyoxigraph"]
    sys.modules["pyoxigraph"] = None  # type: ignore[assignment]
    try:
        return list(source.records(path))
    finally:
        sys.modules["pyoxigraph"] = fast


def timed(way: Callable[[], object]) -> float:
    """Give the processor seconds that something takes."""
    started = time.process_time()
    way()
    return time.process_time() - started


def report(path: Path, seconds: dict[str, list[float]]) -> None:
    """Print times, and of each round the ratio to medgraph's."""
    ours = next(iter(seconds.values()))
    rows = []
    for name, values in seconds.items():
        ratios = [value / own for value, own in zip(values, ours, strict=True)]
        spread = f"{quantile(ratios, 0.1):.2f} to {quantile(ratios, 0.9):.2f}"
        rows.append((name, f"{statistics.median(values) * 1000:.0f}", f"{statistics.median(ratios):.2f}", spread))
    columns = ("way", "median ms", "median ratio to medgraph", "10 to 90 % of the rounds")
    table(f"{path.name}, {path.stat().st_size / 1e6:.1f} MB, {len(ours)} rounds", columns, rows)


if __name__ == "__main__":
    main()
