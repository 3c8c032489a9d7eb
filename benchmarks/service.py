"""The service under load: one client, many clients, and, with --faults, all that can go wrong in one run.

    python benchmarks/service.py [--sample 600] [--once 200] [--clients 8] [--minutes 3] [--faults]

Needs a graph with MedQuAD loaded and indexed on the embedded server of the usual settings (`medgraph load medquad FILE`
and `medgraph index`). `medgraph serve` runs as a process of its own. The floor is the same questions answered in this
process, without HTTP. `--faults` kills that embedded server with SIGKILL and starts it again: give
it one of its own.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
from report import command, quantile, statement, table

from medgraph.answers.assembly import Assembly
from medgraph.embeddings.encoders.encoder import load_encoder
from medgraph.evaluation.sets.medquad import dev_questions
from medgraph.graph.connect import connect
from medgraph.linking.names import GraphNames
from medgraph.server.embedded import EmbeddedNeo4j
from medgraph.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from medgraph.graph.database import Database

RANDOM_REQUESTS = 10_000
DOWN = 8.0
PAUSE = 0.1
WARM_UP = 20


class Clients:
    """Clients that ask one question after another, each on a connection of its own, and note what came of it."""

    def __init__(self, port: int, questions: Sequence[str], number: int) -> None:
        self.spent: list[float] = []
        self.statuses: Counter[str] = Counter()
        self.by_time: list[tuple[float, str]] = []
        self._port = port
        self._questions = questions
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._ask, args=(n,)) for n in range(number)]

    def __enter__(self) -> Clients:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _ask(self, number: int) -> None:
        chosen = random.Random(number)
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=120)
        while not self._stop.is_set():
            started = time.perf_counter()
            try:
                outcome = str(post(connection, chosen.choice(self._questions)))
            except (OSError, http.client.HTTPException) as error:
                outcome = type(error).__name__
                connection.close()
            self.spent.append((time.perf_counter() - started) * 1000)
            self.statuses[outcome] += 1
            self.by_time.append((time.monotonic(), outcome))
            if outcome != "200":
                time.sleep(PAUSE)
        connection.close()


def post(connection: http.client.HTTPConnection, question: str) -> int:
    """Ask, read the answer, and give its status."""
    connection.request("POST", "/v1/answers", json.dumps({"question": question}), {"Content-Type": "application/json"})
    response = connection.getresponse()
    body = response.read()
    kind = response.headers["Content-Type"]
    if kind != ("application/json" if response.status == 200 else "application/problem+json"):
        raise http.client.HTTPException(f"{response.status} as {kind}")
    json.loads(body)
    return response.status


@contextmanager
def served(
    medgraph: Sequence[str] = (), environment: dict[str, str] | None = None, folder: Path | None = None
) -> Iterator[tuple[int, psutil.Process]]:
    """Run the service, by the command of this Python or another one, and give its port and its process."""
    with tempfile.TemporaryFile("w+") as log:
        words = [*(medgraph or command()), "serve", "--port", "0"]
        process = subprocess.Popen(words, env=environment, cwd=folder, stderr=log, start_new_session=True)
        try:
            while "serving at " not in (told := _read(log)):
                if process.poll() is not None:
                    sys.exit(f"the service ended: {told}")
                time.sleep(PAUSE)
            port = int(told.partition("serving at ")[2].split()[0].rpartition(":")[2])
            while status(port, "/readyz") != 200:
                time.sleep(PAUSE)
            yield port, psutil.Process(process.pid)
        finally:
            process.terminate()
            process.wait(60)


def _read(log: object) -> str:
    log.seek(0)
    return log.read()


def status(port: int, path: str) -> int | str:
    """Give the status of a path, or the error there."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        return type(error).__name__
    finally:
        connection.close()


