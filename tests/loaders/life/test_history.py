"""Before and after a load: what it would change, what it says, what it keeps, and taking it back."""

import random
from contextlib import suppress

import pytest

from medgraph.errors import InputError, UnknownSourceError
from medgraph.loaders.base import Reject, Remark
from medgraph.loaders.commands import LoadOptions, load_named, task_of
from medgraph.loaders.life import load, withdraw
from medgraph.loaders.life.outcome import Counts, Tolerance
from medgraph.schema import rows
from medgraph.schema.records import Entity, Question, Relation, Section
from tests.support.graphs import run
from tests.support.loads import (
    Fragile,
    Interrupted,
    batches_of,
    clear,
    counts,
    document,
    dump,
    pages_of,
    rejects_of,
    releases,
    some_file,
)
from tests.support.paths import FILES
from tests.support.points import STEPS, seeds

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


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("commit", [False, True], ids=["before", "after"])
def test_a_replacement_and_its_undoing_are_taken_up_wherever_they_are_interrupted(loading, monkeypatch, commit, step):
    batches_of(monkeypatch, 2)
    pages_of(monkeypatch, 2)
    files = releases(3, ("first", "second"), 2)
    old, new = files["first"]
    loading(files["second"][0], "second")
    loading(old, "first")
    before = dump(loading.database)
    loading(new, "first", replace=True)
    expected = dump(loading.database)
    for good in range(1, 200, step):
        clear(loading.database)
        loading(files["second"][0], "second")
        loading(old, "first")
        with suppress(Interrupted):
            loading(new, "first", replace=True, database=Fragile(loading.database, good, commit))
            break
        loading(new, "first", replace=True)
        assert dump(loading.database) == expected
        with suppress(Interrupted):
            withdraw.undo(Fragile(loading.database, good, commit), "first")
        if run(loading.database, "MATCH (l:Load {source: 'first'}) WHERE l.status = 'undone' RETURN l") == []:
            withdraw.undo(loading.database, "first")
        assert dump(loading.database) == before
    assert good > 5


def test_only_the_last_load_can_be_taken_back(loading):
    loading([document(1), document(2)])
    loading([document(1, "Two.")])
    loading([document(1, "Three.")])
    text = "MATCH (s:Section {id: 'd1#1'}) RETURN s.text AS text"
    assert withdraw.undo(loading.database, "own").restored == 1
    assert run(loading.database, text) == [{"text": "Two."}]
    with pytest.raises(InputError, match="only the last load can be taken back; load the earlier file with --replace"):
        withdraw.undo(loading.database, "own")
    loading([document(1, "Four.")])
    withdraw.undo(loading.database, "own")
    assert run(loading.database, text) == [{"text": "Two."}]
    with pytest.raises(UnknownSourceError, match="no load of 'other'"):
        withdraw.undo(loading.database, "other")


def test_the_list_of_rejects_is_a_table_whatever_stands_in_it(loading):
    report = loading([document(1), Reject("a\tb\nc\u2028d\x1c.xml", 3, "one\ntwo\tthree \ud800 喘息")])
    assert rejects_of(report) == [
        "record\tkind\tfile\tline\treason",
        "1\treject\ta b c d .xml\t3\tone two three \\ud800 喘息",
    ]


def test_remarks_are_listed_and_nothing_is_lost(loading):
    report = loading([document(1), Remark("file", 3, "the prefix FOO is not known"), document(2)])
    assert (counts(report), report.remarks) == ((2, 0, 0, 0), 1)
    assert report.rejects_file.read_text().splitlines() == [
        "record\tkind\tfile\tline\treason",
        "1\tremark\tfile\t3\tthe prefix FOO is not known",
    ]
    assert report.summary().endswith("0 rejected, 1 remark")


@pytest.mark.parametrize(
    ("text", "rejected", "position", "exceeded"),
    [
        ("500", 500, 500, False),
        ("1,500", 1501, 100_000, True),
        ("20%", 20, 100, False),
        ("20%", 21, 100, True),
        ("0", 1, 1000, True),
        ("100%", 7, 7, False),
        (" ALL ", 9, 9, False),
    ],
)
def test_a_number_a_share_or_all(text, rejected, position, exceeded):
    assert Tolerance.of(text).exceeded(Counts(rejected=rejected, position=position)) is exceeded


@pytest.mark.parametrize("text", ["", "some", "-1", "10 %%", "1.5", "101%"])
def test_what_is_no_limit(text):
    with pytest.raises(InputError, match="is no limit of rejects"):
        Tolerance.of(text)


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
        ("changed", "Entity", "X:1", "label: Disease → Symptom; synonyms: + Wheeze"),
        ("rejected", "", "file:3", "X:1 IS_A X:9: there is no entity 'X:9'; load first what has it"),
        ("changed", "Document", "d1", "sections: d1#1 Asthma is common. → d1#1 Changed."),
        ("rejected", "", "file:7", "broken"),
        ("withdrawn", "Entity", "X:2", ""),
        ("withdrawn", "Relation", "X:1 IS_A X:2", ""),
    ]


@pytest.mark.parametrize("seed", seeds(2, 8))
def test_a_dry_run_says_what_a_load_does_and_batches_do_not_matter(loading, monkeypatch, seed):
    chance = random.Random(seed)
    database = loading.database
    files = [(some_file(chance), chance.choice(["own", "own", "other"])) for _ in range(3)]
    results = []
    for size in (500, 2, 1):
        batches_of(monkeypatch, size)
        clear(database)
        result = []
        for items, name in files:
            before = dump(database)
            dry = loading(items, name, minimum=0, dry_run=True)
            assert dump(database) == before
            real = loading(items, name, minimum=0)
            assert counts(dry) == counts(real)
            assert sum(counts(real)) == real.position - real.remarks == len(items)
            result.append((counts(real), dump(database)))
        results.append(result)
    assert results[0] == results[1] == results[2]


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
