"""Biolink's words for our labels and types."""

from medgraph.schema.exchange import biolink
from medgraph.schema.vocabulary import ENTITY_LABELS, RELATION_TYPES


def test_every_label_and_type_is_found_again():
    found = {kind: biolink.relation_of(biolink.predicate_of(kind)) for kind in RELATION_TYPES}
    assert {kind: other for kind, other in found.items() if other != kind} == {
        "HAS_COMPLICATION": None, "RELATED_MATCH": "RELATED_TO",  # of which Biolink says less
    }  # fmt: skip
    assert {biolink.relation_of(predicate) for predicate in RELATION_TYPES.values()} == set(RELATION_TYPES)
    for label, category in ENTITY_LABELS.items():
        found = biolink.label_of(biolink.categories_of(label))
        assert ENTITY_LABELS[found or "Topic"] == category, label
