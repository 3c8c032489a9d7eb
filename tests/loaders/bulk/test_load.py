"""Bulk loads: the graph of an ordinary load, or the graph as it was."""

import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from itertools import chain

import pytest
from click.testing import CliRunner

from medgraph.cli.main import main
from medgraph.errors import EmbeddedServerError, InputError, TooFewRecordsError, TooManyRejectsError
from medgraph.graph.database import Database
from medgraph.loaders import commands
from medgraph.loaders.base import Reject, Remark, Row, Source
from medgraph.loaders.bulk import load as bulk
from medgraph.loaders.bulk.sorting_process import SortingProcess
from medgraph.loaders.life import load
from medgraph.loaders.life.outcome import Tolerance
from medgraph.schema.records import Document, Entity, Question, Relation, Section, SourceInfo, Withdrawal
from tests.support.graphs import empty, run
from tests.support.loads import dump, some_file
from tests.support.paths import FILES as SMALL
from tests.support.servers import surroundings

ODD = "a \"quoted\", \\ 'odd'\ttext;\r\nof lines\n\x0b\x0c\x85\u2028 é \U0001d4b3 \ufeff "


@pytest.fixture
def other(second):
    """The second server's database, empty but for its schema."""
    _, server = second
    server.start()
    with Database(server.bolt_uri, "neo4j", server.password()) as database:
        empty(database)
        yield database


def task_of(folder, items, name="own", **options):
    rows = [
        item if isinstance(item, Reject | Remark | Row) else Row(item, "file", n) for n, item in enumerate(items, 1)
    ]
    info = SourceInfo(name, name.title(), "1", "CC0-1.0", "", minimum=options.pop("minimum", 1))
    path = folder / f"{name}.txt"
    path.write_text(repr(items), encoding="utf-8")
    last_wins = options.pop("last_wins", False)
    source = Source(info, lambda _: iter(rows), lambda _: len(rows), last_wins=last_wins)
    return load.Task(source, path, info, folder / "rejects", **options)


def parts_of(items, part):
    """What a part of a source says."""
    yield SourceInfo(part, part.title(), "2", "CC-BY-4.0", "https://example.org")
    for number, item in enumerate(items, 1):
        yield item if isinstance(item, Reject) else Row(item, part, number, part)


def of_every_kind():
    """Records with everything they may have, and everything that may go wrong."""
    whole = Entity(
        "X:1", "Disease", ODD, ("Wheeze", ODD, ""), ODD, ("C0004096", "C0000001", "C0004096"), ("T047", "T001"),
        ("n",), ("b",), ("r", "r2"), ("MESH:1",), ("X:0",), True, ("X:2",),
        properties=(("count", 3), ("kind", "a"), ("list_of", ("a", ODD)), ("share", 0.1), ("true_of", False)),
    )  # fmt: skip
    yield from (whole, whole, replace(whole, name="Other"), replace(whole, id='X:"2"', properties=()))
    yield Entity("\ufeffX:3", "Drug", "Salbutamol", concepts=("C0004096",))
    yield Entity("X:4", "Drug", "Odd one", ("",), properties=(("none_of", ()),))
    yield Entity("X:5", "Drug", "Share as number", properties=(("long_text", "x" * 1_100_000), ("share", 1)))
    yield Entity("X:7", synonyms=("Of no name",), concepts=("C0000002",), translations=("Namenlos@de",))
    yield Entity("X:6", "Gene", "Share as text", properties=(("count", -(2**63)), ("share", "")))
    yield Remark("file", 1, "look at this")
    yield Reject("file", 2, "broken")
    yield Relation("X:1", "IS_A", "X:9", "p:late")
    yield Entity("X:9", "Disease", "Comes late")
    stated = Relation(
        "X:1", "IS_A", 'X:"2"', "p:of", "inferred", ("PMID:1", "d#1"), 0.25, (("kind", ODD), ("year", 2020))
    )
    yield from (stated, stated, replace(stated, score=None), replace(stated, predicate=""))
    yield Relation("X:4", "IS_A", "X:1")
    yield Relation("X:1", "TREATS", "X:9", method="", score=1)
    yield Relation("X:1", "TREATS", "X:1", score=0.0, properties=(("year", "unknown"),))
    yield Relation("Y:1", "IS_A", "Y:2")
    sections = (Section("d#1", ODD, "causes", ODD, "Why?"), Section("d#2", "Text.", question="  "))
    page = Document(
        "d1", ODD, "https://example.org", "GARD", "2026-11", sections, (Question("d#3", ODD, "outlook"),),
        ("X:1", "X:4x", "X:9", "X:1"), ("Wheeze",), ("A", "B"), "Journal", "10.1/1", revision="2",
        properties=(("pages", 3),),
    )  # fmt: skip
    plain = Document("d2", "Plain", sections=(Section("d2#1", "Text."),), about=("X:4",))
    yield from (page, page, replace(page, title="Other"), plain)
    yield Document("d3", "Thief", sections=(Section("d#1", "Text."),))
    yield Document("d4", "Taken back", doi="10.1/2", retracted=True)
    yield Document("d5", "Long", sections=(Section("d5#1", "Text. " * 400_000),), about=("Z:1",))
    yield Document("d6", "Only a page", url="https://example.org", properties=(("none_of", ()),))
    yield Withdrawal("d2")
    yield Withdrawal("d7")
    yield Document("d7", "After its withdrawal", url="u")
    yield Document("d2", "Again", sections=(Section("d2#1", "Text."),))
    yield Entity("Z:1", "Topic", "After the documents")
    yield Row(Entity("Z:2", "Topic", "Of nobody"), "file", 1, "nobody")
    yield SourceInfo("part", "Part", "2", "CC-BY-4.0", "https://example.org")
    yield Row(replace(whole, name="As the part says"), "part", 1, "part")
    yield Row(Entity("Z:3", "Topic", "Of the part", concepts=("C1234567",)), "part", 2, "part")
    yield Row(Relation("Z:3", "IS_A", "Z:1"), "part", 3, "part")
    yield SourceInfo("part", "Part", "3", "CC-BY-4.0", "https://example.org")
    yield SourceInfo("own", "Own", "3", "CC-BY-4.0", "https://example.org")


