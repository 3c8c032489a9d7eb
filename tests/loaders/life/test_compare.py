"""What storing records would do: in a dry run as in a load, with ids that come twice, revisions and withdrawals."""

import random
from dataclasses import replace

import pytest

from medgraph.loaders.life import load, withdraw
from medgraph.schema.records import Entity, Question, Relation, Section, Withdrawal
from tests.support.graphs import run
from tests.support.loads import (
    Loading,
    batches_of,
    clear,
    counts,
    document,
    dump,
    forget_loads,
    rejects_of,
    some_file,
)
from tests.support.points import seeds


@pytest.fixture
def loading(tmp_path, database):
    return Loading(tmp_path, database)


@pytest.mark.parametrize("seed", seeds(3, 8))
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
            assert sum(counts(real)) == real.position == len(items)
            result.append((counts(real), dump(database)))
        results.append(result)
    assert results[0] == results[1] == results[2]


def test_an_id_that_comes_twice_keeps_what_came_first(loading, monkeypatch):
    for size in (500, 1):
        batches_of(monkeypatch, size)
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


def test_of_one_document_in_several_updates_the_last_counts(loading):
    task = loading.task([document(1, "One."), document(2), document(1, "Two."), Withdrawal("d2"), Withdrawal("d9")])
    task = replace(task, source=replace(task.source, last_wins=True))
    report = load.load(loading.database, task)
    assert (counts(report), report.withdrawn) == ((2, 1, 1, 0), 1)
    stored = run(loading.database, "MATCH (s:Section) RETURN s.id AS id, s.text AS text")
    assert stored == [{"id": "d1#1", "text": "Two."}]
    forget_loads(loading.database)
    dry, again = load.load(loading.database, task, dry_run=True), load.load(loading.database, task)
    assert (counts(dry), dry.withdrawn) == (counts(again), again.withdrawn) == ((1, 2, 1, 0), 1)


def test_an_earlier_revision_does_not_replace_a_later_one(loading):
    loading([document(1, "New.", revision="2|2026-05-01")])
    assert counts(loading([document(1, "Old.", revision="1|2026-06-01")])) == (0, 0, 1, 0)
    assert counts(loading([document(1, "Newest.", revision="2|2026-06-01")])) == (0, 1, 0, 0)
    assert run(loading.database, "MATCH (s:Section) RETURN s.text AS text") == [{"text": "Newest."}]


def test_a_withdrawal_of_somebody_elses_document_is_refused(loading):
    loading([document(1)], "other")
    report = loading([Withdrawal("d1"), document(2)])
    assert counts(report) == (1, 0, 0, 1)
    assert "d1: this id belongs to the source other" in report.rejects_file.read_text()
