"""Loads that end at any moment: the command is killed, the server is killed, the disk is full."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import replace

import pytest

from medgraph.graph.database import Database
from medgraph.schema import migrate
from medgraph.server.embedded import EmbeddedNeo4j
from tests.support.graphs import run
from tests.support.loads import dump
from tests.support.servers import free_port

TERMS = 6000


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


def surroundings(own):
    return {
        **os.environ,
        "MEDGRAPH_HOME": str(own.home),
        "MEDGRAPH_CACHE": str(own.cache),
        "MEDGRAPH_BOLT_PORT": str(own.bolt_port),
        "MEDGRAPH_HTTP_PORT": str(own.http_port),
        "MEDGRAPH_NEO4J_HEAP": own.heap,
        "MEDGRAPH_NEO4J_PAGECACHE": own.page_cache,
    }


def command(own, *arguments):
    return subprocess.Popen(
        [sys.executable, "-m", "medgraph", *map(str, arguments)],
        env=surroundings(own),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@contextmanager
def server_at(settings, home):
    own = replace(settings, home=home, bolt_port=free_port(), http_port=free_port())
    server = EmbeddedNeo4j(own)
    server.start()
    with Database(server.bolt_uri, "neo4j", server.password()) as database:
        migrate.apply(database, "all-MiniLM-L6-v2", 384, lambda line: None)
    yield own, server
    server.stop()


def content(server):
    with Database(server.bolt_uri, "neo4j", server.password()) as database:
        return dump(database)


def kill_until_done(own, server, chance, *arguments, kills=5):
    """Run a command again and again, and kill it or the server on the way; gives how often that was in time."""
    done = 0
    for _ in range(kills):
        running, output = command(own, *arguments), None
        time.sleep(chance.uniform(0.3, 4))
        if running.poll() is None:
            done += 1
            if chance.random() < 0.3:
                os.kill(server.status().pid, signal.SIGKILL)
                output = running.communicate(timeout=60)
                server.start()
            else:
                running.kill()
        output = output or running.communicate()
        if running.returncode == 0:
            return done
        assert "Traceback" not in output[1], output
    last = command(own, *arguments)
    output = last.communicate(timeout=120)
    # What was killed after its last transaction has taken the source out all the same.
    gone = output[1].startswith("Error: the graph holds no source 'made'")
    assert last.returncode == 0 or (gone and arguments[0] == "unload"), output
    return done


def test_whatever_is_killed_the_graph_is_as_if_nothing_had_been(settings, tmp_path):
    chance = random.Random(1)
    first, second = ontology(tmp_path / "first", 1), ontology(tmp_path / "second", 2)
    load = ("load", "obo", "--as", "made", "--licence", "CC0-1.0")
    with server_at(settings, tmp_path / "home") as (own, server):
        done = [command(own, *load, first).communicate()]
        before = content(server)
        done.append(command(own, *load, "--replace", second).communicate())
        after = content(server)
        done.append(command(own, "unload", "made").communicate())
        assert content(server) == [], done
        assert before != after

        kills = kill_until_done(own, server, chance, *load, first)
        assert content(server) == before
        kills += kill_until_done(own, server, chance, *load, "--replace", second)
        assert content(server) == after
        # Taken back as a whole or not at all: a second undo would take back the load before.
        while_undone = command(own, "undo", "made")
        time.sleep(chance.uniform(0.3, 2))
        while_undone.kill()
        while_undone.communicate()
        with Database(server.bolt_uri, "neo4j", server.password()) as database:
            left = run(database, "MATCH (l:Load {replace: true}) WHERE l.status <> 'undone' RETURN l.id AS id")
        if left:
            assert command(own, "undo", "made").communicate()[0].startswith("made: the load of made.obo is taken back")
        assert content(server) == before
        kills += kill_until_done(own, server, chance, "unload", "made")
        assert content(server) == []
        assert kills > 3


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


def test_a_disk_that_fills_up_is_one_clear_error_and_the_load_goes_on_when_there_is_room(
    settings, small_disk, tmp_path
):
    corpus = tmp_path / "corpus.jsonl"
    size, text = 1600, "It is due to something. " * 4000
    with corpus.open("w", encoding="utf-8") as file:
        for n in range(size):
            section = {"type": "causes", "question": f"What causes {n}?", "text": f"{text}{n}"}
            file.write(json.dumps({"id": f"d{n}", "title": f"Disease {n}", "sections": [section]}) + "\n")
    with server_at(settings, small_disk / "home") as (own, server):
        ballast = small_disk / "ballast"
        room = shutil.disk_usage(small_disk).free - (50 << 20)
        with ballast.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, room)
        full = command(own, "load", "documents", corpus)
        assert full.communicate()[1].endswith(
            f"Error: the database at {server.bolt_uri} takes no more changes: its disk may be full. Make room, restart "
            "the server (the embedded one: medgraph neo4j stop), and run the command again; what was stored stays\n"
        )
        assert full.returncode == 1
        ballast.unlink()
        server.stop()
        done = command(own, "load", "documents", corpus).communicate()
        assert "1,600 records added, 0 changed, 0 unchanged, 0 rejected (taken up at record " in done[0], done
        with Database(server.bolt_uri, "neo4j", server.password()) as database:
            stored = run(
                database,
                "MATCH (d:Document)-[:HAS_SECTION]->(s:Section) RETURN count(DISTINCT d) AS documents, "
                "count(DISTINCT s.text) AS texts, min(size(s.text)) AS least",
            )
        assert stored == [{"documents": size, "texts": size, "least": len(text) + 1}]
