"""What sources state of each other's entities stays, whatever becomes of the others."""

import random

import pytest

from medgraph.loaders.life import load, withdraw
from medgraph.schema.records import Entity, Relation
from tests.support.graphs import run
from tests.support.loads import ORPHANS, dump
from tests.support.points import seeds

NAMES = ("first", "second", "third", "fourth")
THEIRS = [Entity("X:1", "Disease", "Asthma"), Entity("X:2", "Disease", "Wheeze"), Relation("X:2", "IS_A", "X:1")]
OURS = [Entity("X:3", "Disease", "Cough"), Relation("X:3", "IS_A", "X:1")]
STUBS = "MATCH (e:Stub) RETURN e.id AS id, labels(e) AS labels, properties(e) AS said ORDER BY id"


def relations(database):
    """All relations as who states what, with everything that is said."""
    query = (
        "MATCH (a:Entity)-[r]->(b:Entity) "
        "RETURN r.source AS source, a.id AS a, type(r) AS type, b.id AS b, r.predicate AS p, r.evidence AS evidence"
    )
    return {
        (row["source"], row["a"], row["type"], row["b"], row["p"], tuple(row["evidence"] or ()))
        for row in run(database, query)
    }


def statements(database):
    return {
        (row["source"], row["id"])
        for row in run(database, "MATCH (e:Entity)-[:FROM]->(s:Source) RETURN s.id AS source, e.id AS id")
    }


def of_others(facts, source):
    return {fact for fact in facts if fact[0] != source}


def some_overlapping(chance):
    """Entities of few ids, and relations between any ids, whoever has them."""
    ids = [f"X:{number}" for number in range(8)]
    entities = [Entity(name, "Disease", f"Name {name}") for name in sorted(chance.sample(ids, chance.randrange(6)))]
    keys = sorted(
        {
            (chance.choice(ids), chance.choice(("IS_A", "HAS_SYMPTOM")), chance.choice(ids))
            for _ in range(chance.randrange(8))
        }
    )
    return [*entities, *(Relation(*key, evidence=(f"PMID:{chance.randrange(3)}",)) for key in keys)] or [
        Entity("X:0", "Disease", "Name X:0")
    ]


@pytest.mark.parametrize("seed", seeds(2, 100))
def test_no_order_of_loads_loses_what_another_source_states(loading, seed):
    chance, database = random.Random(seed), loading.database
    loaded = {}
    for _ in range(10):
        name = chance.choice(NAMES)
        before, stated = relations(database), statements(database)
        step = chance.choice(("load", "replace", "replace", "unload", "undo")) if name in loaded else "load"
        if step == "unload":
            withdraw.unload(database, name)
            del loaded[name]
            assert not {fact for fact in relations(database) | statements(database) if fact[0] == name}
        elif step == "undo":
            earlier = loaded[name].pop()
            if earlier is None:
                del loaded[name]
            withdraw.undo(database, name)
            own = {fact for fact in relations(database) if fact[0] == name}
            assert own == (earlier or set())
            loaded.get(name, []).clear()
            loaded.pop(name, None)
            withdraw_rest(database, name)
        else:
            earlier = {fact for fact in before if fact[0] == name}
            items = some_overlapping(chance)
            foretold = loading(items, name, 0, dry_run=True, replace=step == "replace")
            report = loading(items, name, 0, replace=step == "replace", again=True)
            assert (report.rejected, report.withdrawn, report.stubs) == (
                foretold.rejected,
                foretold.withdrawn,
                foretold.stubs,
            )
            asked = sum(isinstance(item, Relation) for item in items)
            own = {fact for fact in relations(database) if fact[0] == name}
            if step == "replace":
                assert len(own) == asked - report.rejected
            else:
                assert own >= {fact for fact in earlier if fact[:5] not in {o[:5] for o in own}}
            loaded[name] = [earlier if name in loaded else None]
        assert of_others(relations(database), name) == of_others(before, name)
        assert of_others(statements(database), name) == of_others(stated, name)
        assert run(database, ORPHANS) == []


def withdraw_rest(database, name):
    """Take a source out whose last load was taken back, as only the last one can be."""
    if run(database, "MATCH (s:Source {id: $id}) RETURN s.id", id=name):
        withdraw.unload(database, name)


def test_an_entity_that_another_source_points_to_stays_as_its_stub_until_it_returns(loading):
    loading(THEIRS, "first")
    loading(OURS, "second")
    whole = dump(loading.database)
    gone = withdraw.unload(loading.database, "first")
    assert (gone.removed, gone.stubs) == (3, 1)
    assert run(loading.database, STUBS) == [{"id": "X:1", "labels": ["Entity", "Stub"], "said": {"id": "X:1"}}]
    assert {fact[:4] for fact in relations(loading.database)} == {("second", "X:3", "IS_A", "X:1")}
    loading(THEIRS, "first")
    assert run(loading.database, STUBS) == []
    assert dump(loading.database) == whole


def test_a_release_without_an_entity_that_others_point_to_says_so_and_can_be_taken_back(loading):
    loading(THEIRS, "first")
    loading(OURS, "second")
    before = dump(loading.database)
    left = [THEIRS[1], THEIRS[2]]  # which still states that X:2 is a kind of X:1
    told = [one for one in load.diff(loading.database, loading.task(left, "first", replace=True)) if one.detail]
    assert [(one.change, one.element, one.detail) for one in told] == [
        ("withdrawn", "X:1", "stays as a stub: relations of second, first point to it")
    ]
    report = loading(left, "first", replace=True)
    assert (report.withdrawn, report.stubs, report.rejected) == (1, 1, 0)
    assert "1 withdrawn (1 were kept as stubs, as others point to them)" in report.summary()
    assert len(relations(loading.database)) == 2
    assert withdraw.undo(loading.database, "first").restored == 1
    assert dump(loading.database) == before


def test_what_has_no_name_adds_to_the_entity_that_is_there(loading):
    loading(THEIRS, "first")
    added = [
        Entity("X:1", synonyms=("Asthmatic",), xrefs=("MESH:D1",), concepts=("C0004096",), translations=("Asthme@fr",))
    ]
    assert loading(added, "second").added == 1
    (row,) = run(loading.database, "MATCH (e:Entity {id: 'X:1'}) RETURN e {.*} AS said, labels(e) AS labels")
    assert row["labels"] == ["Entity", "Disease"]
    assert row["said"] == {
        "id": "X:1",
        "name": "Asthma",
        "synonyms": ["Asthmatic"],
        "xrefs": ["MESH:D1"],
        "translations": ["Asthme@fr"],
        "sources": ["first", "second"],
    }
    assert loading(added, "second", again=True).unchanged == 1
    withdraw.unload(loading.database, "first")
    (row,) = run(loading.database, STUBS)
    assert (row["id"], row["said"]["synonyms"]) == ("X:1", ["Asthmatic"])
    assert run(loading.database, "MATCH (:Concept)<-[h:HAS_CUI]-(:Stub) RETURN h.source AS source") == [
        {"source": "second"}
    ]


def test_an_addition_may_come_before_what_it_adds_to(loading):
    added = [Entity("X:1", synonyms=("Asthmatic",))]
    loading(added, "second")
    loading(THEIRS, "first")
    after = dump(loading.database)
    withdraw.unload(loading.database, "first")
    withdraw.unload(loading.database, "second")
    loading(THEIRS, "first")
    loading(added, "second")
    assert dump(loading.database) == after
