"""What a load into an empty graph would reject, told without a database."""

import random

import pytest

from medgraph.loaders.base import Reject, Remark, Row
from medgraph.loaders.life.write import foretold
from medgraph.schema.records import Entity, Relation
from tests.support.loads import Loading, counts, some_file
from tests.support.points import seeds


def rows(*records):
    return [Row(record, "file", line) for line, record in enumerate(records, 1)]


def test_what_is_said_twice_otherwise_and_what_points_to_nothing():
    asthma, other = Entity("X:1", "Disease", "Asthma"), Entity("X:1", "Disease", "Gout")
    items = [*rows(asthma, other, Relation("X:1", "IS_A", "X:2")), Remark("file", 4, "look")]
    first, second, third, fourth = foretold(items, "own")
    assert (first.record, first.source) == (asthma, "own")
    assert second.reason.endswith("another record with this id and other content came before it; the first one is kept")
    assert (second.lacks, third.lacks) == ("", "X:2")
    assert fourth is items[-1]


@pytest.mark.parametrize("seed", seeds(2, 30))
def test_it_is_what_a_load_does(tmp_path, database, seed):
    loading = Loading(tmp_path, database)
    items = some_file(random.Random(seed))
    report = loading(items, minimum=0)
    told = list(foretold([item if isinstance(item, Reject) else Row(item, "file", 1) for item in items], "own"))
    assert sum(isinstance(item, Reject) for item in told) == report.rejected == counts(report)[3]
