"""KGX of others: categories, predicates, provenance, and what is wrong with a file."""

from medgraph.schema.records import Relation
from tests.support.exchange import KGX_HEAD as HEAD
from tests.support.exchange import read_kgx as read
from tests.support.exchange import write_kgx as write


def test_edges_of_one_triple_are_one_relation_with_what_each_of_them_says(tmp_path):
    head = "id\tsubject\tpredicate\tobject\tprimary_knowledge_source\tpublications\tfrequency_qualifier\n"
    rows = [
        "e1\tMONDO:1\tbiolink:has_phenotype\tHP:1\tinfores:hpo\tPMID:1\t",
        "e2\tMONDO:1\tbiolink:has_phenotype\tHP:1\tinfores:hpo\tPMID:2|PMID:1\t",
        "e3\tMONDO:1\tbiolink:has_phenotype\tHP:1\tinfores:hpo\tPMID:3\tHP:0040283",
        "e4\tMONDO:1\tbiolink:has_phenotype\tHP:1\tinfores:orphanet\tPMID:4",
    ]
    nodes = HEAD + "MONDO:1\tbiolink:Disease\tCOPD\nHP:1\tbiolink:PhenotypicFeature\tDyspnea\n"
    records, rejects, remarks = read(write(tmp_path / "g", nodes, head + "\n".join(rows)))
    assert (rejects, remarks) == ([], [])
    found = {(source, relation.predicate): relation for source, relation in records if isinstance(relation, Relation)}
    assert list(found) == [
        ("g-hpo", ""), ("g-hpo", "biolink:has_phenotype (frequency_qualifier=HP:0040283)"), ("g-orphanet", ""),
    ]  # fmt: skip
    both = found["g-hpo", ""]
    assert both.evidence == ("PMID:1", "PMID:2")
    assert dict(both.properties) == {
        "kgx_id": ("e1", "e2"),
        "primary_knowledge_source": "infores:hpo",
        "statements": (
            '{"evidence": ["PMID:1"], "kgx_id": "e1"}', '{"evidence": ["PMID:2", "PMID:1"], "kgx_id": "e2"}',
        ),
    }  # fmt: skip
