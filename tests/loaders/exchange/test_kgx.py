"""KGX of others: categories, predicates, provenance, and what is wrong with a file."""

import json

from medgraph.loaders.base import Row
from medgraph.loaders.commands import LoadOptions, task_of
from medgraph.loaders.exchange import kgx
from medgraph.schema.records import Entity, Relation
from medgraph.settings import Settings
from tests.support.exchange import KGX as DATA
from tests.support.exchange import KGX_HEAD as HEAD
from tests.support.exchange import NODES
from tests.support.exchange import read_kgx as read
from tests.support.exchange import write_kgx as write


def test_describe_and_recognise(tmp_path):
    assert kgx.recognise(DATA)
    assert kgx.describe(DATA).id == "kgx"
    (tmp_path / "nodes.tsv").write_text("id\tname\tkind\n1\tx\ty\n")
    assert not kgx.recognise(tmp_path)
    (tmp_path / "edges.tsv").write_text("a\tb\n")
    assert not kgx.recognise(tmp_path)
    assert not kgx.recognise(NODES)
    broken = tmp_path / "x.tar.gz"
    broken.write_bytes(b"\x1f\x8bnothing")
    assert not kgx.recognise(broken)


def test_a_million_characters_a_cycle_and_the_same_id_twice(tmp_path):
    nodes = HEAD + f"DOID:1\tbiolink:Disease\t{'x' * 1_000_000}\nDOID:1\tbiolink:Disease\tother\n"
    edges = "subject\tpredicate\tobject\nDOID:1\tbiolink:subclass_of\tDOID:1\nDOID:1\tbiolink:treats\tDOID:404\n"
    records, rejects, _ = read(write(tmp_path / "g", nodes, edges))
    assert rejects == []
    assert [type(record) for _, record in records] == [Entity, Relation, Relation]
    assert (len(records[0][1].name), records[0][1].synonyms) == (1_000_000, ("other",))


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


def test_nodes_with_lists_and_without_categories(tmp_path):
    nodes = [
        {"id": "HP:1", "name": ["Fever", "Pyrexia"], "description": ["Hot.", "Ill."], "type": ["a", "b"]},
        {"id": "CHEBI:1", "category": ["biolink:SmallMolecule", "biolink:Drug"], "synonym": ["x", "y|z"], "name": "a"},
    ]
    path = tmp_path / "g.json"
    path.write_text(json.dumps({"nodes": nodes}))
    records, rejects, remarks = read(path)
    (_, fever), (_, drug) = records
    assert (fever.label, fever.name, fever.synonyms) == ("Phenotype", "Fever", ("Pyrexia",))
    assert (fever.definition, dict(fever.properties)) == ("Hot.\nIll.", {"kgx_type": ("a", "b")})
    assert (drug.label, drug.synonyms) == ("Drug", ("x", "y|z"))
    assert dict(drug.properties) == {"category": ("biolink:SmallMolecule", "biolink:Drug")}
    assert rejects == []
    assert {remark.text.partition(";")[0] for remark in remarks} == {
        "'HP:1' and perhaps others have no category", "what stands in 'type' is stored as 'kgx_type'",
    }  # fmt: skip


def test_parts_are_called_after_the_name_that_the_source_is_loaded_under(tmp_path):
    edges = "subject\tpredicate\tobject\tprovided_by\nDOID:1\tbiolink:related_to\tDOID:1\ttest\n"
    path = write(tmp_path / "test", HEAD + "DOID:1\tbiolink:Disease\tx\n", edges)
    assert {source for source, _ in read(path)[0]} == {"", "test-test"}
    items = list(kgx.records(path, name="mine"))
    assert {item.source for item in items if isinstance(item, Row)} == {"", "mine-test"}
    task = task_of(Settings.from_environment(), "kgx", path, LoadOptions(name="mine"))
    assert {item.source for item in task.items() if isinstance(item, Row)} == {"mine", "mine-test"}
