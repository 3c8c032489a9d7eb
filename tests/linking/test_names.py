"""The packed names: made once, made anew when names may have changed, never half-written."""

import json
import shutil

import pytest

from medgraph.errors import InputError
from medgraph.linking.names import (
    GraphNames,
    build_linker,
    has_names,
    index_names,
    load_linker,
    names_in_use,
    open_linker,
    pack,
)
from medgraph.linking.never import read_never
from medgraph.loaders.commands import load_named, unload_named
from tests.support.graphs import run, state_of
from tests.support.linking import entity


def folder(settings):
    (found,) = (path for path in (settings.home / "names").iterdir() if path.is_dir())
    return found


@pytest.fixture(autouse=True)
def forgotten(settings):
    shutil.rmtree(settings.home / "names", ignore_errors=True)


def test_a_graph_without_names_says_what_to_do(database, settings):
    assert not has_names(database)
    with pytest.raises(InputError, match="the graph has no names yet; load a source first"):
        load_linker(settings, database)


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
    index_names(settings, database)
    assert len(linker().question("mumps")) == 1
    assert run(database, "MATCH (:Entity)-[:MEANS]->(c) RETURN count(c) AS n") == [{"n": 2}]


def test_linking_a_question_only_reads(database, settings):
    run(database, "CREATE (:Entity:Disease {id: 'x:gout', name: 'Gout'})")
    before = state_of(database)
    assert len(GraphNames(settings, database)().question("gout")) == 1
    assert state_of(database) == before


def test_what_is_packed_in_a_folder_links_as_what_is_packed_in_memory(tmp_path):
    rows = [
        entity("DOID:1", "Gout", "Podagra", near="DOID:2"),
        entity("NCBIGene:1", "GOUT1", label="Gene"),
        entity("DOID:2", "Gouty arthritis", members=3, documents=1),
        entity("DOID:3", "Old gout", obsolete=True),
    ]
    pack(tmp_path / "new" / "names", iter(rows))
    packed, built = open_linker(tmp_path / "new" / "names", read_never()), build_linker(iter(rows))
    assert len(packed.holdings) == len(built.holdings) == 4
    for name in ("gout", "podagra", "gouty arthitis", "GOUT1", "gouts1", "old gout"):
        assert packed.name(name, 3) == built.name(name, 3)
    assert packed.holdings.id(packed.name("podagra")[0].entity) == "DOID:2"
    assert packed.holdings.id(packed.name("gouty arthritsi")[0].entity) == "DOID:2"
    assert not packed.name("old gout") or packed.name("old gout")[0].method == "part"


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
