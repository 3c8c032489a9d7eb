"""What a load changes or takes out is kept until the source's next load."""

from medgraph.schema import rows
from medgraph.schema.records import Entity, Relation
from tests.support.graphs import run
from tests.support.loads import document

KEPT = (
    "MATCH (:Load {id: $load})<-[:BEFORE]-(f:Former) "
    "RETURN f.kind AS kind, f.key AS key, f.source AS source, f.record AS record, f.hash AS hash, f.load AS load "
    "ORDER BY kind"
)


def test_what_changes_or_goes_is_kept_as_it_was_until_the_next_load(loading):
    old = [
        Entity("X:1", "Disease", "Asthma", ("Wheeze",), concepts=("C0004096",)),
        Entity("X:2", "Disease", "Cough"),
        Relation("X:1", "IS_A", "X:2", score=0.5),
        document(1, "Old."),
    ]
    first = loading(old)
    new = [Entity("X:1", "Disease", "Asthma"), old[1], Relation("X:1", "IS_A", "X:2", score=0.7)]
    second = loading(new, replace=True)
    kept = run(loading.database, KEPT, load=second.load)
    assert [(row["kind"], row["key"], row["source"], row["load"]) for row in kept] == [
        ("Document", "d1", "own", first.load),
        ("Entity", "X:1", "own", first.load),
        ("Relation", "X:1 IS_A X:2", "own", first.load),
    ]
    classes = {kind.__name__: kind for kind in map(type, old)}
    assert [rows.from_json(classes[row["kind"]], row["record"]) for row in kept] == [old[3], old[0], old[2]]
    assert all(row["hash"] != 0 for row in kept)
    third = loading(old)
    assert run(loading.database, KEPT, load=second.load) == []
    assert {row["kind"] for row in run(loading.database, KEPT, load=third.load)} == {"Entity", "Relation"}
