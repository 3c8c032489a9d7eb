"""Loading and unloading against a real graph: the same graph whatever happened on the way."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
import zipfile
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from medgraph.database import Database
from medgraph.errors import (
    DatabaseUnavailableError,
    InputError,
    SchemaMissingError,
    SourceFileError,
    TooFewRecordsError,
    TooManyRejectsError,
    UnknownSourceError,
)
from medgraph.loaders import documents, load, medquad, writer
from medgraph.loaders.base import Reject, Row, Source
from medgraph.schema.records import Document, Entity, Question, Relation, Section, SourceInfo
from tests.conftest import run

SMALL = Path(__file__).parent / "data"
KEY = "coalesce(n.id, n.cui)"
ORPHANS = """
MATCH (n) WHERE (n:Document AND NOT EXISTS { (n)-[:FROM]->(:Source) })
   OR (n:Section AND NOT EXISTS { (n)<-[:HAS_SECTION]-(:Document) })
   OR (n:Chunk AND NOT EXISTS { (n)<-[:HAS_CHUNK]-(:Section) })
   OR (n:Question AND COUNT { (n)-[:ANSWERED_BY|ANSWERED_AT]->() } <> 1)
   OR (n:Entity AND NOT EXISTS { (n)-[:FROM]->(:Source) })
   OR (n:Concept AND NOT EXISTS { (n)<-[:HAS_CUI]-(:Entity) })
   OR (n:Document AND COUNT { (n)-[:FROM]->() } <> 1)
   OR (n:Section AND COUNT { (n)<-[:HAS_SECTION]-() } <> 1)
RETURN labels(n) AS labels, coalesce(n.id, n.cui) AS key
"""


def dump(database):
    """Everything in the graph but the records of loads; makes sure that nothing is left hanging on the way."""
    assert run(database, ORPHANS) == []
    nodes = run(
        database,
        f"MATCH (n) WHERE NOT n:Load AND NOT n:Migration AND NOT n:Encoder "
        f"RETURN labels(n) AS labels, {KEY} AS key, properties(n) AS properties",
    )
    relations = run(
        database,
        "MATCH (a)-[r]->(b) WHERE NOT a:Load RETURN labels(a)[0] AS label, coalesce(a.id, a.cui) AS a, type(r) AS type, "
        "properties(r) AS properties, coalesce(b.id, b.cui) AS b",
    )
    for relation in relations:
        relation["properties"].pop("load", None)
    for node in nodes:
        node["labels"].sort()
    return sorted(json.dumps(row, sort_keys=True) for row in [*nodes, *relations])


def count(database, label):
    return run(database, f"MATCH (n:{label}) RETURN count(n) AS n")[0]["n"]


def forget_loads(database):
    """Make loads read their file again, though it is the one they loaded."""
    run(database, "MATCH (l:Load) SET l.sha256 = 'another'")


def counts(report):
    return (report.added, report.changed, report.unchanged, report.rejected)


class Loading:
    """Loads records of the test's own, as a source would yield them."""

    def __init__(self, folder, database):
        self.folder = folder
        self.database = database

    def source(self, items, name="own", minimum=1):
        rows = [Row(item, "file", n) if not isinstance(item, Reject) else item for n, item in enumerate(items, 1)]
        info = SourceInfo(name, name.title(), "1", "CC0-1.0", "", minimum=minimum)
        path = self.folder / f"{name}.txt"
        path.write_text(repr(items), encoding="utf-8")
        return Source(info, lambda _: iter(rows), lambda _: len(rows)), path

    def __call__(self, items, name="own", minimum=1, database=None, **options):
        source, path = self.source(items, name, minimum)
        return load.load(database or self.database, source, path, self.folder / "rejects", **options)


@pytest.fixture
def loading(tmp_path, database):
    return Loading(tmp_path, database)


@pytest.fixture
def own_settings(settings, tmp_path):
    """Settings whose rejects go to a folder of the test's own."""
    return replace(settings, home=tmp_path / "home")


def document(number, text="Asthma is common.", **changes):
    return Document(
        **{"id": f"d{number}", "title": "Asthma", "sections": (Section(f"d{number}#1", text, "causes"),)} | changes
    )


