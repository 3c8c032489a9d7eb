"""Loads that end at any moment: the command is killed, the server is killed, the disk is full."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys

import pytest

from tests.support import servers
from tests.support.graphs import run
from tests.support.loads import clear, dump

TERMS = 600

BRIEFLY = {"load": ("client",), "replace": ("server",)}
THOROUGHLY = dict.fromkeys(BRIEFLY, ("client", "server", "client"))
"""What is killed of a command, each time that it is given, before it may end: its client, or the server."""

DYING = """
import os, signal, sys, threading
import medgraph.graph.database as graph
from medgraph.cli.main import main
from medgraph.loaders.life import undo
from medgraph.loaders.life.kind import Kind, StoredKind

victim, good, moment, steps = int(sys.argv[1]) or os.getpid(), int(sys.argv[2]), sys.argv[3], 0
Kind.batch_rows = StoredKind.page_rows = undo.PAGE = 100
graph.RETRY_TIME = 1

def kill():
    global victim
    if victim:
        last, victim = victim, None
        os.kill(last, signal.SIGKILL)

def step(call, during):
    global steps
    steps += 1
    if steps <= good or moment == "after":
        result = call()
    elif moment == "during":
        result = during()
    if steps > good:
        kill()
    return result

def transaction(self, work, transaction=graph.Database.transaction):
    def uncommitted(run):
        result = work(run)
        kill()
        return result

    return step(lambda: transaction(self, work), lambda: transaction(self, uncommitted))

def alone(self, query, run=graph.Database.run, **parameters):
    def meanwhile():
        threading.Timer(0.01, kill).start()
        return run(self, query, **parameters)

    return step(lambda: run(self, query, **parameters), meanwhile)

graph.Database.transaction, graph.Database.run = transaction, alone
try:
    main(sys.argv[4:])
finally:
    print(f"{steps} steps", file=sys.stderr)