def many(seed):
    """Files as `test_load` makes them, some said by parts, with ids of all parts mixed."""
    chance = random.Random(seed)
    for number in range(6):
        items = some_file(chance, f"{number % 4}-")
        yield from parts_of(items, f"part{number}") if number % 2 else items


KILLED = """
import os, signal, sys
from medgraph.cli.main import main
from medgraph.loaders.bulk import load as bulk

bulk.begin = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
main()
"""


def counts(report):
    return {**report.as_dict(), "rejects_file": None}


def rejects_of(report):
    return report.rejects_file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("items", "last_wins"),
    [
        (of_every_kind, False),
        pytest.param(lambda: chain.from_iterable(map(many, range(3))), True, marks=pytest.mark.thorough),
    ],
    ids=["everything", "many, the last wins"],
)
def test_a_bulk_load_leaves_the_graph_of_an_ordinary_one(database, other, second, tmp_path, items, last_wins):
    items = list(items())
    tasks = [
        task_of(tmp_path / name, items, last_wins=last_wins, tolerance=Tolerance.of("all"))
        for name in ("a", "b")
        if not (tmp_path / name).mkdir()
    ]
    usual = load.load(database, tasks[0])
    fast = bulk.load_in_bulk(second[0], other, tasks[1])
    assert counts(fast) == counts(usual)
    assert rejects_of(fast) == rejects_of(usual)
    assert dump(other) == dump(database)
    facts = "MATCH (l:Load) RETURN l {.*, started: null, finished: null} AS l"
    assert run(other, facts) == run(database, facts)
    states = "SHOW INDEXES YIELD name, state, type RETURN name, state, type ORDER BY name"
    assert run(other, states) == run(database, states)
    assert run(other, "MATCH (e:Encoder) RETURN e.name AS name, e.dimension AS n") == [
        {"name": "all-MiniLM-L6-v2", "n": 384}
    ]
    assert not (second[0].home / "bulk").exists()
    # What pointed to an entity further down in the file finds it now, in both.
    assert counts(load.load(other, tasks[1])) == counts(load.load(database, tasks[0]))
    assert dump(other) == dump(database)
    assert load.load(other, tasks[1]).known