# Twice


NAMED = {
    "sample": (None, 190),
    "documents": (SMALL / "documents" / "corpus.jsonl", 3),
    "medquad": (SMALL / "medquad", 12),
}


@pytest.mark.parametrize("name", NAMED)
def test_a_second_load_changes_nothing(database, own_settings, name):
    path, least = NAMED[name]
    first = load.load_named(database, own_settings, name, path)
    assert first.added >= least
    assert counts(first) == (first.added, 0, 0, 0)
    assert first.rejects_file is None
    before = dump(database)
    started = time.monotonic()
    again = load.load_named(database, own_settings, name, path)
    assert time.monotonic() - started < 2
    assert again.known
    assert again.summary() == f"{name}: this file is loaded already; nothing changed ({first.added:,} records)"
    assert dump(database) == before
    assert count(database, "Load") == 1
    forget_loads(database)
    third = load.load_named(database, own_settings, name, path)
    assert counts(third) == (0, 0, first.added, 0)
    assert dump(database) == before


def test_an_archive_and_its_folder_are_the_same_to_a_graph(database, own_settings, tmp_path):
    path = tmp_path / "medquad.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted((SMALL / "medquad").rglob("*"), reverse=True):
            archive.write(file, file.relative_to(SMALL / "medquad"))
    first = load.load_named(database, own_settings, "medquad", path)
    before = dump(database)
    second = load.load_named(database, own_settings, "medquad", SMALL / "medquad")
    assert counts(second) == (0, 0, first.added, 0)
    assert dump(database) == before


def test_what_a_load_of_medquad_leaves(database, own_settings):
    load.load_named(database, own_settings, "medquad", SMALL / "medquad")
    labels = ["Document", "Section", "Question", "Entity", "Concept", "Source"]
    assert [count(database, label) for label in labels] == [7, 8, 12, 5, 4, 1]
    asked = run(
        database,
        "MATCH (d:Document {id: 'medquad:GARD_0000001'})<-[:ANSWERED_AT]-(q) RETURN q.id AS id, q.text AS text, q.type AS type",
    )
    assert asked == [{"id": "medquad:GARD_0000001#4", "text": "Is Alkaptonuria inherited ?", "type": "inheritance"}]
    answered = run(
        database,
        "MATCH (d:Document)-[:HAS_SECTION]->(s {id: 'medquad:GARD_0000001#3'})<-[:ANSWERED_BY]-(q:Question) "
        "MATCH (d)-[:ABOUT]->(e:Entity&Disease)-[:HAS_CUI]->(c:Concept) "
        "RETURN q.id AS id, s.position AS position, d.collection AS collection, e.name AS entity, c.cui AS cui, "
        "c.name AS concept, c.semantic_types AS types ORDER BY cui",
    )
    common = {"id": "medquad:GARD_0000001#3", "position": 2, "collection": "GARD", "entity": "ALKAPTONURIA"}
    shared = {"concept": "ALKAPTONURIA", "types": ["T033", "T047"]}
    assert answered == [common | shared | {"cui": cui} for cui in ("C0002066", "C0268467")]
    source = run(database, "MATCH (s:Source) RETURN s {.id, .licence, .version, .collections, .types} AS s")[0]["s"]
    assert source["licence"] == "CC-BY-4.0"
    assert source["collections"] == ["ADAM", "CDC", "GARD", "MPlusDrugs", "NIDDK", "NINDS"]
    assert "forget a dose" in source["types"]


# Changes


CUT = "MATCH (s:Section) CREATE (s)-[:HAS_CHUNK]->(a:Chunk {id: s.id + 'a'})-[:NEXT]->(b:Chunk {id: s.id + 'b'})<-[:HAS_CHUNK]-(s)"