def one_client(port: int, settings: Settings, questions: Sequence[str]) -> float:
    """Compare one client with answers in this process, question by question; give the client's p50."""
    spent: dict[str, list[float]] = {"floor": [], "client": []}
    with connect(settings) as database:
        encoder = load_encoder(settings)
        answerer = Assembly(database, lambda: encoder, GraphNames(settings, database)).answerer
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        for number, question in enumerate(questions):
            started = time.perf_counter()
            answerer.ask(question)
            answered = time.perf_counter()
            if post(connection, question) != 200:
                sys.exit(f"no answer to {question!r}")
            if number >= WARM_UP:
                spent["floor"].append((answered - started) * 1000)
                spent["client"].append((time.perf_counter() - answered) * 1000)
        connection.close()
    floor = quantile(spent["floor"], 0.5)
    rows = []
    for name, label in (("floor", "in this process (floor)"), ("client", "**one client of the service**")):
        p50, p95 = quantile(spent[name], 0.5), quantile(spent[name], 0.95)
        rows.append([label, f"{p50:.1f}", f"{p95:.1f}", f"{p50 / floor:.2f}"])
    table(f"{len(questions) - WARM_UP} questions, once each.", ["what", "p50 ms", "p95 ms", "p50 / floor"], rows)
    return quantile(spent["client"], 0.5)


def many_clients(port: int, process: psutil.Process, questions: Sequence[str], options: argparse.Namespace) -> None:
    """Let clients ask for minutes on end; print times, outcomes and memory."""
    different = list(dict.fromkeys(questions[::2]))[: options.once + WARM_UP]
    p50 = one_client(port, Settings.from_environment(), different)
    rows, memory = [], [process.memory_info().rss]
    for minute in range(1, options.minutes + 1):
        with Clients(port, questions, options.clients) as clients:
            time.sleep(60)
        memory.append(process.memory_info().rss)
        outcomes = ", ".join(f"{count:,} x {what}" for what, count in clients.statuses.most_common())
        p95 = quantile(clients.spent, 0.95)
        rows.append(
            [
                minute,
                outcomes,
                f"{quantile(clients.spent, 0.5):.0f}",
                f"{p95:.0f}",
                f"{p95 / p50:.1f}",
                f"{memory[-1] / 1e6:.0f}",
                f"{(memory[-1] / memory[-2] - 1) * 100:+.1f} %",
            ]
        )
    columns = ["minute", "outcomes", "p50 ms", "p95 ms", "p95 / one client's p50", "resident MB", "change"]
    table(f"{options.clients} clients at once.", columns, rows)


def faults(port: int, process: psutil.Process, questions: Sequence[str], clients: int) -> None:
    """Let everything go wrong, and print what the service made of it."""
    settings = Settings.from_environment()
    before = _contents(settings)
    rows = [["10,000 random requests, beside slow clients and such as leave", *_random_requests(port)]]
    rows.append(
        [f"database killed and restarted under {clients} clients", *_restart(port, settings, questions, clients)]
    )
    lost = "nothing" if _contents(settings) == before else "SOMETHING"
    rows.append(
        ["afterwards", f"readiness {status(port, '/readyz')}, {lost} lost", f"{process.memory_info().rss / 1e6:.0f} MB"]
    )
    table("Faults in one run.", ["fault", "outcome", ""], rows)


def _contents(settings: Settings) -> object:
    with connect(settings) as database:
        nodes = database.read(statement("MATCH (n) RETURN labels(n) AS labels, count(*) AS n ORDER BY labels"))
        return nodes, database.read(statement("MATCH ()-[r]->() RETURN type(r) AS type, count(*) AS n ORDER BY type"))


def _random_requests(port: int) -> tuple[str, str]:
    """Run schemathesis until it has sent enough, with slow clients and such as leave at the same time."""
    stop = threading.Event()
    tool = Path(sys.executable).with_name("schemathesis")
    cases, seed, failed = 0, 1, 0
    with ThreadPoolExecutor(2) as pool, tempfile.TemporaryDirectory() as folder:
        others = [pool.submit(_slow, port, stop), pool.submit(_gone, port, stop)]
        while cases < RANDOM_REQUESTS:
            arguments = ["run", f"http://127.0.0.1:{port}/openapi.json", "--max-examples", "400", "--seed", str(seed)]
            done = subprocess.run(
                [tool, *arguments, "--no-color"], cwd=folder, capture_output=True, text=True, check=False
            )
            said = [line.split() for line in done.stdout.splitlines() if " generated" in line]
            cases += int(said[-1][0].replace(",", ""))
            seed += 1
            if done.returncode:
                failed += 1
                lines = [f"{line[:300]}\n" for line in done.stdout.splitlines()]
                print("".join(lines[-150:]), file=sys.stderr)
        stop.set()
        slow, gone = (future.result() for future in others)
    outcome = "no finding" if not failed else f"FINDINGS in {failed} runs"
    return f"{cases:,} by schemathesis: {outcome}", f"{slow:,} slow, {gone:,} left"


