"""Batches that go to another process come back as they were."""

import pickle

import pytest

from medgraph.loaders.base import Reject, Remark, Row
from medgraph.loaders.bulk.packing import pack
from medgraph.schema.records import Document, Entity, Relation, SourceInfo, Withdrawal

ENTITY = Entity("X:1", "Disease", "Gout", ("podagra",), obsolete=True, properties=(("count", 3),))


@pytest.mark.parametrize(
    "record",
    [
        ENTITY,
        Relation("X:1", "IS_A", "X:2", "p:of", "inferred", ("PMID:1",), 0.5, (("year", 2020),)),
        Document("d1", "Gout", url="u", about=("X:1",)),
        Withdrawal("d1"),
        SourceInfo("part", "Part", "1", "CC0-1.0", ""),
    ],
    ids=lambda record: type(record).__name__,
)
def test_rows_come_back_as_they_were(record):
    rows = [Row(record, "a.txt", 7, "own"), Row(record, "b.txt", 0, "part")]
    packed = pickle.loads(pickle.dumps(pack(rows, 10)))
    assert (packed.kind, packed.size, packed.listed) == (type(record), 2, [])
    assert [(number, packed.row(place)) for place, number in enumerate(packed.numbers)] == [
        (10, rows[0]),
        (11, rows[1]),
    ]


def test_rejects_and_remarks_are_listed_and_the_numbers_of_rows_skip_them():
    reject, remark, row = Reject("f", 1, "broken"), Remark("f", 2, "odd"), Row(ENTITY, "f", 3, "own")
    packed = pack([reject, row, remark, row], 5)
    assert packed.listed == [(5, reject), (7, remark)]
    assert list(packed.numbers) == [6, 8]
    nothing = pack([reject], 0)
    assert (nothing.kind, nothing.size, list(nothing.numbers)) == (None, 1, [])
