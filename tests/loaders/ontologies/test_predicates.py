"""What properties of ontologies mean in the graph."""

import pytest

from medgraph.loaders.ontologies.predicates import MATCHES, relation_type
from medgraph.loaders.ontologies.term import StatementSource, Synonym, Term
from medgraph.schema.vocabulary import RELATION_TYPES


@pytest.mark.parametrize(
    ("predicate", "name", "expected"),
    [
        ("is_a", "", ("IS_A", True)),
        ("rdfs:subClassOf", "", ("IS_A", True)),
        ("BFO:0000050", "part of", ("PART_OF", True)),
        ("RO:0002212", "negatively regulates", ("REGULATES", False)),  # the type does not say how
        ("skos:broader", "", ("IS_A", False)),
        ("RO:0001025", "has part", ("LOCATED_IN", True)),  # its id tells what it is, before its name
        ("RO:0002302", "part of", ("TREATED_BY", False)),
        ("http://example.org/p1", "has symptom", ("HAS_SYMPTOM", False)),
        ("lungs:p1", "  Disease has-location ", ("LOCATED_IN", False)),
        ("RO:0003309", "exacerbates condition", ("WORSENED_BY", True)),  # from the other end
        ("RO:0003311", "condition exacerbated by", ("WORSENED_BY", True)),
        ("lungs:p1", "contraindicated in", ("CONTRAINDICATED_IN", False)),
        ("lungs:p1", "exacerbates condition", ("RELATED_TO", False)),  # its ends are not known to be turned
        ("lungs:p1", "likes", ("RELATED_TO", False)),
        ("lungs:p1", "", ("RELATED_TO", False)),
    ],
)
def test_the_type_of_a_relation(predicate, name, expected):
    assert relation_type(predicate, name) == expected


def test_a_property_means_the_same_by_its_id_and_by_the_word_of_obo():
    pairs = {
        "BFO:0000050": "part_of",
        "BFO:0000051": "has_part",
        "RO:0001025": "located_in",
        "RO:0002202": "develops_from",
        "RO:0002452": "has_symptom",
        "RO:0002351": "has_member",
        "RO:0002211": "regulates",
        "RO:0002434": "interacts_with",
        "RO:0000056": "participates_in",
        "RO:0002292": "expresses",
        "RO:0004026": "disease_has_location",
        "RO:0002212": "negatively_regulates",
        "RO:0002213": "positively_regulates",
    }
    for curie, word in pairs.items():
        assert relation_type(curie) == relation_type(word)
        assert relation_type(curie)[0] in RELATION_TYPES.keys() - {"RELATED_TO"}


@pytest.mark.parametrize("predicate", MATCHES)
def test_mappings_are_relations_of_their_own_and_properties(predicate):
    kind, exact = relation_type(predicate)
    assert exact
    assert kind in RELATION_TYPES
    assert MATCHES[predicate].removesuffix("es").upper() == kind
    assert len(MATCHES) == 5


@pytest.mark.parametrize(
    ("predicate", "fields"),
    [
        ("skos:prefLabel", {"names": ["true"]}),
        ("IAO:0000115", {"definitions": ["true"], "definition_xrefs": ["PMID:1"]}),
        ("oboInOwl:hasExactSynonym", {"synonyms": [Synonym("true", "EXACT", "", ("PMID:1",))]}),
        ("oboInOwl:hasNarrowSynonym", {"synonyms": [Synonym("true", "NARROW", "", ("PMID:1",))]}),
        ("oboInOwl:hasBroadSynonym", {"synonyms": [Synonym("true", "BROAD", "", ("PMID:1",))]}),
        ("oboInOwl:hasRelatedSynonym", {"synonyms": [Synonym("true", "RELATED", "", ("PMID:1",))]}),
        ("skos:altLabel", {"synonyms": [Synonym("true", "EXACT", "", ("PMID:1",))]}),
        ("oboInOwl:hasDbXref", {"xrefs": [("true", ("PMID:1",))]}),
        ("owl:deprecated", {"obsolete": True}),
        ("IAO:0100001", {"values": {"replaced_by": ["true"]}}),
        ("oboInOwl:hasAlternativeId", {"values": {"alternative_ids": ["true"]}}),
        ("skos:broadMatch", {"values": {"broad_matches": ["true"]}}),
        ("rdf:type", {}),
        ("http://example.org/p", {"values": {"http://example.org/p": ["true"]}}),
    ],
)
def test_an_annotation_goes_where_it_belongs(predicate, fields):
    term = Term("DOID:1")
    term.say(predicate, "true", StatementSource(("PMID:1",)) if "PMID:1" in str(fields) else StatementSource())
    assert term == Term("DOID:1", **fields)
