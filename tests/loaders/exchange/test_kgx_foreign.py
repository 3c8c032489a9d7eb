"""KGX graphs that others wrote, as entities and relations."""

import json
from pathlib import Path

from medgraph.schema.records import Entity, Relation, SourceInfo
from tests.support.exchange import KGX as DATA
from tests.support.exchange import KGX_HEAD as HEAD
from tests.support.exchange import read_kgx as read
from tests.support.exchange import write_kgx as write


def entities(path):
    return {record.id: record for _, record in read(path)[0] if isinstance(record, Entity)}


def relations(path):
    return [(source, record) for source, record in read(path)[0] if isinstance(record, Relation)]


def test_nodes_become_entities():
    found = entities(DATA)
    asthma = found["MONDO:0004979"]
    assert (asthma.label, asthma.name) == ("Disease", "asthma")
    assert asthma.synonyms == ("bronchial asthma", "wheezing disease")
    assert (asthma.concepts, asthma.xrefs) == (("C0004096",), ("DOID:2841", "UMLS:C0004096"))
    assert not asthma.obsolete
    assert found["HP:0002094"].label == "Phenotype"
    albuterol = found["CHEBI:2549"]
    assert albuterol.label == "Chemical"
    assert dict(albuterol.properties) == {
        "category": ("biolink:SmallMolecule", "biolink:ChemicalEntity", "biolink:NamedThing"),
        "in_taxon": ("NCBITaxon:9606",),
        "weight": "12",
    }
    cohort = found["XYZ:1"]
    assert (cohort.label, cohort.definition) == ("Topic", 'It says "hello" | and C\\N=C')
    assert dict(cohort.properties) == {"category": ("biolink:Cohort",)}


def test_ids_get_standard_prefixes_and_a_missing_name_is_noticed():
    (gene,) = (entity for entity in entities(DATA).values() if entity.label == "Gene")
    assert (gene.id, gene.name, gene.obsolete) == ("NCBIGene:3596", "NCBIGene:3596", True)
    remarks = {(Path(r.file).name, r.line): r.text for r in read(DATA)[2]}
    assert remarks["asthma_nodes.tsv", 5] == "'ncbigene:3596' and perhaps others have no name; their ids stand for it"
    assert remarks["asthma_nodes.tsv", 6].startswith("the prefix 'XYZ' is unknown")
    assert remarks["asthma_edges.tsv", 2] == "what stands in 'type' is stored as 'kgx_type'"
    assert len(remarks) == 4


def test_a_prefix_tells_kinds_apart_that_biolink_does_not(tmp_path):
    nodes = "SYMP:1\tbiolink:PhenotypicFeature\tx\nDOID:1\tbiolink:Gene\tx\nATC:1\tbiolink:ChemicalEntity\tx\n"
    found = entities(write(tmp_path / "g", HEAD + nodes + "CHEBI:1\tbiolink:NamedThing\tx\n"))
    assert [entity.label for entity in found.values()] == ["Symptom", "Gene", "DrugClass", "Chemical"]


def test_edges_become_relations():
    found = [(relation.type, relation.predicate) for _, relation in relations(DATA)]
    assert found == [
        ("HAS_SYMPTOM", ""),
        ("TREATS", ""),
        ("RELATED_TO", "biolink:in_cohort_with"),
        ("EXACT_MATCH", ""),
        ("IS_A", ""),
        ("AFFECTS", "biolink:affects (object_direction_qualifier=decreased)"),
        ("AFFECTS", "biolink:affects (object_direction_qualifier=increased)"),
    ]
    _, first = relations(DATA)[0]
    assert (first.evidence, first.score) == (("PMID:1", "PMID:2"), 0.75)
    assert dict(first.properties) == {
        "agent_type": "manual_agent",
        "kgx_id": "e1",
        "kgx_type": "x",
        "knowledge_level": "knowledge_assertion",
    }


def test_what_is_negated_is_left_out_with_a_remark():
    records, rejects, remarks = read(DATA)
    (remark,) = (remark for remark in remarks if (Path(remark.file).name, remark.line) == ("asthma_edges.tsv", 6))
    assert remark.text.startswith("CHEBI:2549 biolink:causes HP:0002094 is negated: what is not so the graph does not")
    assert rejects == []
    assert not any(isinstance(record, Relation) and record.type == "CAUSES" for _, record in records)


def test_who_provided_something_is_a_part_of_the_source():
    rows = read(DATA)[0]
    parts = {record.id: record.title for _, record in rows if isinstance(record, SourceInfo)}
    assert parts["kgx-hpo"] == "infores:hpo"
    said = {(source, getattr(record, "id", "")) for source, record in rows if isinstance(record, Entity)}
    assert {("kgx-hpo", "HP:0002094"), ("kgx-mondo", "HP:0002094"), ("", "CHEBI:2549")} <= said
    assert {source for source, _ in relations(DATA)} == {"kgx-hpo-annotations", "kgx-drugcentral", "kgx-ctd", ""}
    announced = set()
    for source, record in rows:
        if isinstance(record, SourceInfo):
            announced.add(record.id)
        assert not source or source in announced


def test_numbers_truth_and_nested_values_of_json_keep_their_types(tmp_path):
    folder = tmp_path / "typed"
    folder.mkdir()
    node = {
        "id": "DOID:1",
        "category": ["biolink:Disease"],
        "name": "x",
        "n": 7,
        "share": 0.5,
        "ok": True,
        "deep": {"a": [1]},
    }
    (folder / "nodes.jsonl").write_text(json.dumps(node | {"full_name": None, "camelCase": "c"}))
    (folder / "edges.jsonl").write_text("")
    properties = dict(entities(folder)["DOID:1"].properties)
    assert properties == {"n": 7, "share": 0.5, "ok": True, "deep": '{"a": [1]}', "camel_case": "c"}
