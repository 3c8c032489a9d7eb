"""The service, against answers in this process: one client, many clients, and with --faults all that can go wrong.

    python lab/benchmarks/service.py [--sample 600] [--once 200] [--clients 8] [--minutes 3]
    python lab/benchmarks/service.py --faults

Needs a graph that is loaded and indexed on the embedded server; `medgraph serve` runs as a process of its own. With
--faults some clients send byte by byte and others leave before the answer; then that embedded server is killed with
SIGKILL under load and started again: give the benchmark one of its own.
"""

from __future__ import annotations

import argparse
import http.client
import os
import random
import signal
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import harness
import psutil
from harness import PAUSE, post, quantile, statement, status, table

from medgraph.answers.assembly import Assembly
from medgraph.graph.connect import connect
from medgraph.server.embedded import EmbeddedNeo4j
from medgraph.settings import Settings

FLOOR, CLIENT = "in this process", "one client of the service"
QUESTION = b'{"question": "What is gout?"}'
HEAD = b"POST /v1/answers HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nConnection: close\r\n"
REQUEST = HEAD + b"Content-Length: %d\r\n\r\n" % len(QUESTION) + QUESTION


def main() -> None:
    options = harness.options(
        __doc__,
        None,
        {"faults": "let things go wrong instead"},
        sample=(600, 4, "questions of each style"),
        once=(200, 3, "questions that one client asks once each"),
        clients=(8, 2, "clients at once"),
        minutes=(3, 1, "minutes that they ask"),
        length=(60, 3, "seconds of such a minute"),
        down=(8, 3, "seconds that the database is away"),
    )
    settings = Settings.from_environment()
    if settings.neo4j_uri:
        sys.exit("unset NEO4J_URI: this measures on the embedded server")
    with connect(settings) as database:
        questions = harness.sampled(database, options.sample)
    with harness.served() as (port, process):
        post(http.client.HTTPConnection("127.0.0.1", port, timeout=60), questions[0])
        if options.faults:
            faults(port, settings, questions, options)
        else:
            p50 = one_client(port, questions[: options.once])
            many_clients(port, psutil.Process(process), questions, p50, options)


def one_client(port: int, questions: Sequence[str]) -> float:
    """Compare one client with answers in this process, question by question; give the client's p50."""
    with harness.opened() as graph:
        answerer = Assembly(graph.database, lambda: graph.encoder, graph.linker).answerer
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        ways = {FLOOR: answerer.ask, CLIENT: lambda question: post(connection, question)}
        harness.by_turns(ways, questions[-1:], 1)  # what is read is remembered, so each other question counts once
        spent = harness.by_turns(ways, questions, 1, warm=0)
        connection.close()
    harness.times(f"{len(questions)} questions, once each", spent, FLOOR)
    return quantile(spent[CLIENT], 0.5)


@contextmanager
def asking(port: int, questions: Sequence[str], number: int) -> Iterator[list[tuple[float, float, str]]]:
    """Let clients ask one question after another; notes when each ended, its milliseconds, and what came of it."""
    stop, noted = threading.Event(), []

    def ask(seed: int) -> None:
        chosen, connection = random.Random(seed), http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        while not stop.is_set():
            started = time.monotonic()
            try:
                outcome = str(post(connection, chosen.choice(questions)))
            except (OSError, http.client.HTTPException) as error:
                outcome = type(error).__name__
                connection.close()
            ended = time.monotonic()
            noted.append((ended, (ended - started) * 1000, outcome))
            if outcome != "200":
                time.sleep(PAUSE)
        connection.close()

    with ThreadPoolExecutor(number) as pool:
        asked = [pool.submit(ask, seed) for seed in range(number)]
        try:
            yield noted
        finally:
            stop.set()
    for one in asked:
        one.result()


def outcomes(noted: list[tuple[float, float, str]]) -> str:
    return ", ".join(f"{n:,} x {what}" for what, n in Counter(one[2] for one in noted).most_common())


