"""A service under mixed load for many minutes: does memory or p95 grow?

    python lab/benchmarks/soak.py [--minutes 20] [--rate 2]

Clients search, ask and look entities up, at a rate, while commands load a small file, index it and take it out again,
over and over, in a graph of the benchmark's own. The first quarter of the minutes, in which caches fill, is told and
not judged. What grows is a line through the other minutes: flat means that it rises by no more than is allowed, or by
less than two standard errors.
"""

from __future__ import annotations

import argparse
import http.client
import itertools
import json
import os
import random
import statistics
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import harness
import psutil
from harness import COMMAND, DATA, SMALL, own_home, quantile, run, served, table
from revisions import chosen

from medgraph.graph.connect import connect
from medgraph.server.embedded import EmbeddedNeo4j

CLIENTS = 2
# What may grow, and by how much of its mean while it is judged; where other programs run, p95 follows them.
ALLOWED = {"p95 ms": 0.25, "processor ms": 0.1, "service MB": 0.05, "server MB": 0.05}
ENTITIES = harness.statement("MATCH (e:Entity) WHERE NOT e:Stub RETURN e.id AS id ORDER BY id LIMIT 500")


def main() -> None:
    options = harness.options(
        __doc__,
        {"medquad": (DATA / "medquad.zip", SMALL / "medquad")},
        documents=(300, 10, "documents of MedQuAD"),
        minutes=(20, 4, "minutes"),
        length=(60, 3, "seconds of such a minute"),
        rate=(2, 4, "requests a second"),
        pause=(20, 1, "seconds between one load and the next"),
    )
    with own_home() as (settings, environment), tempfile.TemporaryDirectory() as scratch:
        documents = options.medquad
        if documents.is_file():
            documents = chosen(documents, Path(scratch), options.documents)
        for words in (["load", "sample"], ["load", "medquad", documents, "--limit", 100_000], ["index"]):
            run([*COMMAND, *words], environment)
        with connect(settings) as database:
            questions = harness.sampled(database, 200)
            entities = [row["id"] for row in database.read(ENTITIES)]
        server = psutil.Process(EmbeddedNeo4j(settings).status().pid)
        with served(environment) as (port, process), changing(environment, options.pause) as rounds:
            rows = by_minute(
                requests(port, questions, entities, options.rate), [psutil.Process(process), server], options
            )
    columns = ["minute", "requests", "outcomes", "p50 ms", "p95 ms", "processor ms", "service MB", "server MB", "load"]
    table(f"Mixed load, {options.rate} requests a second, {rounds[0]} loads and unloads:", columns, rows)
    judged = [dict(zip(columns, row, strict=True)) for row in rows[len(rows) // 4 :]]
    verdicts = [[name, *verdict([row[name] for row in judged], part)] for name, part in ALLOWED.items()]
    table("Growth:", ["what", "rise of the line", "standard error", "verdict"], verdicts)


def by_minute(
    asked: Callable[[float], list[tuple[float, str]]], watched: Sequence[psutil.Process], options: argparse.Namespace
) -> list[list[object]]:
    """Ask for minutes on end; what came of each, and how much memory processes have after it."""
    rows: list[list[object]] = []
    for minute in range(1, options.minutes + 1):
        before = sum(sum(process.cpu_times()[:2]) for process in watched)
        noted = asked(options.length)
        used = sum(sum(process.cpu_times()[:2]) for process in watched) - before
        spent = [one[0] for one in noted]
        came = ", ".join(f"{n} x {what}" for what, n in Counter(one[1] for one in noted).most_common())
        memory = [round(process.memory_info().rss / 1e6) for process in watched]
        times = [round(quantile(spent, part), 1) for part in (0.5, 0.95)]
        used_each = round(used * 1000 / len(noted), 1)
        rows.append([minute, len(noted), came, *times, used_each, *memory, f"{os.getloadavg()[0]:.1f}"])
        print(*rows[-1], sep="\t", flush=True)
    return rows


def requests(
    port: int, questions: Sequence[str], entities: Sequence[str], rate: int
) -> Callable[[float], list[tuple[float, str]]]:
    """Make what asks for some seconds at a rate; it gives milliseconds and outcome of each request."""

    def one(seed: int) -> tuple[float, str]:
        chance = random.Random(seed)
        text, kind = chance.choice(questions), seed % 4
        path = f"/v1/entities/{quote(chance.choice(entities), safe='')}" if kind == 3 else "/v1/search"
        name, method = "q", "GET" if kind == 3 else "POST"
        if kind == 2:
            path, name = "/v1/answers", "question"
        body = None if kind == 3 else json.dumps({name: text})
        connection, begun = http.client.HTTPConnection("127.0.0.1", port, timeout=120), time.perf_counter()
        try:
            connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
            response = connection.getresponse()
            response.read()
            outcome = str(response.status)
        except (OSError, http.client.HTTPException) as error:
            outcome = type(error).__name__
        finally:
            connection.close()
        return (time.perf_counter() - begun) * 1000, outcome

    seeds = itertools.count()

    def ask(seconds: float) -> list[tuple[float, str]]:
        end, asked = time.monotonic() + seconds, []
        with ThreadPoolExecutor(CLIENTS) as pool:
            while time.monotonic() < end:
                asked.append(pool.submit(one, next(seeds)))
                time.sleep(1 / rate)
        return [each.result() for each in asked]

    return ask


@contextmanager
def changing(environment: dict[str, str], pause: float) -> Iterator[list[int]]:
    """Load a small file, index it and take it out again, until the block ends; counts the rounds."""
    done, ended = [0], threading.Event()

    def change() -> None:
        steps = (
            ["load", "documents", SMALL / "documents" / "corpus.jsonl", "--as", "soak"],
            ["index"],
            ["unload", "soak"],
        )
        while not ended.wait(pause):
            for words in steps:
                run([*COMMAND, *words], environment)
            done[0] += 1

    with ThreadPoolExecutor(1) as pool:
        changes = pool.submit(change)
        try:
            yield done
        finally:
            ended.set()
    changes.result()


def verdict(values: Sequence[float], allowed: float) -> list[str]:
    """Lay a line through values of minutes, and judge how much it rises, as a share of their mean."""
    minutes, mean = range(len(values)), statistics.fmean(values)
    slope, start = statistics.linear_regression(minutes, values)
    rest = sum((value - start - slope * minute) ** 2 for minute, value in zip(minutes, values, strict=True))
    spread = sum((minute - statistics.fmean(minutes)) ** 2 for minute in minutes)
    rise, error = (one * (len(values) - 1) / mean for one in (slope, (rest / max(1, len(values) - 2) / spread) ** 0.5))
    return [f"{rise:+.1%}", f"{error:.1%}", "flat" if rise <= allowed or rise < 2 * error else "NOT FLAT"]


if __name__ == "__main__":
    main()
