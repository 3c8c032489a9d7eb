"""What became of items, in figures."""

from dataclasses import FrozenInstanceError

import pytest

from medgraph.loaders.base import Reject, Remark, Row
from medgraph.loaders.life.outcome import Counts, Outcome
from tests.support.loads import document

ROWS = [Row(document(n), "file", n) for n in range(1, 6)]


def test_a_batch_is_counted_with_its_rejects_and_remarks():
    reject, remark = Reject("file", 6, "broken"), Remark("file", 7, "odd")
    outcome = Outcome(ROWS[:2], ROWS[2:3], [], ROWS[3:4], rejects=[(4, Reject("file", 5, "known"))])
    counts = Counts.of([*ROWS, reject, remark], outcome)
    assert counts == Counts(added=2, changed=1, withdrawn=1, rejected=2, remarks=1, position=7)
    assert counts.records == 4


def test_counts_add_up_and_none_is_changed_by_it():
    first, second = Counts(added=2, rejected=1, position=3), Counts(added=1, unchanged=4, position=5)
    assert first + second == Counts(added=3, unchanged=4, rejected=1, position=8)
    assert first == Counts(added=2, rejected=1, position=3)
    assert first + Counts() == first
    with pytest.raises(FrozenInstanceError):
        first.added = 3


def test_counts_come_back_from_a_load_that_recorded_them():
    counts = Counts(1, 2, 3, 4, 5, 6, position=7)
    assert Counts.stored(counts.by_name() | {"position": 7}) == counts
    # A load that is taken up does not tell what it withdrew.
    assert Counts.stored({"added": 1, "position": 2, "withdrawn": None}) == Counts(added=1, position=2)