def test_a_changed_document_replaces_the_old_one(loading):
    old = document(
        1,
        sections=(
            Section("x", "Old.", question="Old?"),
            Section("y", "Old too."),
            Section("z", "Kept.", question="Kept?"),
        ),
        questions=(Question("open1", "Open?"), Question("open2", "Open too?")),
        about=("e1",),
        aliases=("Wheeze",),
        url="https://example.org",
    )
    new = document(
        1,
        "New.",
        sections=(Section("z", "Kept.", question="Kept?"), Section("w", "New.", question="New?")),
        questions=(Question("open2", "Open now?"),),
        about=("e2",),
        published="2026",
    )
    entities = [Entity("e1", "Disease", "Asthma"), Entity("e2", "Disease", "Wheeze")]
    others = [document(2), document(3, questions=(Question("open3", "Else?"),))]
    loading([*entities, old, *others])
    run(loading.database, CUT)
    report = loading([*entities, new, *others])
    assert counts(report) == (0, 1, 4, 0)
    assert [count(loading.database, label) for label in ("Section", "Question", "Chunk")] == [4, 4, 4]
    run(loading.database, "MATCH (c:Chunk) DETACH DELETE c")
    changed = dump(loading.database)
    load.unload(loading.database, "own")
    loading([*entities, new, *others])
    assert dump(loading.database) == changed


def test_a_changed_entity_replaces_the_old_one(loading):
    old = [
        Entity("e1", "Disease", "Asthma", ("Wheeze",), "Old.", ("C0000001", "C0000002"), ("T001",)),
        Entity("e2", "Disease", "Bronchial asthma", (), "", ("C0000002",), ("T002",)),
    ]
    new = [
        Entity("e1", "Drug", "Zafirlukast", (), "", ("C0000002", "C0000003"), ("T003", "T001")),
        Entity("e2", "Disease", "Bronchial asthma", (), "", (), ()),
    ]
    loading([*old, document(1, about=("e1", "e2"))])
    assert counts(loading([*new, document(1, about=("e1", "e2"))])) == (0, 2, 1, 0)
    changed = dump(loading.database)
    load.unload(loading.database, "own")
    loading([*new, document(1, about=("e1", "e2"))])
    assert dump(loading.database) == changed


def test_a_file_that_was_changed_back_is_read_again(loading):
    first, second = [document(1, "One."), document(2)], [document(1, "Two."), document(2)]
    loading(first)
    before = dump(loading.database)
    assert counts(loading(second)) == (0, 1, 1, 0)
    assert counts(loading(first)) == (0, 1, 1, 0)
    assert dump(loading.database) == before
    assert counts(loading(second, limit=1)) == (0, 1, 0, 0)
    assert counts(loading(first)) == (0, 1, 1, 0)
    assert dump(loading.database) == before


def test_a_file_is_read_again_after_one_that_failed(loading):
    first = [document(1, "One.")]
    loading(first)
    before = dump(loading.database)
    with pytest.raises(TooFewRecordsError):
        loading([document(1, "Two.")], minimum=2)
    assert counts(loading(first)) == (0, 1, 0, 0)
    assert dump(loading.database) == before


def test_a_file_is_read_again_when_something_of_it_was_taken_out(loading):
    loading([document(1), document(2)])
    before = dump(loading.database)
    run(loading.database, "MATCH (d:Document {id: 'd2'})-->(s:Section) DETACH DELETE d, s")
    assert counts(loading([document(1), document(2)])) == (1, 0, 1, 0)
    assert dump(loading.database) == before


def test_other_facts_about_the_source_are_taken_over(database, own_settings):
    path = SMALL / "documents" / "corpus.jsonl"
    load.load_named(database, own_settings, "documents", path, name="mine")
    load.load_named(database, own_settings, "documents", path, name="mine", title="My notes", licence="CC0-1.0")
    facts = run(database, "MATCH (s:Source) RETURN s.id AS id, s.title AS title, s.licence AS licence")
    assert facts == [{"id": "mine", "title": "My notes", "licence": "CC0-1.0"}]


# Part of it, or none


def test_a_limit_stops_early_and_the_whole_file_can_follow(loading):
    items = [document(n) for n in range(1, 6)]
    assert counts(loading(items, limit=2)) == (2, 0, 0, 0)
    assert count(loading.database, "Document") == 2
    assert counts(loading(items)) == (3, 0, 2, 0)
    assert counts(loading(items, limit=3)) == (0, 0, 3, 0)


