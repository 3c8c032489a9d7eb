"""KGX of others: categories, predicates, provenance, and what is wrong with a file."""

from medgraph.loaders.base import Row
from medgraph.loaders.commands import Wish, task_of
from medgraph.loaders.exchange import kgx
from medgraph.schema.records import Relation
from medgraph.settings import Settings
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
        "statements": (
            '{"evidence": ["PMID:1"], "kgx_id": "e1"}', '{"evidence": ["PMID:2", "PMID:1"], "kgx_id": "e2"}',
        ),
    }  # fmt: skip


def test_parts_are_called_after_the_name_that_the_source_is_loaded_under(tmp_path):
    edges = "subject\tpredicate\tobject\tprovided_by\nDOID:1\tbiolink:related_to\tDOID:1\ttest\n"
    path = write(tmp_path / "test", HEAD + "DOID:1\tbiolink:Disease\tx\n", edges)
    assert {source for source, _ in read(path)[0]} == {"", "test-test"}
    items = list(kgx.records(path, name="mine"))
    assert {item.source for item in items if isinstance(item, Row)} == {"", "mine-test"}
    task = task_of(Settings.from_environment(), "kgx", path, Wish(name="mine"))
    assert {item.source for item in task.items() if isinstance(item, Row)} == {"mine", "mine-test"}
