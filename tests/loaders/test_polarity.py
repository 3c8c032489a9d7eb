"""What a source denies, in the words of every format."""

import pytest

from medgraph.loaders.polarity import NEGATED, NEVER, denial
from tests.support.examples import examples


@pytest.mark.parametrize("predicate", examples("predicates_that_deny"))
def test_predicates_that_deny(predicate):
    assert denial(predicate) == f"statements of what is not so ({predicate[:60]}) are left out"
    assert denial("x:1", name=predicate)


@pytest.mark.parametrize(
    ("qualifiers", "why"),
    [
        ({"negated": True}, NEGATED),
        ({"Negated": "TRUE"}, NEGATED),
        ({"negated": float("nan")}, ""),
        ({"negated": "false"}, ""),
        ({"qualifiers": "biolink:negated=true|other=1"}, NEGATED),
        ({"attributes": [{"attribute_type_id": "biolink:negated", "value": True}]}, NEGATED),
        ({"qualifiers": '[{"qualifier_type_id": "biolink:negated", "qualifier_value": true}]'}, NEGATED),
        ({"qualifiers": "[broken"}, ""),
        ({"relation": "RO:0002161"}, NEGATED),
        ({"relation": "http://purl.obolibrary.org/obo/cl#lacks_part"}, NEGATED),
        ({"predicate_label": "not the same as"}, NEGATED),
        ({"relation": "RO:0002200", "qualifier": "not_provided"}, ""),
        ({"frequency_qualifier": "HP:0040285"}, NEVER),
        ({"frequency_qualifier": "Excluded (0%)"}, NEVER),
        ({"frequency_qualifier": "0-10%"}, ""),
        ({"frequency_qualifier": "10/30"}, ""),
        ({"has_count": 0, "has_total": 30}, NEVER),
        ({"has_count": 0, "has_total": 0, "has_percentage": 0.0}, ""),  # nobody was looked at
        ({"has_count": "", "has_total": "30", "has_percentage": None}, ""),
        ({"has_percentage": "0.00"}, NEVER),
        ({"has_percentage": 0.01}, ""),
        ({"knowledge_level": "not_provided", "agent_type": "not_provided"}, ""),
        ({"description": "not|negated=true", "score": 0, "count": 0}, ""),
    ],
)
def test_what_qualifies_a_statement(qualifiers, why):
    assert denial("biolink:has_phenotype", qualifiers) == why
