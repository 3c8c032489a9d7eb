"""Biolink's words for our labels and types."""

from medgraph.schema.exchange import biolink
from medgraph.schema.vocabulary import ENTITY_LABELS, RELATION_TYPES


def test_every_label_and_type_is_found_again():
    assert {biolink.relation_of(biolink.predicate_of(kind)) for kind in RELATION_TYPES} == set(RELATION_TYPES)
    for label, category in ENTITY_LABELS.items():
        found = biolink.label_of(biolink.categories_of(label))
        assert ENTITY_LABELS[found or "Topic"] == category, label