def test_a_dry_run_writes_nothing_at_all(database, own_settings, tmp_path):
    path = SMALL / "documents" / "corpus.jsonl"
    report = load.load_named(database, own_settings, "documents", path, dry_run=True)
    assert counts(report) == (3, 0, 0, 0)
    assert report.load == ""
    assert report.summary() == "documents: 3 records would be added, 0 would be changed, 0 unchanged, 0 rejected"
    assert run(database, "MATCH (n) WHERE NOT n:Migration AND NOT n:Encoder RETURN n") == []
    assert not own_settings.home.exists()


# Any records in any order


def some_documents(chance, owner, count, parts):
    """Documents over few ids, so that repeats and clashes are common."""
    for _ in range(count):
        number = chance.randrange(4)
        ids = chance.sample([f"{owner}p{n}" for n in range(parts)], chance.randrange(3))
        cut = chance.randrange(3)
        yield Document(
            f"{owner}d{number}",
            chance.choice(["Asthma", "Gout"]),
            url="https://example.org",
            collection=chance.choice(["", "GARD"]),
            sections=tuple(
                Section(i, chance.choice(["A.", "B."]), "causes", question=chance.choice(["", "Why?"]))
                for i in ids[:cut]
            ),
            questions=tuple(Question(i, "When?", "outlook") for i in ids[cut:]),
            about=tuple(chance.sample([f"{owner}e{n}" for n in range(3)], chance.randrange(2))),
        )


def some_entities(chance, owner, count):
    for _ in range(count):
        yield Entity(
            f"{owner}e{chance.randrange(3)}",
            chance.choice(["Disease", "Drug"]),
            chance.choice(["Asthma", "Wheeze"]),
            concepts=tuple(f"C000000{n}" for n in sorted(chance.sample(range(3), chance.randrange(3)))),
            semantic_types=tuple(chance.sample(["T001", "T002"], chance.randrange(3))),
        )


def some_relations(chance, owner, count):
    for _ in range(count):
        yield Relation(f"{owner}e{chance.randrange(4)}", "IS_A", f"{owner}e{chance.randrange(4)}")


def some_file(chance, owner="", parts=5, sound=False):
    """A file as sources give it: mostly entities, relations and documents in this order, with rejects in between."""
    items = [
        *some_entities(chance, owner, chance.randrange(5)),
        *some_relations(chance, owner, chance.randrange(4)),
        *some_documents(chance, owner, chance.randrange(8), parts),
    ]
    if sound:
        return list({(type(i), getattr(i, "id", i)): i for i in items}.values())
    if chance.random() < 0.2:
        chance.shuffle(items)
    for _ in range(chance.randrange(3)):
        items.insert(chance.randrange(len(items) + 1), Reject("file", 0, "broken"))
    return items


@pytest.mark.parametrize("seed", range(25))
def test_a_dry_run_says_what_a_load_does_and_batches_do_not_matter(loading, monkeypatch, seed):
    chance = random.Random(seed)
    database = loading.database
    files = [(some_file(chance), chance.choice(["own", "own", "other"])) for _ in range(3)]
    results = []
    for size in (500, 2, 1):
        monkeypatch.setattr(writer, "BATCH_ROWS", size)
        run(database, "MATCH (n) WHERE NOT n:Migration AND NOT n:Encoder DETACH DELETE n")
        result = []
        for items, name in files:
            before = dump(database)
            dry = loading(items, name, minimum=0, dry_run=True)
            assert dump(database) == before
            real = loading(items, name, minimum=0)
            assert counts(dry) == counts(real)
            assert sum(counts(real)) == real.position == len(items)
            result.append((counts(real), dump(database)))
        results.append(result)
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize("seed", range(15))
def test_a_file_without_rejects_is_all_unchanged_the_second_time(loading, seed):
    items = some_file(random.Random(seed), parts=50, sound=True)
    first = loading(items, minimum=0)
    before = dump(loading.database)
    forget_loads(loading.database)
    second = loading(items, minimum=0)
    assert counts(second) == (0, 0, first.added, first.rejected)
    assert dump(loading.database) == before


