"""Records as the writer stores them: in batches, large and odd ones, and in place of what was there."""

from medgraph.loaders.life import withdraw
from medgraph.schema.records import Entity, Question, Section
from tests.support.graphs import run
from tests.support.loads import (
    CUT,
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