@pytest.mark.thorough
def test_a_bulk_load_that_is_killed_leaves_the_graph_as_it_was(database, other, second, settings, tmp_path):
    own, server = second
    path = SMALL / "pubmed"  # whose second file changes and withdraws what is in the first
    begun = run(other, "SHOW INDEXES YIELD name RETURN name ORDER BY name")

    def killed(phase):
        command = KILLED if phase == "begin" else "from medgraph.cli.main import main; main()"
        loading = subprocess.Popen(
            [sys.executable, "-c", command, "load", "pubmed", path, "--bulk"],
            env=surroundings(own),
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
        )
        with loading:
            for line in loading.stderr:
                if line.startswith(phase):
                    time.sleep(1)
                    loading.kill()
        return loading.returncode

    for phase in ("neo4j-admin makes a database", "begin"):
        assert killed(phase) == -signal.SIGKILL
        assert server.status().running is (phase == "begin")
        CliRunner().invoke(main, ["neo4j", "start"], obj=own)
        with Database(server.bolt_uri, "neo4j", server.password()) as again:
            assert dump(again) == []
            assert run(again, "SHOW INDEXES YIELD name RETURN name ORDER BY name") == begun
    done = CliRunner().invoke(main, ["load", "pubmed", str(path), "--bulk"], obj=own)
    assert (done.exit_code, done.stdout.startswith("pubmed: ")) == (0, True), done.stderr
    commands.load_named(database, replace(settings, home=tmp_path / "home"), "pubmed", path)
    with Database(server.bolt_uri, "neo4j", server.password()) as again:
        assert dump(again) == dump(database)


@pytest.mark.thorough
def test_a_bulk_load_that_fails_leaves_the_graph_as_it_was(other, second, tmp_path, monkeypatch):
    own, server = second
    entities = [Entity(f"X:{n}", "Disease", "Asthma") for n in range(20)]
    broken = [Reject("file", n, "broken") for n in range(30)]
    with pytest.raises(TooManyRejectsError, match=r"30 of the 50 records .*own-1.tsv; the graph is as it was"):
        bulk.load_in_bulk(own, other, task_of(tmp_path, [*entities, *broken]))
    with pytest.raises(TooFewRecordsError, match=r"own gave 20 records; .*the graph is as it was"):
        bulk.load_in_bulk(own, other, task_of(tmp_path, entities, minimum=21))
    pid = server.status().pid
    assert dump(other) == []
    # What an importer would find, if two ids ever had one hash.
    monkeypatch.setattr(SortingProcess, "finish", also_without_a_file)
    with pytest.raises(EmbeddedServerError, match=r"neo4j-admin database import failed: .*no-file"):
        bulk.load_in_bulk(own, other, task_of(tmp_path, entities))
    assert server.status().ready
    assert server.status().pid != pid
    assert not (own.home / "bulk").exists()
    assert not (own.home / "neo4j" / "restore").exists()
    with Database(server.bolt_uri, "neo4j", server.password()) as again:
        assert dump(again) == []


def also_without_a_file(self, finish=SortingProcess.finish):
    arguments, done = finish(self)
    return [*arguments, "--nodes=Entity=no-file"], done


def test_where_a_bulk_load_is_refused(database, settings, tmp_path):
    task = task_of(tmp_path, [Entity("X:1", "Disease", "Asthma")])
    with pytest.raises(InputError, match="embedded server only; unset NEO4J_URI"):
        bulk.load_in_bulk(replace(settings, neo4j_uri="bolt://127.0.0.1"), database, task)
    with pytest.raises(InputError, match="for the ',' in its name; set MEDGRAPH_HOME"):
        bulk.load_in_bulk(replace(settings, home=tmp_path / "a,b"), database, task)
    load.load(database, task)
    assert bulk.load_in_bulk(settings, database, task).known
    with pytest.raises(
        InputError, match=r"holds nothing, and this one has a (Source|Load|Entity); load without --bulk"
    ):
        bulk.load_in_bulk(settings, database, task_of(tmp_path, [Entity("X:1", "Disease", "Asthma")], "more"))
    for arguments in (["load", "all", str(tmp_path), "--bulk"], ["load", "sample", "--bulk", "--dry-run"]):
        refused = CliRunner().invoke(main, arguments, obj=settings)
        assert (refused.exit_code, refused.stderr) == (1, "Error: --bulk goes with neither --dry-run nor `all`\n")
