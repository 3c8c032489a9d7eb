"""Loading and unloading against a real graph: the same graph whatever happened on the way."""

import json
import os
import random
import signal
import threading
import time
import zipfile
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from medgraph.cli.main import main
from medgraph.errors import (
    DatabaseUnavailableError,
    InputError,
    SchemaMissingError,
    SourceFileError,
    TooFewRecordsError,
    TooManyRejectsError,
    UnknownSourceError,
)
from medgraph.graph.database import Database
from medgraph.loaders import commands, registry
from medgraph.loaders.base import Reject, Row, Source
from medgraph.loaders.life import load, withdraw, write
from medgraph.schema.records import Document, Entity, Question, Relation, Section, SourceInfo
from tests.support.graphs import run
from tests.support.loads import (
    ORPHANS,
    Fragile,
    Interrupted,
    Loading,
    at_once,
    clear,
    count,
    counts,
    document,
    dump,
    forget_loads,
    some_file,
    start,
)
from tests.support.paths import FILES
from tests.support.points import STEPS, seeds
from tests.support.servers import free_port

SMALL = FILES
KNOWN = ", ".join(sorted(registry.SOURCES))


def load_named(database, settings, source, path=None, *, dry_run=False, **wishes):
    return commands.load_named(database, settings, source, path, commands.Wish(**wishes), dry_run=dry_run)


@pytest.fixture
def loading(tmp_path, database):
    return Loading(tmp_path, database)


@pytest.fixture
def own_settings(settings, tmp_path):
    """Settings whose rejects go to a folder of the test's own."""
    return replace(settings, home=tmp_path / "home")


# Twice


NAMED = {
    "sample": (None, 190),
    "documents": (SMALL / "documents" / "corpus.jsonl", 3),
    "medquad": (SMALL / "medquad", 12),
}


@pytest.mark.parametrize("name", NAMED)
def test_a_second_load_changes_nothing(database, own_settings, name):
    path, least = NAMED[name]
    first = load_named(database, own_settings, name, path)
    assert first.added >= least
    assert counts(first) == (first.added, 0, 0, 0)
    assert first.rejects_file is None
    before = dump(database)
    again = load_named(database, own_settings, name, path)
    assert again.known
    assert again.summary() == f"{name}: this file is loaded already; nothing changed ({first.added:,} records)"
    assert dump(database) == before
    assert count(database, "Load") == 1
    forget_loads(database)
    third = load_named(database, own_settings, name, path)
    assert counts(third) == (0, 0, first.added, 0)
    assert dump(database) == before


def test_an_archive_and_its_folder_are_the_same_to_a_graph(database, own_settings, tmp_path):
    path = tmp_path / "medquad.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted((SMALL / "medquad").rglob("*"), reverse=True):
            archive.write(file, file.relative_to(SMALL / "medquad"))
    first = load_named(database, own_settings, "medquad", path)
    before = dump(database)
    second = load_named(database, own_settings, "medquad", SMALL / "medquad")
    assert counts(second) == (0, 0, first.added, 0)
    assert dump(database) == before


