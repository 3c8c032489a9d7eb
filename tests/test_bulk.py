"""Bulk loads: the graph of an ordinary load, or the graph as it was."""

import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from itertools import chain

import numpy as np
import pytest
from click.testing import CliRunner

from medgraph.cli import main
from medgraph.database import Database
from medgraph.embedded import EmbeddedNeo4j
from medgraph.errors import EmbeddedServerError, InputError, TooFewRecordsError, TooManyRejectsError
from medgraph.loaders import bulk, load, membership, named, sheets, sorting
from medgraph.loaders.base import Reject, Remark, Row, Source
from medgraph.schema import migrate
from medgraph.schema.records import Document, Entity, Question, Relation, Section, SourceInfo, Withdrawal
from tests.conftest import ROOT, empty, free_port, run
from tests.test_load import SMALL, dump, some_file

ODD = "a \"quoted\", \\ 'odd'\ttext;\r\nof lines\n\x0b\x0c\x85\u2028 é 𝒳 \ufeff "


@pytest.fixture(scope="module")
def second(settings, tmp_path_factory):
    """Settings and server of a second home, for loads that stop the server."""
    own = replace(settings, home=tmp_path_factory.mktemp("second"), bolt_port=free_port(), http_port=free_port())
    server = EmbeddedNeo4j(own)
    server.start()
    with Database(server.bolt_uri, "neo4j", server.password()) as other:
        migrate.apply(other, "all-MiniLM-L6-v2", 384, lambda line: None)
    yield own, server
    server.stop()


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
        (("count", 3), ("kind", "a"), ("list_of", ("a", ODD)), ("share", 0.1), ("true_of", False)),
    )  # fmt: skip
    yield from (whole, whole, replace(whole, name="Other"), replace(whole, id='X:"2"', properties=()))
    yield Entity("\ufeffX:3", "Drug", "Salbutamol", concepts=("C0004096",))
    yield Entity("X:4", "Drug", "Odd one", ("",), properties=(("none_of", ()),))
    yield Entity("X:5", "Drug", "Share as number", properties=(("long_text", "x" * 1_100_000), ("share", 1)))
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


def counts(report):
    return {**report.as_dict(), "rejects_file": None}


def rejects_of(report):
    return report.rejects_file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("items", "last_wins"),
    [
        (lambda: of_every_kind(), False),
        (lambda: chain.from_iterable(many(seed) for seed in range(3)), True),
    ],
    ids=["everything", "many, the last wins"],
)
def test_a_bulk_load_leaves_the_graph_of_an_ordinary_one(
    database, other, second, tmp_path, monkeypatch, items, last_wins
):
    monkeypatch.setattr(load, "MAX_REJECTS", 1_000_000)
    items = list(items())
    tasks = [
        task_of(tmp_path / name, items, last_wins=last_wins) for name in ("a", "b") if not (tmp_path / name).mkdir()
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
    assert load.load(other, tasks[1]).known
