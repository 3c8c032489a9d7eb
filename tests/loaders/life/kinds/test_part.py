"""Kinds of records in the graph: parts of a source, entities that several state, and documents."""

from contextlib import suppress
from dataclasses import replace

import pytest

from medgraph.errors import InputError
from medgraph.loaders.base import UNSTATED, Row, Source
from medgraph.loaders.life import load, withdraw
from medgraph.schema.records import Entity, Relation, SourceInfo
from tests.support.graphs import run
from tests.support.loads import Fragile, Interrupted, batches_of, counts, document, dump, forget_loads


def part(name, **changes):
    return SourceInfo(**{"id": name, "title": name, "version": "3", "licence": "CC-BY-4.0", "url": ""} | changes)


def test_parts_of_a_source_have_their_own_words_versions_and_licences(loading):
    rows = [
        Row(part("own-a", rank=1), "file", 1),
        Row(part("own-b"), "file", 2),
        Row(Entity("X:1", "Disease", "Asthma"), "file", 3, "own-a"),
        Row(Entity("X:1", "Disease", "Bronchial asthma"), "file", 4, "own-b"),
        Row(Entity("X:2", "Disease", "Gout"), "file", 5, "own-b"),
        Row(Relation("X:1", "IS_A", "X:2"), "file", 6, "own-a"),
        Row(Relation("X:1", "IS_A", "X:2"), "file", 7, "own-b"),
        Row(document(1), "file", 8, "own-b"),
        Row(Entity("X:3", "Disease", "Cough"), "file", 9, "own-c"),
    ]
    source = Source(SourceInfo("own", "Own", "1", "CC0-1.0", ""), lambda _: iter(rows))
    path = loading.folder / "own.txt"
    path.write_text("own")
    report = load.load(loading.database, load.Task(source, path, source.info, loading.folder / "rejects"))
    assert counts(report) == (8, 0, 0, 1)
    assert "the source own-c was not announced before" in report.rejects_file.read_text()
    told = "MATCH (:Entity)-[r:IS_A]->(:Entity) RETURN r.source AS source ORDER BY source"
    assert run(loading.database, told) == [{"source": "own-a"}, {"source": "own-b"}]
    sources = "MATCH (s:Source) RETURN s.id AS id, s.version AS version, s.part_of AS whole ORDER BY id"
    assert run(loading.database, sources) == [
        {"id": "own", "version": "1", "whole": None},
        {"id": "own-a", "version": "3", "whole": "own"},
        {"id": "own-b", "version": "3", "whole": "own"},
    ]
    names = "MATCH (e:Entity {id: 'X:1'}) RETURN e.name AS name, e.synonyms AS synonyms"
    assert run(loading.database, names) == [{"name": "Asthma", "synonyms": ["Bronchial asthma"]}]
    before = dump(loading.database)
    forget_loads(loading.database)
    again = load.load(loading.database, load.Task(source, path, source.info, loading.folder / "rejects"))
    assert counts(again) == (0, 0, 8, 1)
    assert dump(loading.database) == before
    withdraw.unload(loading.database, "own")
    assert run(loading.database, "MATCH (n) WHERE NOT n:Migration AND NOT n:Encoder RETURN n") == []


def test_a_part_has_the_licence_of_now_after_an_interrupted_load_under_another(loading, monkeypatch):
    batches_of(monkeypatch, 1)
    task = loading.task([part("own-a", licence=UNSTATED), document(1), document(2)])
    with suppress(Interrupted):
        load.load(Fragile(loading.database, 4, commit=True), task)
    load.load(loading.database, replace(task, info=replace(task.info, licence="MIT")))
    licences = "MATCH (s:Source) RETURN s.licence AS licence"
    assert [row["licence"] for row in run(loading.database, licences)] == ["MIT", "MIT"]


def test_a_part_cannot_take_the_name_of_a_source_that_is_there(loading):
    loading([document(1)], "other")
    report = loading([document(2), part("other")])
    assert counts(report) == (1, 0, 0, 1)
    assert "loaded by itself; to load it from here, run first: medgraph unload other" in report.rejects_file.read_text()


def test_a_source_that_is_a_part_of_another_is_not_loaded_by_itself(loading):
    loading([part("own-a"), document(1)])
    before = dump(loading.database)
    for dry in (True, False):
        with pytest.raises(InputError, match="own-a is a part of own here; run first: medgraph unload own"):
            loading([document(2)], "own-a", dry_run=dry)
    assert dump(loading.database) == before


def test_undo_brings_back_what_was_said_of_a_part(loading):
    loading([part("own-a", version="2026-01-01"), document(1)])
    before = dump(loading.database)
    loading([part("own-a", licence="CC0-1.0", version="4", url="https://example.org"), document(1)])
    assert dump(loading.database) != before
    withdraw.undo(loading.database, "own")
    assert dump(loading.database) == before


def test_the_word_of_the_better_source_goes_first_and_the_names_of_the_others_are_kept(loading):
    table = Entity("X:1", "Topic", "Asthma attacks", definition="From a table.", properties=(("cases", 7),))
    ontology = Entity("X:1", "Disease", "asthma", ("bronchial asthma",), xrefs=("MESH:D001249",))
    loading([table], "third")
    assert run(loading.database, "MATCH (e:Entity)-[f:FROM]->() RETURN f.name AS name") == [{"name": None}]
    loading([ontology], "first")
    rows = run(
        loading.database,
        "MATCH (e:Entity {id: 'X:1'}) RETURN labels(e) AS labels, properties(e) AS e, "
        "COLLECT { MATCH (e)-[f:FROM]->(s) RETURN [s.id, f.label, f.name] ORDER BY s.id } AS told",
    )
    assert sorted(rows[0]["labels"]) == ["Disease", "Entity"]
    assert rows[0]["e"] == {
        "id": "X:1",
        "name": "asthma",
        "synonyms": ["bronchial asthma", "Asthma attacks"],
        "definition": "From a table.",
        "xrefs": ["MESH:D001249"],
        "cases": 7,
        "sources": ["first", "third"],
    }
    assert rows[0]["told"] == [["first", "Disease", "asthma"], ["third", "Topic", "Asthma attacks"]]


def test_documents_are_linked_to_entities_that_come_later(loading):
    loading([document(1, about=("X:1", "X:2"))], "second")
    loading([Entity("X:2", "Disease", "Asthma")], "first")
    linked = "MATCH (d:Document)-[a:ABOUT]->(e) RETURN d.id AS document, a.position AS position, e.id AS entity"
    assert run(loading.database, linked) == [{"document": "d1", "position": 2, "entity": "X:2"}]