def _slow(port: int, stop: threading.Event) -> int:
    """Send requests byte by byte, 20 at once, and make sure that each gets its answer."""
    body = b'{"question": "What is gout?"}'
    head = b"POST /v1/answers HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nConnection: close\r\n"
    sent = head + b"Content-Length: %d\r\n\r\n" % len(body) + body
    answered = 0
    while not stop.is_set():
        connections = [socket.create_connection(("127.0.0.1", port), timeout=60) for _ in range(20)]
        for byte in sent:
            for connection in connections:
                connection.sendall(bytes([byte]))
            time.sleep(0.02)
        for connection in connections:
            if not connection.recv(12).startswith(b"HTTP/1.1 200"):
                sys.exit("a slow client got no answer")
            connection.close()
            answered += 1
    return answered


def _gone(port: int, stop: threading.Event) -> int:
    """Ask and leave, before the question is sent or before the answer comes."""
    chosen, left = random.Random(0), 0
    body = b'{"question": "What are the symptoms of asthma?"}'
    sent = (
        b"POST /v1/answers HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
    )
    sent = sent % len(body) + body
    while not stop.is_set():
        connection = socket.create_connection(("127.0.0.1", port), timeout=60)
        connection.sendall(sent[: chosen.randint(1, len(sent))])
        connection.close()
        left += 1
        time.sleep(0.05)
    return left


def _restart(port: int, settings: Settings, questions: Sequence[str], number: int) -> tuple[str, str]:
    """Kill the database under load and start it again; give the outcomes, and how long the service took to recover."""
    server = EmbeddedNeo4j(settings)
    with Clients(port, questions, number) as clients:
        time.sleep(5)
        os.kill(server.status().pid, signal.SIGKILL)
        time.sleep(DOWN)
        live = {status(port, "/healthz"), status(port, "/readyz")}
        server.start()
        started = time.monotonic()
        while status(port, "/readyz") != 200:
            time.sleep(PAUSE)
        ready = time.monotonic() - started
        time.sleep(10)
    wrong = [when - started for when, outcome in clients.by_time if outcome != "200"]
    last = max((when for when in wrong if when > 0), default=0.0)
    outcomes = ", ".join(f"{count:,} x {what}" for what, count in clients.statuses.most_common())
    return f"{outcomes}; meanwhile {sorted(live, key=str)}", f"ready after {ready:.1f} s, last 503 after {last:.1f} s"


def asked(database: Database, sample: int) -> list[str]:
    """Take questions by turns as a source asks them and in everyday words; every second one is another question."""
    both = [dev_questions(database, style, sample) for style in ("source", "everyday")]
    return [pair[(place + turn) % 2].text for place, pair in enumerate(zip(*both, strict=True)) for turn in (0, 1)]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=600, help="questions of each style")
    parser.add_argument("--once", type=int, default=200, help="questions that one client asks once each")
    parser.add_argument("--clients", type=int, default=8, help="clients at once")
    parser.add_argument("--minutes", type=int, default=3, help="minutes that they ask")
    parser.add_argument("--faults", action="store_true", help="let things go wrong instead")
    options = parser.parse_args()
    settings = Settings.from_environment()
    if settings.neo4j_uri:
        sys.exit("unset NEO4J_URI: this measures on the embedded server")
    with connect(settings) as database:
        questions = asked(database, options.sample)
    with suppress(KeyboardInterrupt), served() as (port, process):
        post(http.client.HTTPConnection("127.0.0.1", port, timeout=60), questions[0])
        if options.faults:
            faults(port, process, questions, options.clients)
        else:
            many_clients(port, process, questions, options)


if __name__ == "__main__":
    main()
