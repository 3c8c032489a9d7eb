"""What a bulk load writes as CSV, and what it leaves for the ordinary way."""

import pytest

from medgraph.loaders.base import Reject, Remark, Row
from medgraph.loaders.bulk.packing import pack
from medgraph.loaders.bulk.sorting import Sorter, read_left
from medgraph.loaders.life.outcome import Counts
from medgraph.schema.records import Document, Entity, Relation, SourceInfo, Withdrawal

PART = SourceInfo("own-a", "A", "1", "CC0-1.0", "")


@pytest.fixture
def sort(tmp_path):
    """Sorts batches of records, gives what is listed, what became of all, and what is left."""

    def sorted_(*batches):
        with Sorter(tmp_path, "own") as sorter:
            listed = []
            for batch in batches:
                items = [item if isinstance(item, Reject | Remark) else Row(item, "file", 1, "own") for item in batch]
                listed += sorter.sort(pack(items, sorter.sorted.counts.position))
            sorter.finish()
            left = read_left(tmp_path, sorter.sorted.left)
            return listed, sorter.sorted, [(number, row.record) for number, row in left]

    return sorted_


def entity(number, name="Asthma"):
    return Entity(f"X:{number}", "Disease", name)


def test_an_entity_that_comes_twice_is_left(sort):
    listed, done, left = sort([entity(1), entity(2), entity(1, "Other")], [entity(2)])
    assert listed == []
    assert (done.counts, done.left) == (Counts(added=2, position=4), 2)
    assert left == [(2, entity(1, "Other")), (3, entity(2))]


def test_a_relation_to_what_has_not_come_is_rejected_at_once(sort):
    good, twice, bad = (
        Relation("X:1", "IS_A", "X:2"),
        Relation("X:1", "IS_A", "X:2", score=0.5),
        Relation("X:1", "IS_A", "X:3"),
    )
    listed, done, left = sort([entity(1), entity(2)], [good, bad, twice])
    assert [(number, reject.reason) for number, reject in listed] == [
        (3, "X:1 IS_A X:3: there is no entity 'X:3'; load first what has it")
    ]
    assert done.counts == Counts(added=3, rejected=1, position=5)
    assert left == [(4, twice)]


def test_what_points_to_something_left_is_left_too(sort):
    odd = Entity("X:1", "Disease", "Asthma", synonyms=("",))
    relation, about = Relation("X:1", "IS_A", "X:2"), Document("d1", "T", url="u", about=("X:1",))
    _, done, left = sort([odd, entity(2)], [relation], [about, Document("d2", "T", url="u", about=("X:2",))])
    assert [record for _, record in left] == [odd, relation, about]
    assert done.counts.added == 2


def test_documents_that_share_a_name_and_withdrawals_are_left(sort):
    first, again = Document("d1", "T", url="u"), Document("d1", "Other", url="u")
    _, done, left = sort([first, again], [Withdrawal("d1"), Withdrawal("d9")])
    assert [record for _, record in left] == [again, Withdrawal("d1"), Withdrawal("d9")]
    assert (done.counts.added, done.left) == (1, 3)


def test_parts_are_noted_and_rejects_and_remarks_counted(sort):
    reject, remark = Reject("file", 7, "broken"), Remark("file", 8, "odd")
    listed, done, left = sort([PART, PART], [reject, remark, entity(1)])
    assert listed == [(2, reject), (3, remark)]
    assert done.counts == Counts(added=2, rejected=1, remarks=1, position=5)
    assert dict(done.parts) == {"own-a": PART}
    assert left == [(1, PART)]
