"""Parts of structured abstracts: the labels that journals print, sorted into a few types."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.schema.abstracts import CATEGORIES, part_type
from medgraph.schema.vocabulary import SECTION_TYPES


@pytest.mark.parametrize(
    ("label", "category", "expected"),
    [
        ("", "", "information"),
        ("UNLABELLED", "", "information"),
        ("Unassigned", "UNASSIGNED", "information"),
        ("MAIN OUTCOME MEASURES", "", "methods"),
        ("Design, setting and participants", "", "methods"),
        ("BACKGROUND AND AIMS", "", "objective"),
        ("METHODS AND RESULTS", "", "results"),
        ("DISCUSSION", "", "conclusions"),
        ("Rationale", "", "background"),
        ("anything", "RESULTS", "results"),
        ("Treatment", "", "treatment"),
        ("Prognosis", "", "outlook"),
        ("REGISTRATION", "", "other information"),
    ],
)
def test_labels(label, category, expected):
    assert part_type(label, category) == expected


@given(st.text(), st.text())
def test_any_label_has_a_type_of_the_graph(label, category):
    assert part_type(label, category) in CATEGORIES | SECTION_TYPES.keys()
