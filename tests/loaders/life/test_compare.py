"""What storing records would do: in a dry run as in a load, with ids that come twice, revisions and withdrawals."""

import random

import pytest

from medgraph.schema.records import Question, Section
from tests.support.graphs import run
from tests.support.loads import (
    batches_of,
    clear,
    counts,
    document,
    dump,
    rejects_of,
    some_file,
)
from tests.support.points import seeds


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
            assert sum(counts(real)) == real.position == len(items)
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
