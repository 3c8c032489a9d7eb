"""The attributes of records, listed once."""

import pytest

from medgraph.loaders.mapping import keys
from medgraph.schema.records import (
    RESERVED,
    Entity,
    Relation,
)
from medgraph.schema.rows import attributes, names


def test_the_names_that_the_graph_uses_are_those_of_graphs_stored_before():
    assert sorted(RESERVED) == (
        "about aliases alternative_ids authors broad_synonyms chunked collection collections concepts cui "
        "definition doi embedding embedding_b embedding_model embedding_model_b end evidence folded generated hash "
        "heading id journal kge label licence load method name narrow_synonyms notices object obsolete position "
        "predicate published question questions related_synonyms replaced_by retracted revision score section "
        "sections seen semantic_types sentence_model sentence_model_b sentence_vectors sentence_vectors_b source "
        "sources start subject synonyms text title translations type types url version xrefs"
    ).split(" ")


@pytest.mark.parametrize(("record", "known"), [(Entity, keys.ENTITY), (Relation, keys.RELATION)])
def test_a_mapping_can_say_all_that_a_record_can(record, known):
    assert set(names(attributes(record))) <= known.keys()
