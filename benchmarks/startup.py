"""How long things take to start: the command, the server, and the second quickstart.

    python benchmarks/startup.py [--rounds 5]

Needs the server's jars and the encoder in the cache, as `medgraph quickstart` leaves them; what is missing is fetched
before anything is measured. A server of the benchmark's own is started in the temporary folder and stopped again. The
floor is Python itself: `python -c pass`.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from report import command, own_home, table

if TYPE_CHECKING:
    from pathlib import Path


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="starts of the server and of quickstart")
    rounds = parser.parse_args().rounds
    python, help_ = [sys.executable, "-c", "pass"], [*command(), "--help"]
    pairs = [(seconds(python), seconds(help_)) for _ in range(4 * rounds + 1)][1:]
    spent = {"python": [pair[0] for pair in pairs], "help": [pair[1] for pair in pairs]}
    with own_home() as (_, environment):
        start, stop, quickstart = (
            [*command(), *words.split()] for words in ("neo4j start", "neo4j stop", "quickstart")
        )
        seconds(start, environment)  # makes the data folder
        seconds(stop, environment)
        spent["start"] = []
        for _ in range(rounds):
            spent["start"].append(seconds(start, environment))
            seconds(stop, environment)
        spent["first"] = [seconds(quickstart, environment)]
        spent["running"] = [seconds(quickstart, environment) for _ in range(rounds)]
        spent["stopped"] = []
        for _ in range(rounds):
            seconds(stop, environment)
            spent["stopped"].append(seconds(quickstart, environment))
    floor = statistics.median(spent["python"])
    labels = {
        "python": "`python -c pass` (floor)",
        "help": "`medgraph --help`",
        "start": "`medgraph neo4j start`, until it answers",
        "first": "first `medgraph quickstart`, jars and encoder cached",
        "running": "second, the server running",
        "stopped": "second, the server stopped",
    }
    rows = []
    for name, label in labels.items():
        median = statistics.median(spent[name])
        rows.append([label, f"{median:.2f}", f"{max(spent[name]):.2f}", f"{median / floor:.1f}", len(spent[name])])
    table("Starting.", ["what", "median s", "longest s", "median / floor", "runs"], rows)


def seconds(arguments: list[str], environment: dict[str, str] | None = None, folder: Path | None = None) -> float:
    """Time a command that must succeed."""
    start = time.perf_counter()
    done = subprocess.run(arguments, env=environment, cwd=folder, capture_output=True, text=True, check=False)
    spent = time.perf_counter() - start
    if done.returncode:
        sys.exit(f"{' '.join(map(str, arguments))}: {done.stderr.strip()}")
    return spent


if __name__ == "__main__":
    main()