def test_what_a_load_of_medquad_leaves(database, own_settings):
    load_named(database, own_settings, "medquad", SMALL / "medquad")
    labels = ["Document", "Section", "Question", "Entity", "Concept", "Source"]
    assert [count(database, label) for label in labels] == [7, 8, 12, 5, 4, 1]
    asked = run(
        database,
        "MATCH (d:Document {id: 'medquad:GARD_0000001'})<-[:ANSWERED_AT]-(q) "
        "RETURN q.id AS id, q.text AS text, q.type AS type",
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


CUT = """
MATCH (s:Section)
CREATE (s)-[:HAS_CHUNK]->(:Chunk {id: s.id + 'a'})-[:NEXT]->(:Chunk {id: s.id + 'b'})<-[:HAS_CHUNK]-(s)
"""


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
    withdraw.unload(loading.database, "own")
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
    withdraw.unload(loading.database, "own")
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
    load_named(database, own_settings, "documents", path, name="mine")
    load_named(database, own_settings, "documents", path, name="mine", title="My notes", licence="CC0-1.0")
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
    report = load_named(database, own_settings, "documents", path, dry_run=True)
    assert counts(report) == (3, 0, 0, 0)
    assert report.load == 0
    assert report.summary() == "documents: 3 records would be added, 0 would be changed, 0 unchanged, 0 rejected"
    assert run(database, "MATCH (n) WHERE NOT n:Migration AND NOT n:Encoder RETURN n") == []
    assert not own_settings.home.exists()


# Any records in any order


@pytest.mark.parametrize("seed", seeds(3, 8))
def test_a_dry_run_says_what_a_load_does_and_batches_do_not_matter(loading, monkeypatch, seed):
    chance = random.Random(seed)
    database = loading.database
    files = [(some_file(chance), chance.choice(["own", "own", "other"])) for _ in range(3)]
    results = []
    for size in (500, 2, 1):
        monkeypatch.setattr(write, "BATCH_ROWS", size)
        monkeypatch.setattr(write, "BATCH_DOCUMENTS", size)
        clear(database)
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


@pytest.mark.parametrize("seed", seeds(3, 8))
def test_a_file_without_rejects_is_all_unchanged_the_second_time(loading, seed):
    items = some_file(random.Random(seed), parts=50, sound=True)
    first = loading(items, minimum=0)
    before = dump(loading.database)
    forget_loads(loading.database)
    second = loading(items, minimum=0)
    assert counts(second) == (0, 0, first.added, first.rejected)
    assert dump(loading.database) == before


@pytest.mark.parametrize("seed", seeds(3, 8))
def test_unloading_leaves_what_the_others_say(loading, seed):
    chance = random.Random(seed)
    database = loading.database
    first, second = some_file(chance, "a-"), some_file(chance, "b-")
    alone = {}
    for items, name in ((first, "first"), (second, "second")):
        loading(items, name, minimum=0)
        alone[name] = dump(database)
        withdraw.unload(database, name)
        assert run(database, "MATCH (n) WHERE NOT n:Migration AND NOT n:Encoder RETURN n") == []
    for kept, gone in (("first", "second"), ("second", "first")):
        for items, name in ((first, "first"), (second, "second")):
            loading(items, name, minimum=0)
        run(database, CUT)
        withdraw.unload(database, gone)
        assert run(database, ORPHANS) == []
        run(database, "MATCH (c:Chunk) DETACH DELETE c")
        assert dump(database) == alone[kept]
        withdraw.unload(database, kept)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("commit", [False, True], ids=["before", "after"])
def test_a_load_that_is_interrupted_anywhere_is_taken_up(loading, monkeypatch, seed, commit, step):
    monkeypatch.setattr(write, "BATCH_ROWS", 2)
    monkeypatch.setattr(write, "BATCH_DOCUMENTS", 2)
    chance = random.Random(seed)
    database = loading.database
    before, items = some_file(chance), some_file(chance)
    loading(before, minimum=0)
    whole = loading(items, minimum=0)
    expected, rejects = dump(database), rejects_of(whole)
    for good in range(chance.randrange(step), 100, step):
        clear(database)
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
        withdraw.unload(loading.database, "own")
        assert run(loading.database, "MATCH (n) WHERE NOT n:Migration AND NOT n:Encoder RETURN n") == []
    assert good > 3


def test_an_unload_that_is_interrupted_goes_on(loading):
    items = [Entity("e1", "Disease", "Asthma", concepts=("C0000001",)), document(1, about=("e1",))]
    loading(items, "first")
    alone = dump(loading.database)
    for good in range(10):
        loading([Entity("e2", "Disease", "Gasping", concepts=("C0000001",)), document(2, about=("e2",))], "second")
        with suppress(Interrupted):
            withdraw.unload(Fragile(loading.database, good, commit=True), "second")
            break
        with suppress(UnknownSourceError):
            withdraw.unload(loading.database, "second")
        assert dump(loading.database) == alone
    assert good > 3


def test_a_load_that_was_given_up_does_not_hide_what_came_after_it(loading, monkeypatch):
    monkeypatch.setattr(write, "BATCH_ROWS", 1)
    old, new = [document(n, "Old.") for n in range(4)], [document(n, "New.") for n in range(4)]
    with pytest.raises(Interrupted):
        loading(old, database=Fragile(loading.database, 3, commit=True))
    loading(new)
    loading(old)
    assert run(loading.database, "MATCH (s:Section) RETURN DISTINCT s.text AS text") == [{"text": "Old."}]


# Ids that come twice


def test_an_id_that_comes_twice_keeps_what_came_first(loading, monkeypatch):
    for size in (500, 1):
        monkeypatch.setattr(write, "BATCH_ROWS", size)
        monkeypatch.setattr(write, "BATCH_DOCUMENTS", size)
        report = loading([document(1, "One."), document(2), document(1, "Two."), document(1, "One.")])
        assert counts(report) == (2, 0, 1, 1)
        assert rejects_of(report) == [
            "record\tkind\tfile\tline\treason",
            "2\treject\tfile\t3\td1: another record with this id and other content came before it; "
            "the first one is kept",
        ]
        texts = run(loading.database, "MATCH (:Document {id: 'd1'})-->(s:Section) RETURN s.text AS text")
        assert texts == [{"text": "One."}]
        withdraw.unload(loading.database, "own")


def test_an_id_of_another_load_is_a_change_and_one_of_another_source_is_refused(loading):
    loading([document(1, "One.")])
    assert counts(loading([document(1, "Two.")])) == (0, 1, 0, 0)
    before = dump(loading.database)
    report = loading([document(1, "Three."), document(2)], "other")
    assert counts(report) == (1, 0, 0, 1)
    assert rejects_of(report)[1:] == ["0\treject\tfile\t1\td1: this id belongs to the source own"]
    withdraw.unload(loading.database, "other")
    assert dump(loading.database) == before


@pytest.mark.parametrize("name", ["own", "other"])
@pytest.mark.parametrize(
    "thief",
    [
        document(2, sections=(Section("d1#1", "Stolen.", question="Why?"),)),
        document(2, sections=(Section("d1#2", "Stolen.", question="Why?"),)),
        document(2, questions=(Question("d1#1", "Stolen?"),)),
        document(2, questions=(Question("d1#2", "Stolen?"),)),
    ],
    ids=["section for section", "section for question", "question for section", "question for question"],
)
def test_a_section_or_question_of_one_document_is_not_taken_by_another(loading, name, thief):
    victim = (
        "MATCH (d:Document {id: 'd1'})-[r:HAS_SECTION|ANSWERED_AT]-(x) OPTIONAL MATCH (x)-[:ANSWERED_BY]-(q:Question) "
        "RETURN type(r) AS type, properties(x) AS part, q.id AS question ORDER BY type"
    )
    loading([document(1, questions=(Question("d1#2", "Open?"),))])
    before = run(loading.database, victim)
    assert len(before) == 2
    report = loading([thief, document(3)], name)
    assert counts(report) == (1, 0, 0, 1)
    assert rejects_of(report)[1].startswith("0\treject\tfile\t1\td2: its section id 'd1#")
    assert dump(loading.database)
    assert run(loading.database, victim) == before


def test_a_relation_needs_both_its_ends(loading):
    known, other = Entity("e1", "Disease", "Asthma"), Entity("e2", "Disease", "Wheeze")
    items = [known, other, Relation("e1", "IS_A", "e2"), Relation("e1", "IS_A", "e3"), Relation("e4", "IS_A", "e1")]
    report = loading([*items, Relation("e1", "IS_A", "e2")])
    assert counts(report) == (3, 0, 1, 2)
    assert [line.partition(": ")[2] for line in rejects_of(report)[1:]] == [
        "there is no entity 'e3'; load first what has it",
        "there is no entity 'e4'; load first what has it",
    ]
    assert run(loading.database, "MATCH (a)-[r:IS_A]->(b) RETURN a.id AS a, r.source AS source, b.id AS b") == [
        {"a": "e1", "source": "own", "b": "e2"}
    ]


def test_two_sources_share_a_concept_and_each_can_go(loading):
    first = [Entity("a:1", "Disease", "Asthma", concepts=("C0004096",), semantic_types=("T047",))]
    second = [
        Entity("b:1", "Disease", "Bronchial asthma", concepts=("C0004096", "C0000001"), semantic_types=("T046",)),
        Entity("b:2", "Disease", "Bronchial asthma", concepts=("C0004096",)),
    ]
    concept = (
        "MATCH (c:Concept {cui: 'C0004096'}) RETURN c.name AS name, c.semantic_types AS types, c.sources AS sources"
    )
    loading(first, "first")
    assert run(loading.database, concept) == [{"name": "Asthma", "types": ["T047"], "sources": ["first"]}]
    loading(second, "second")
    both = {"name": "Bronchial asthma", "types": ["T046", "T047"], "sources": ["first", "second"]}
    assert run(loading.database, concept) == [both]
    assert withdraw.unload(loading.database, "second") == 5
    assert run(loading.database, concept) == [{"name": "Asthma", "types": ["T047"], "sources": ["first"]}]
    assert count(loading.database, "Concept") == 1


def test_a_relation_goes_with_the_source_that_states_it(loading):
    loading([Entity("e1", "Disease", "Asthma"), Entity("e2", "Disease", "Wheeze")], "first")
    before = dump(loading.database)
    loading([Relation("e1", "IS_A", "e2")], "second")
    assert withdraw.unload(loading.database, "second") == 2
    assert dump(loading.database) == before


def test_what_is_not_loaded_cannot_be_unloaded(loading):
    loading([document(1)])
    with pytest.raises(UnknownSourceError, match="the graph holds no source 'sample'; medgraph sources lists what is"):
        withdraw.unload(loading.database, "sample")
    withdraw.unload(loading.database, "own")
    with pytest.raises(UnknownSourceError):
        withdraw.unload(loading.database, "own")


# Rejects


def lines(path, *bad, good=1):
    """Write a corpus with bad lines in the middle."""
    corpus = [json.dumps({"id": f"d{n}", "title": "T", "sections": [{"text": "Text."}]}).encode() for n in range(good)]
    path.write_bytes(b"\n".join([*corpus[: good // 2], *bad, *corpus[good // 2 :]]))
    return path


def test_bad_lines_are_listed_and_the_others_are_loaded(database, own_settings, tmp_path):
    path = lines(
        tmp_path / "corpus.jsonl", b"{broken", b"\xff", b'{"id": "x", "title": "\\ud800", "sections": []}', good=4
    )
    report = load_named(database, own_settings, "documents", path)
    assert counts(report) == (4, 0, 0, 3)
    assert report.rejects_file.parent == own_settings.home / "rejects"
    listed = report.rejects_file.read_text(encoding="utf-8").splitlines()
    assert listed[0] == "record\tkind\tfile\tline\treason"
    assert [line.split("\t")[:4] for line in listed[1:]] == [
        [str(n), "reject", str(path), str(n + 1)] for n in (2, 3, 4)
    ]
    assert "is not valid JSON, column 2" in listed[1]
    assert "is not UTF-8" in listed[2]
    assert "'sections' must be a list" in listed[3]
    known = load_named(database, own_settings, "documents", path)
    assert known.summary() == "documents: this file is loaded already; nothing changed (4 records)"


def test_the_list_of_rejects_is_a_table_whatever_stands_in_it(loading):
    report = loading([document(1), Reject("a\tb\nc\u2028d\x1c.xml", 3, "one\ntwo\tthree \ud800 喘息")])
    assert rejects_of(report) == [
        "record\tkind\tfile\tline\treason",
        "1\treject\ta b c d .xml\t3\tone two three \\ud800 喘息",
    ]


def test_too_many_rejects_fail_the_load(loading):
    good = [document(n) for n in range(90)]
    assert counts(loading([*good, *[Reject("file", n, "bad") for n in range(10)]])) == (90, 0, 0, 10)
    items = [*good, *[Reject("file", n, "bad") for n in range(11)]]
    with pytest.raises(TooManyRejectsError) as caught:
        loading(items)
    assert str(caught.value).startswith("11 of 101 records of own were rejected; see ")
    assert str(caught.value).endswith("What was good is in the graph; medgraph unload own takes it out")
    assert run(loading.database, "MATCH (l:Load) RETURN l.status AS status ORDER BY l.started")[-1] == {
        "status": "failed"
    }
    with pytest.raises(TooManyRejectsError, match=r"11 of 101 records of own would be rejected$"):
        loading(items, dry_run=True)


def test_a_load_of_rubbish_stops_early_and_starts_anew_the_next_time(loading):
    seen = []

    def endless(path):
        for n in range(1_000_000):
            seen.append(n)
            yield Reject("file", n, "bad") if n % 2 else Row(document(n), "file", n)

    _, path = loading.source(["rubbish"])
    source = Source(SourceInfo("own", "Own", "1", "CC0-1.0", ""), endless, lambda _: None)
    for attempt in (1, 2):
        with pytest.raises(TooManyRejectsError, match=r"500 of 1,000 records of own were rejected"):
            load.load(loading.database, load.Task(source, path, source.info, loading.folder / "rejects"))
        assert len(seen) < 4_000 * attempt
    loads = run(loading.database, "MATCH (l:Load) RETURN l.status AS status, l.position AS position")
    assert [row["status"] for row in loads] == ["failed"] * 2
    assert all(1000 <= row["position"] < 4_000 for row in loads)
    assert dump(loading.database)


def test_too_few_records_fail_the_load(loading, own_settings, tmp_path):
    with pytest.raises(TooFewRecordsError, match="own gave 1 records; a sound file holds at least 3: is it whole"):
        loading([document(1), Reject("file", 1, "bad")], minimum=3)
    loading([document(1), document(2)], minimum=3, limit=2)
    with pytest.raises(TooFewRecordsError):
        loading([document(1)], minimum=3, dry_run=True)
    empty = tmp_path / "empty.jsonl"
    empty.write_bytes(b"")
    with pytest.raises(TooFewRecordsError, match="documents gave 0 records; a sound file holds at least 1"):
        load_named(loading.database, own_settings, "documents", empty)
    (tmp_path / "empty").mkdir()
    with pytest.raises(TooFewRecordsError, match="medquad gave 0 records"):
        load_named(loading.database, own_settings, "medquad", tmp_path / "empty")


# What cannot be loaded


def cut_off(folder):
    path = folder / "cut.zip"
    path.write_bytes(b"PK\x03\x04 and no end")
    return path


@pytest.mark.parametrize("dry_run", [False, True], ids=["load", "dry run"])
@pytest.mark.parametrize(
    ("name", "make", "message"),
    [
        ("documents", lambda folder: folder / "nowhere.jsonl", r"nowhere\.jsonl: there is no such file or folder"),
        ("documents", lambda folder: folder, r"is a folder; give a \.jsonl file with one document a line"),
        ("medquad", lambda folder: folder / "nowhere.zip", r"nowhere\.zip: there is no such file or folder"),
        ("medquad", cut_off, r"cut\.zip: is not a whole zip archive .* fetch it again"),
        ("sample", lambda folder: folder, r"conditions\.jsonl: cannot be read"),
    ],
    ids=["no file", "a folder", "no archive", "a cut archive", "no sample"],
)
def test_a_file_that_cannot_be_read_leaves_the_graph_as_it_was(
    database, own_settings, tmp_path, name, make, message, dry_run
):
    with pytest.raises(SourceFileError, match=message):
        load_named(database, own_settings, name, make(tmp_path), dry_run=dry_run)
    assert run(database, "MATCH (n) WHERE NOT n:Migration AND NOT n:Encoder RETURN n") == []


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("wikipedia",), UnknownSourceError, "there is no source 'wikipedia'; known are disease-pages, disease-tables"),
        (("../etc",), UnknownSourceError, "there is no source"),
        (("medquad",), InputError, "the source medquad needs a path: medgraph load medquad PATH"),
        (("documents",), InputError, "needs a path"),
    ],
)
def test_a_source_that_is_not_known_or_not_given(database, own_settings, arguments, error, message):
    with pytest.raises(error, match=message):
        load_named(database, own_settings, *arguments)


@pytest.mark.parametrize("name", ["", "Mine", "my corpus", "medquad", "sample", "-x", "a" * 62, "a`b", "é"])
def test_names_for_a_corpus_of_ones_own(database, own_settings, name):
    wrong = (
        "is the name of a known source" if name in registry.SOURCES else "cannot name a source: use at most 60 small"
    )
    with pytest.raises(InputError, match=wrong):
        load_named(database, own_settings, "documents", SMALL / "documents" / "corpus.jsonl", name=name)
    with pytest.raises(InputError, match="are for formats; the source sample states its own"):
        load_named(database, own_settings, "sample", name="mine")


def test_a_graph_without_a_schema_is_refused(database, own_settings):
    kept = run(database, "MATCH (m:Migration) RETURN properties(m) AS m")
    run(database, "MATCH (m:Migration) DELETE m")
    try:
        with pytest.raises(SchemaMissingError, match="run: medgraph schema apply"):
            load_named(database, own_settings, "sample")
    finally:
        run(database, "UNWIND $kept AS m CREATE (n:Migration) SET n = m", kept=[row["m"] for row in kept])


def test_what_there_is_to_load_is_listed(database, own_settings):
    load_named(
        database, own_settings, "documents", SMALL / "documents" / "corpus.jsonl", name="mine", licence="CC0-1.0"
    )
    rows = {row["source"]: row for row in commands.list_sources(database)}
    assert rows.keys() == {*registry.SOURCES, "mine"}
    assert [name for name in rows if rows[name]["loaded"]] == ["mine"]
    assert (rows["mine"]["documents"], rows["mine"]["licence"], rows["mine"]["status"]) == (3, "CC0-1.0", "finished")


# Texts that are hard to store


def test_large_and_odd_texts_are_stored_as_they_are(loading):
    texts = {
        "large": "Asthma makes breathing hard. " * 172_414,
        "one word": "x" * 200_000,
        "odd": "a\u2028b\x85c\tعربي 👩‍⚕️ e\u0301\u0327 \ufeff\uffff\U0010ffff '\"`$\\ {}",
    }
    items = [
        Document(name, text[:300], sections=(Section(f"{name}#1", text, question=text[:9000], heading=text[:9000]),))
        for name, text in texts.items()
    ]
    items.append(document(1, id="d" * 500, collection="c" * 500, sections=(Section("s" * 500, "T.", "t" * 500),)))
    assert counts(loading(items)) == (4, 0, 0, 0)
    stored = run(loading.database, "MATCH (d:Document)-->(s:Section) RETURN d.id AS id, s.text AS text")
    assert {row["id"]: row["text"] for row in stored} == texts | {"d" * 500: "T."}
    forget_loads(loading.database)
    assert counts(loading(items)) == (0, 0, 4, 0)


def test_many_large_documents_are_stored_in_batches(loading):
    rows = [Row(document(n, "x" * 1_500_000), "file", n) for n in range(5)]
    assert [len(batch) for batch in write.batches(iter(rows))] == [2, 2, 1]
    assert [len(batch) for batch in write.batches(iter([rows[0]] * 2 + [Row(Entity("e", "Drug", "n"), "f")]))] == [
        2,
        1,
    ]


def test_a_file_whose_name_is_not_utf8_can_be_loaded(database, own_settings, tmp_path):
    path = lines(Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.jsonl")), b"{", good=2)
    report = load_named(database, own_settings, "documents", path)
    assert counts(report) == (2, 0, 0, 1)
    assert run(database, "MATCH (l:Load) RETURN l.file AS file") == [{"file": "\\udcff.jsonl"}]


# Several at once, and in pieces


def test_different_sources_may_be_loaded_at_once(loading, server, monkeypatch):
    monkeypatch.setattr(write, "BATCH_ROWS", 20)
    monkeypatch.setattr(write, "BATCH_DOCUMENTS", 20)
    files = {}
    for name in "abc":
        chance, entities = random.Random(name), []
        for n in range(100):
            concepts = tuple(f"C{n:07}" for n in chance.sample(range(60), 5))
            entities.append(Entity(f"{name}:{n}", "Disease", name, concepts=concepts, semantic_types=(name,)))
        files[name] = [*entities, *(document(f"{name}{n}", about=(f"{name}:{n}",)) for n in range(100))]
    for name, items in files.items():
        loading(items, name)
    expected = dump(loading.database)
    clear(loading.database)
    works = [partial(loading, items, name) for name, items in files.items()]
    assert [counts(report) for report in at_once(server, *works)] == [(200, 0, 0, 0)] * 3
    assert dump(loading.database) == expected


def test_one_file_may_be_loaded_twice_at_once(loading, server, monkeypatch):
    monkeypatch.setattr(write, "BATCH_ROWS", 20)
    monkeypatch.setattr(write, "BATCH_DOCUMENTS", 20)
    items = [Entity(f"e{n}", "Disease", "Asthma", concepts=(f"C000000{n % 7}",)) for n in range(100)]
    items += [document(n, about=(f"e{n}",), questions=(Question(f"q{n}", "Why?"),)) for n in range(100)]
    loading(items)
    expected = dump(loading.database)
    clear(loading.database)
    results = at_once(server, *[partial(loading, items)] * 2)
    assert [report.rejected for report in results] == [0, 0]
    assert dump(loading.database) == expected
    assert loading(items).known


CORPUS = 2000


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """A corpus of four batches."""
    path = tmp_path_factory.mktemp("corpus") / "corpus.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for n in range(CORPUS):
            sections = [
                {"type": "causes", "question": f"What causes {n}?", "text": f"It is due to {n}. " * 20},
                {"type": "signs", "text": f"One feels {n}."},
            ]
            json.dump({"id": f"d{n}", "title": f"Disease {n}", "sections": sections}, file)
            file.write("\n")
    return path


def position(database):
    rows = run(database, "MATCH (l:Load) RETURN l.position AS position ORDER BY l.started DESC LIMIT 1")
    return rows[0]["position"] if rows else 0


def wait_for(database, reached):
    deadline = time.monotonic() + 60
    while position(database) < reached:
        assert time.monotonic() < deadline, "the load does not get on"
        time.sleep(0.01)


def test_a_killed_load_is_taken_up_where_it_was(database, corpus, environment, own_settings):
    load_named(database, own_settings, "documents", corpus)
    expected = dump(database)
    clear(database)
    for reached in (500, 1000):
        killed = start(environment, "load", "documents", corpus, slowly=True)
        wait_for(database, reached)
        killed.kill()
        killed.communicate()
        assert killed.returncode == -signal.SIGKILL
    time.sleep(0.2)  # a transaction that was under way may still be committed
    left = position(database)
    assert 1000 <= left < CORPUS
    done = start(environment, "load", "documents", corpus).communicate()
    said = f"2,000 records added, 0 changed, 0 unchanged, 0 rejected (taken up at record {left:,})"
    assert done == (f"documents: {said}\n", "")
    assert dump(database) == expected
    again = start(environment, "load", "documents", corpus).communicate()
    assert again == ("documents: this file is loaded already; nothing changed (2,000 records)\n", "")


def test_a_load_that_is_stopped_by_its_user_says_how_to_go_on(database, corpus, environment):
    stopped = start(environment, "load", "documents", corpus, slowly=True)
    wait_for(database, 500)
    stopped.send_signal(signal.SIGINT)
    assert stopped.communicate() == ("", "Error: interrupted; run the same command again to go on\n")
    assert stopped.returncode == 1


def test_a_database_that_goes_away_is_one_clear_error_and_nothing_is_lost(
    database, corpus, own_settings, second_server, monkeypatch
):
    load_named(database, own_settings, "documents", corpus)
    expected = dump(database)
    monkeypatch.setattr("medgraph.graph.database.RETRY_TIME", 2)
    monkeypatch.setattr(write, "BATCH_ROWS", 25)
    monkeypatch.setattr(write, "BATCH_DOCUMENTS", 25)
    own, server = second_server

    def lose(reached, how):
        with Database(server.bolt_uri, "neo4j", server.password()) as other:
            wait_for(other, reached)
        how()

    ways = [(200, lambda: os.kill(server.status().pid, signal.SIGKILL)), (800, server.stop)]
    for reached, how in ways:
        thread = threading.Thread(target=lose, args=(reached, how))
        thread.start()
        result = CliRunner().invoke(main, ["load", "documents", str(corpus)], obj=own)
        thread.join()
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr == (
            f"Error: no answer from the database at {server.bolt_uri}; "
            "see whether it runs (medgraph neo4j status) and try again\n"
        )
        server.start()
    done = CliRunner().invoke(main, ["load", "documents", str(corpus)], obj=own)
    assert done.exit_code == 0
    assert "(taken up at record " in done.stdout
    with Database(server.bolt_uri, "neo4j", server.password()) as other:
        assert dump(other) == expected


def test_a_database_that_is_away_is_one_clear_error(own_settings, monkeypatch):
    monkeypatch.setattr("medgraph.graph.database.RETRY_TIME", 1)
    with Database(f"bolt://127.0.0.1:{free_port()}", "neo4j", "password") as away:
        with pytest.raises(DatabaseUnavailableError, match="no answer from the database at bolt://127"):
            load_named(away, own_settings, "sample")
        with pytest.raises(DatabaseUnavailableError):
            withdraw.unload(away, "sample")


# The command


@pytest.fixture
def medgraph(database, settings, own_settings, server):
    """Runs the command on the tests' database."""
    own = replace(own_settings, neo4j_uri=server.bolt_uri, neo4j_password=server.password())
    return lambda *arguments: CliRunner().invoke(main, [*map(str, arguments)], obj=own)


def test_the_command_loads_lists_and_unloads(medgraph):
    path = SMALL / "documents" / "corpus.jsonl"
    dry = medgraph("load", "documents", path, "--as", "mine", "--dry-run", "--json")
    assert json.loads(dry.stdout)["added"] == 3
    assert medgraph("unload", "mine").exit_code == 1
    loaded = medgraph("load", "documents", path, "--as", "mine", "--licence", "CC0-1.0")
    assert (loaded.exit_code, loaded.stderr) == (0, "")
    assert loaded.stdout == "mine: 3 records added, 0 changed, 0 unchanged, 0 rejected\n"
    listed = json.loads(medgraph("sources", "--json").stdout)["sources"]
    assert [row["documents"] for row in listed if row["source"] == "mine"] == [3]
    assert medgraph("unload", "mine").stdout == "10 nodes removed\n"


def test_the_command_fails_when_something_was_rejected(medgraph, tmp_path):
    path = lines(tmp_path / "corpus.jsonl", b"{", good=3)
    result = medgraph("load", "documents", path)
    assert result.exit_code == 1
    assert result.stdout == "documents: 3 records added, 0 changed, 0 unchanged, 1 rejected\n"
    rejects = next((tmp_path / "home" / "rejects").iterdir())
    assert result.stderr == f"Error: 1 of 4 records were rejected; see {rejects}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["load", "wikipedia"], f"there is no source 'wikipedia'; known are {KNOWN}, or give a mapping: FILE.yaml"),
        (["load", "medquad"], "the source medquad needs a path: medgraph load medquad PATH"),
        (["load", "medquad", "/nowhere.zip"], "/nowhere.zip: there is no such file or folder"),
        (["unload", "wikipedia"], "the graph holds no source 'wikipedia'; medgraph sources lists what is loaded"),
    ],
)
def test_the_command_fails_with_one_line(medgraph, arguments, message):
    result = medgraph(*arguments)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"Error: {message}\n"
