"""What kinds are told of what is stored: the columns of the statements that tell it."""

from dataclasses import FrozenInstanceError, fields

import pytest

from medgraph.graph import catalogue
from medgraph.loaders.life.kinds.states import Former, Known, State


def test_a_former_record_is_a_row_of_its_query():
    assert [field.name for field in fields(Former)] == list(catalogue.get("former_records").columns)


@pytest.mark.parametrize("query", ["entity_states", "relation_states", "create_relations", "document_states"])
def test_a_state_is_in_the_rows_of_each_query_for_it(query):
    assert {"hash", "seen", "load"} <= set(catalogue.get(query).columns)


def test_batches_do_not_share_what_is_known():
    first, second = Known(), Known()
    first.states["d1",] = State(1, 2, 3)
    assert second.states == {}
    with pytest.raises(FrozenInstanceError):
        first.states["d1",].seen = 4