@pytest.mark.parametrize("seed", range(15))
def test_unloading_leaves_what_the_others_say(loading, seed):
    chance = random.Random(seed)
    database = loading.database
    first, second = some_file(chance, "a-"), some_file(chance, "b-")
    alone = {}
    for items, name in ((first, "first"), (second, "second")):
        loading(items, name, minimum=0)
        alone[name] = dump(database)
        load.unload(database, name)
        assert run(database, "MATCH (n) WHERE NOT n:Migration AND NOT n:Encoder RETURN n") == []
    for kept, gone in (("first", "second"), ("second", "first")):
        for items, name in ((first, "first"), (second, "second")):
            loading(items, name, minimum=0)
        run(database, CUT)
        load.unload(database, gone)
        run(database, "MATCH (c:Chunk) DETACH DELETE c")
        assert dump(database) == alone[kept]
        load.unload(database, kept)


class Interrupted(Exception):
    """What the tests throw into a load, as a power failure would."""


class Fragile:
    """A real database whose transactions fail from a certain one on, before they happen or just afterwards."""

    def __init__(self, database, good, commit):
        self._database = database
        self._left = good
        self._commit = commit

    def __getattr__(self, name):
        call = getattr(self._database, name)
        if name not in {"write", "write_all", "run"}:
            return call

        def fragile(*args, **kwargs):
            self._left -= 1
            if self._left < 0:
                if self._commit:
                    call(*args, **kwargs)
                raise Interrupted
            return call(*args, **kwargs)

        return fragile


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("commit", [False, True], ids=["before", "after"])
def test_a_load_that_is_interrupted_anywhere_is_taken_up(loading, monkeypatch, seed, commit):
    monkeypatch.setattr(writer, "BATCH_ROWS", 2)
    chance = random.Random(seed)
    database = loading.database
    before, items = some_file(chance), some_file(chance)
    loading(before, minimum=0)
    whole = loading(items, minimum=0)
    expected, rejects = dump(database), rejects_of(whole)
    for good in range(100):
        run(database, "MATCH (n) WHERE NOT n:Migration AND NOT n:Encoder DETACH DELETE n")
        loading(before, minimum=0)
        with suppress(Interrupted):
            loading(items, minimum=0, database=Fragile(database, good, commit))
            break
        again = loading(items, minimum=0)
        assert dump(database) == expected
        if not again.known:
            assert counts(again) == counts(whole)
            assert rejects_of(again) == rejects
    assert good > len(items) / 2


def rejects_of(report):
    return report.rejects_file.read_text(encoding="utf-8").splitlines() if report.rejects_file else []


def test_an_interrupted_load_can_be_taken_out(loading):
    items = [Entity("e1", "Disease", "Asthma", concepts=("C0000001",)), document(1)]
    for good in range(10):
        with suppress(Interrupted):
            loading(items, database=Fragile(loading.database, good, commit=True))
            break
        load.unload(loading.database, "own")
        assert run(loading.database, "MATCH (n) WHERE NOT n:Migration AND NOT n:Encoder RETURN n") == []
    assert good > 3


def test_an_unload_that_is_interrupted_goes_on(loading):
    items = [Entity("e1", "Disease", "Asthma", concepts=("C0000001",)), document(1, about=("e1",))]
    loading(items, "first")
    alone = dump(loading.database)
    for good in range(10):
        loading([Entity("e2", "Disease", "Gasping", concepts=("C0000001",)), document(2, about=("e2",))], "second")
        with suppress(Interrupted):
            load.unload(Fragile(loading.database, good, commit=True), "second")
            break
        with suppress(UnknownSourceError):
            load.unload(loading.database, "second")
        assert dump(loading.database) == alone
    assert good > 3


def test_a_load_that_was_given_up_does_not_hide_what_came_after_it(loading, monkeypatch):
    monkeypatch.setattr(writer, "BATCH_ROWS", 1)
    old, new = [document(n, "Old.") for n in range(4)], [document(n, "New.") for n in range(4)]
    with pytest.raises(Interrupted):
        loading(old, database=Fragile(loading.database, 3, commit=True))
    loading(new)
    loading(old)
    assert run(loading.database, "MATCH (s:Section) RETURN DISTINCT s.text AS text") == [{"text": "Old."}]
