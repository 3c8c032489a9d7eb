"""What a load of a file would change, element by element."""

from medgraph.loaders.base import Reject
from medgraph.loaders.commands import LoadOptions, load_named, task_of
from medgraph.loaders.life import load
from medgraph.schema.records import Entity, Relation
from tests.support.loads import document
from tests.support.paths import FILES


def test_a_diff_of_an_unchanged_folder_of_updates_is_empty(database, settings):
    load_named(database, settings, "pubmed", FILES / "pubmed")
    task = task_of(settings, "pubmed", FILES / "pubmed", LoadOptions(replace=True))
    assert list(load.diff(database, task)) == []


def test_what_a_diff_tells(loading):
    loading(
        [
            Entity("X:1", "Disease", "Asthma"),
            Entity("X:2", "Disease", "Gout"),
            Relation("X:1", "IS_A", "X:2", evidence=("PMID:1",)),
            document(1),
        ]
    )
    items = [
        Entity("X:1", "Symptom", "Asthma", ("Wheeze",)),
        Entity("X:3", "Disease", "Cough"),
        Relation("X:1", "IS_A", "X:9"),
        document(1, "Changed."),
        Reject("file", 7, "broken"),
    ]
    told = [
        (d.change, d.kind, d.element, d.detail) for d in load.diff(loading.database, loading.task(items, replace=True))
    ]
    assert told == [
        ("added", "Entity", "X:3", ""),
        ("changed", "Entity", "X:1", "label, synonyms"),
        ("rejected", "", "file:3", "X:1 IS_A X:9: there is no entity 'X:9'; load first what has it"),
        ("changed", "Document", "d1", "sections"),
        ("rejected", "", "file:7", "broken"),
        ("withdrawn", "Entity", "X:2", ""),
        ("withdrawn", "Relation", "X:1 IS_A X:2", ""),
    ]