def many_clients(
    port: int, process: psutil.Process, questions: Sequence[str], p50: float, options: argparse.Namespace
) -> None:
    rows, memory = [], [process.memory_info().rss]
    for minute in range(1, options.minutes + 1):
        with asking(port, questions, options.clients) as noted:
            time.sleep(options.length)
        memory.append(process.memory_info().rss)
        spent = [one[1] for one in noted]
        times = [f"{quantile(spent, part):.0f}" for part in (0.5, 0.95)]
        ratio, change = f"{quantile(spent, 0.95) / p50:.1f}", f"{(memory[-1] / memory[-2] - 1) * 100:+.1f} %"
        rows.append([minute, outcomes(noted), *times, ratio, f"{memory[-1] / 1e6:.0f}", change])
    columns = ["minute", "outcomes", "p50 ms", "p95 ms", "p95 / one client's p50", "resident MB", "change"]
    table(f"{options.clients} clients at once", columns, rows)


def faults(port: int, settings: Settings, questions: Sequence[str], options: argparse.Namespace) -> None:
    before = contents(settings)
    rows = [
        ["slow clients, and such as leave", bad_clients(port, options.length)],
        [f"database killed under {options.clients} clients", restart(port, settings, questions, options)],
    ]
    lost = "nothing" if contents(settings) == before else "SOMETHING"
    rows.append(["afterwards", f"readiness {status(port, '/readyz')}, {lost} lost"])
    table("Faults in one run", ["fault", "outcome"], rows)


def contents(settings: Settings) -> object:
    with connect(settings) as database:
        nodes = database.read(statement("MATCH (n) RETURN labels(n) AS kind, count(*) AS n ORDER BY kind"))
        return nodes, database.read(statement("MATCH ()-[r]->() RETURN type(r) AS kind, count(*) AS n ORDER BY kind"))


def bad_clients(port: int, seconds: int) -> str:
    stop = threading.Event()
    with ThreadPoolExecutor(2) as pool:
        others = [pool.submit(work, port, stop) for work in (slow, gone)]
        time.sleep(seconds)
        stop.set()
    answered, left = (other.result() for other in others)
    return f"{answered:,} answered byte by byte, {left:,} left; readiness {status(port, '/readyz')}"


def slow(port: int, stop: threading.Event) -> int:
    """Send requests byte by byte, 20 at once, and make sure that each is answered, or told to come back."""
    answered = 0
    while not stop.is_set():
        connections = [socket.create_connection(("127.0.0.1", port), timeout=60) for _ in range(20)]
        for byte in REQUEST:
            for connection in connections:
                connection.sendall(bytes([byte]))
            time.sleep(0.02)
        for connection in connections:
            assert connection.recv(12) in {b"HTTP/1.1 200", b"HTTP/1.1 503"}, "a slow client got no answer"
            connection.close()
            answered += 1
    return answered


def gone(port: int, stop: threading.Event) -> int:
    """Ask and leave, before the question is sent or before the answer comes."""
    chosen, left = random.Random(0), 0
    while not stop.wait(0.05):
        with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
            connection.sendall(REQUEST[: chosen.randint(1, len(REQUEST))])
        left += 1
    return left


def restart(port: int, settings: Settings, questions: Sequence[str], options: argparse.Namespace) -> str:
    """Kill the database under load and start it again; give the outcomes, and how long the service took to recover."""
    server = EmbeddedNeo4j(settings)
    with asking(port, questions, options.clients) as noted:
        time.sleep(5)
        os.kill(server.status().pid, signal.SIGKILL)
        time.sleep(options.down)
        live = [str(status(port, path)) for path in ("/healthz", "/readyz")]
        server.start()
        started = time.monotonic()
        while status(port, "/readyz") != 200:
            time.sleep(PAUSE)
        ready = time.monotonic() - started
        time.sleep(options.down)
    last = max((when - started for when, _, outcome in noted if outcome != "200"), default=0.0)
    return f"{outcomes(noted)}; meanwhile {', '.join(live)}; ready after {ready:.1f} s, last 503 after {last:.1f} s"


if __name__ == "__main__":
    main()
