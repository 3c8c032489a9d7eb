"""Records as the writer stores them: in batches, large and odd ones, and at once."""

import random
from functools import partial

import pytest

from medgraph.loaders.life import withdraw
from medgraph.schema.records import Entity, Question, Relation, Section
from tests.support.graphs import run
from tests.support.loads import (
    CUT,
    at_once,
    batches_of,
    clear,
    count,
    counts,
    document,
    dump,
)


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


@pytest.mark.thorough
def test_different_sources_may_be_loaded_at_once(loading, server, monkeypatch):
    batches_of(monkeypatch, 20)
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


@pytest.mark.thorough
def test_one_file_may_be_loaded_twice_at_once(loading, server, monkeypatch):
    batches_of(monkeypatch, 20)
    items = [Entity(f"e{n}", "Disease", "Asthma", concepts=(f"C000000{n % 7}",)) for n in range(100)]
    items += [document(n, about=(f"e{n}",), questions=(Question(f"q{n}", "Why?"),)) for n in range(100)]
    loading(items)
    expected = dump(loading.database)
    clear(loading.database)
    results = at_once(server, *[partial(loading, items)] * 2)
    assert [report.rejected for report in results] == [0, 0]
    assert dump(loading.database) == expected
    assert loading(items).known


def test_sources_that_state_the_same_entities_may_be_loaded_at_once(loading, server, monkeypatch):
    batches_of(monkeypatch, 10)
    files = {}
    for name in "abc":
        files[name] = [Entity(f"X:{n}", "Disease", f"{name} {n % 7}", concepts=(f"C000000{n % 5}",)) for n in range(60)]
        files[name] += [Relation(f"X:{n}", "IS_A", f"X:{n // 2}") for n in range(1, 60)]
    for name, items in files.items():
        loading(items, name)
    expected = dump(loading.database)
    clear(loading.database)
    results = at_once(server, *(partial(loading, items, name) for name, items in files.items()))
    assert [counts(report) for report in results] == [(119, 0, 0, 0)] * 3
    assert dump(loading.database) == expected
