"""The packed names: made once, made anew when names may have changed, never half-written."""

import gc
import json
import shutil
import weakref

import pytest

from medgraph.linking.names import (
    GraphNames,
    index_names,
    load_linker,
    names_in_use,
)
from medgraph.loaders.commands import load_named, unload_named
from tests.support.graphs import run


def folder(settings):
    (found,) = (path for path in (settings.home / "names").iterdir() if path.is_dir())
    return found


@pytest.fixture(autouse=True)
def forgotten(settings):
    shutil.rmtree(settings.home / "names", ignore_errors=True)


def test_names_are_packed_once_and_again_after_a_load(database, settings, capfd):
    load_named(database, settings, "sample")
    linker, by = names_in_use(settings, database)
    assert linker.holdings.id(linker.name("Gout")[0].entity) == "sample:gout"
    assert "entities stand for" in capfd.readouterr().err
    made = (folder(settings) / "state.json").stat().st_mtime_ns
    assert names_in_use(settings, database)[1] == by
    assert (folder(settings) / "state.json").stat().st_mtime_ns == made
    run(database, "MATCH (e:Entity {id: 'sample:gout'}) SET e.name = 'Podagra'")
    run(database, "MATCH (l:Load) SET l.finished = datetime()")
    linker, after = names_in_use(settings, database)
    assert after != by
    assert linker.holdings.id(linker.name("Podagra")[0].entity) == "sample:gout"


def test_a_damaged_pack_is_made_anew(database, settings):
    load_named(database, settings, "sample")
    _, by = names_in_use(settings, database)
    for content in ("", "{", json.dumps([0, "x", "y"])):
        (folder(settings) / "state.json").write_text(content)
        assert names_in_use(settings, database)[1] == by


def test_eponyms_are_known_without_their_noun(database, settings):
    load_named(database, settings, "sample")
    run(database, "MATCH (e:Entity {id: 'sample:gout'}) SET e.synonyms = [\"Sydenham's disease\"]")
    linker = load_linker(settings, database)
    assert linker.holdings.id(linker.name("sydenham's")[0].entity) == "sample:gout"
    unload_named(database, settings, "sample")


def test_questions_are_linked_by_the_names_of_now_where_these_are_few(database, settings, monkeypatch):
    linker = GraphNames(settings, database)
    assert linker().question("gout") == []
    run(database, "CREATE (:Entity:Disease {id: 'x:gout', name: 'Gout'})")
    (place,) = linker().question("gout")
    assert linker().holdings.id(place[0].entity) == "x:gout"
    assert linker() is linker()
    run(database, "CREATE (:Entity:Disease {id: 'x:mumps', name: 'Mumps'})")
    monkeypatch.setattr("medgraph.linking.names.FEW", 0)
    assert linker().question("mumps") == [], "the former names serve until they are packed"
    former = weakref.ref(linker().lexicon)
    index_names(settings, database)
    assert len(linker().question("mumps")) == 1
    gc.collect()
    assert former() is None, "a service that lives long keeps no former names"
    assert run(database, "MATCH (:Entity)-[:MEANS]->(c) RETURN count(c) AS n") == [{"n": 2}]


def test_names_that_a_question_packed_are_joined_before_texts_are_linked_by_them(database, settings):
    run(
        database,
        "CREATE (:Entity:Disease {id: 'DOID:1', name: 'Gout', sources: ['do']}) "
        "CREATE (:Entity:Disease {id: 'MESH:1', name: 'gout', sources: ['mesh']})",
    )
    GraphNames(settings, database)()
    assert run(database, "MATCH (:Entity)-[r:MEANS]->() RETURN count(r) AS n") == [{"n": 0}]
    load_linker(settings, database)
    assert run(database, "MATCH (:Entity)-[r:MEANS]->() RETURN count(r) AS n") == [{"n": 2}]
