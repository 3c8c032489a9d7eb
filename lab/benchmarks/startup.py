"""Starts, against `python -c pass`: the command, the server, the first and the second quickstart.

    python lab/benchmarks/startup.py [--rounds 5]

Jars and encoder come from the cache; a server of the benchmark's own is started in the temporary folder.
"""

from __future__ import annotations

import statistics
import sys

import harness
from harness import COMMAND, run, table


def main() -> None:
    rounds = harness.options(__doc__, rounds=(5, 1, "starts of the server and of quickstart")).rounds
    start, stop, quickstart = ([*COMMAND, *words.split()] for words in ("neo4j start", "neo4j stop", "quickstart"))
    python, help_ = "`python -c pass` (floor)", "`medgraph --help`"
    spent: dict[str, list[float]] = {python: [], help_: []}
    for _ in range(4 * rounds):
        spent[python].append(run([sys.executable, "-c", "pass"]).seconds)
        spent[help_].append(run([*COMMAND, "--help"]).seconds)
    with harness.own_home() as (_, environment):

        def seconds(words: list[str], *, stopped: bool = False) -> float:
            if stopped:
                run(stop, environment)
            return run(words, environment).seconds

        run(start, environment)  # makes the data folder
        spent["`medgraph neo4j start`, until it answers"] = [seconds(start, stopped=True) for _ in range(rounds)]
        spent["first `medgraph quickstart`, jars and encoder cached"] = [seconds(quickstart)]
        spent["second, the server running"] = [seconds(quickstart) for _ in range(rounds)]
        spent["second, the server stopped"] = [seconds(quickstart, stopped=True) for _ in range(rounds)]
    floor, rows = statistics.median(spent[python]), []
    for name, values in spent.items():
        median = statistics.median(values)
        rows.append([name, f"{median:.2f}", f"{max(values):.2f}", f"{median / floor:.1f}", len(values)])
    table("Starting", ["what", "median s", "longest s", "median / floor", "runs"], rows)


if __name__ == "__main__":
    main()
