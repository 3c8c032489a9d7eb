"""Taking back the last load of a source."""

from contextlib import suppress

import pytest

from medgraph.errors import InputError, UnknownSourceError
from medgraph.loaders.life import withdraw
from tests.support.graphs import run
from tests.support.loads import (
    Fragile,
    Interrupted,
    batches_of,
    clear,
    document,
    dump,
    pages_of,
    releases,
)
from tests.support.points import STEPS


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