"""
"""A command in small batches, of which itself or the server is killed: after some steps (transactions and statements
that make their own), while one is under way or when it is done."""


def ontology(folder, release):
    """An ontology of which each release has terms of its own, other definitions, and lacks some of the terms."""
    folder.mkdir(exist_ok=True)
    path = folder / "made.obo"
    lines = ["format-version: 1.2", f"data-version: {release}", "ontology: made", ""]
    for n in range(TERMS):
        if n % 10 == release:
            continue
        lines += ["[Term]", f"id: DOID:{n:07}", f"name: made-up disease {n}"]
        if n % 3 == 0:
            lines.append(f'def: "What it is in release {release}." []')
        if n:
            lines.append(f"is_a: DOID:{n // 20 * 10:07}")
        lines.append("")
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def content(server):
    with servers.connect(server) as database:
        return dump(database)


class Commands:
    """Commands on a server, as they are or killed on the way."""

    def __init__(self, own, server):
        self.own, self.server = own, server

    def dying(self, victim, good, moment, *arguments):
        """Run a command that kills a process, and give its status and what it said."""
        words = [sys.executable, "-c", DYING, victim, good, moment, *arguments]
        done = subprocess.run(
            [*map(str, words)],
            env=servers.surroundings(self.own),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert "Traceback" not in done.stderr, done.stderr
        return done

    def whole(self, *arguments):
        """Run a command to its end, and give the number of its steps."""
        done = self.dying(0, 1_000_000, "after", *arguments)
        assert done.returncode == 0, done.stderr
        return int(done.stderr.split()[-2])

    def killed(self, good, moment, *arguments):
        assert self.dying(0, good, moment, *arguments).returncode == -signal.SIGKILL

    def without_server(self, good, moment, *arguments):
        done = self.dying(self.server.status().pid, good, moment, *arguments)
        assert done.returncode == 1
        assert f"Error: no answer from the database at {self.server.bolt_uri}" in done.stderr
        self.server.start()

    def unless_done(self, *arguments, gone):
        """Run a command to its end, unless it was killed after its last step."""
        done = self.dying(0, 1_000_000, "after", *arguments)
        assert done.returncode == 0 or gone in done.stderr, done.stderr


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("seed", "victims"),
    [(0, BRIEFLY), *((seed, THOROUGHLY) for seed in range(10))],
    ids=["briefly", *map(str, range(10))],
)
def test_whatever_is_killed_the_graph_is_as_if_nothing_had_been(second_server, tmp_path, seed, victims):
    chance = random.Random(seed)
    commands = Commands(*second_server)
    server = commands.server
    first, second = ontology(tmp_path / "first", 1), ontology(tmp_path / "second", 2)
    load = ("load", "obo", "--as", "made", "--licence", "CC0-1.0")
    steps = {"load": commands.whole(*load, first)}
    before = content(server)
    steps["replace"] = commands.whole(*load, "--replace", second)
    after = content(server)
    assert after != before
    if victims is THOROUGHLY:
        steps["undo"] = commands.whole("undo", "made")
        assert content(server) == before
        steps["unload"] = commands.whole("unload", "made")
        assert content(server) == []
    else:
        with servers.connect(server) as database:
            clear(database)

    def point(step):
        # At most three commands share the steps, as each goes on where the one before was killed.
        return chance.randrange(steps[step] // 3), chance.choice(["during", "after"])

    for step, arguments, left in (
        ("load", (*load, first), before),
        ("replace", (*load, "--replace", second), after),
    ):
        for victim in victims[step]:
            interrupt = commands.killed if victim == "client" else commands.without_server
            interrupt(*point(step), *arguments)
        commands.whole(*arguments)
        assert content(server) == left
    if victims is BRIEFLY:
        return
    # Taken back as a whole or not at all: a second undo would take back the load before.
    commands.killed(*point("undo"), "undo", "made")
    with servers.connect(server) as database:
        left = run(database, "MATCH (l:Load {replace: true}) WHERE l.status <> 'undone' RETURN l.id AS id")
    if left:
        commands.whole("undo", "made")
    assert content(server) == before
    for _ in victims["load"]:
        commands.killed(*point("unload"), "unload", "made")
    # What was killed after its last transaction has taken the source out all the same.
    commands.unless_done("unload", "made", gone="the graph holds no source 'made'")
    assert content(server) == []


@pytest.fixture
def small_disk(tmp_path):
    folder = tmp_path / "small"
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=600m", "tmpfs", folder], check=False, capture_output=True, text=True
    )
    if made.returncode:
        pytest.skip(f"only root may make a small disk: {made.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


@pytest.mark.server
@pytest.mark.thorough
def test_a_disk_that_fills_up_is_one_clear_error_and_the_load_goes_on_when_there_is_room(
    settings, small_disk, tmp_path
):
    corpus = tmp_path / "corpus.jsonl"
    size, text = 500, f"It is due to {'something' * 20}. " * 500
    with corpus.open("w", encoding="utf-8") as file:
        for n in range(size):
            section = {"type": "causes", "question": f"What causes {n}?", "text": f"{text}{n}"}
            file.write(json.dumps({"id": f"d{n}", "title": f"Disease {n}", "sections": [section]}) + "\n")
    own = servers.at(settings, small_disk / "home", page_cache="64m")
    with servers.started(own) as server:
        ballast = small_disk / "ballast"
        room = shutil.disk_usage(small_disk).free - (50 << 20)
        with ballast.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, room)
        full = servers.command(own, "load", "documents", corpus)
        assert full.communicate()[1].endswith(
            f"Error: the database at {server.bolt_uri} takes no more changes: its disk may be full. Make room, restart "
            "the server (the embedded one: medgraph neo4j stop), and run the command again; what was stored stays\n"
        )
        assert full.returncode == 1
        ballast.unlink()
        server.stop()
        done = servers.command(own, "load", "documents", corpus).communicate()
        assert f"{size} records added, 0 changed, 0 unchanged, 0 rejected (taken up at record " in done[0], done
        with servers.connect(server) as database:
            stored = run(
                database,
                "MATCH (d:Document)-[:HAS_SECTION]->(s:Section) RETURN count(DISTINCT d) AS documents, "
                "count(DISTINCT s.text) AS texts, min(size(s.text)) AS least",
            )
        assert stored == [{"documents": size, "texts": size, "least": len(text) + 1}]
