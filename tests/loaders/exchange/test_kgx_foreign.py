"""KGX graphs that others wrote, as entities and relations."""

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from medgraph.loaders.polarity import NEVER
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
        "primary_knowledge_source": "infores:hpo-annotations",
        "knowledge_level": "knowledge_assertion",
    }


def test_a_phenotype_that_no_patient_has_is_no_symptom_and_a_contraindication_is_one(tmp_path):
    columns = "subject\tpredicate\tobject\thas_count\thas_total\tfrequency_qualifier\n"
    edges = (
        "MONDO:0005148\tbiolink:has_phenotype\tHP:0001250\t0\t30\t\n"
        "MONDO:0005148\tbiolink:has_phenotype\tHP:0001945\t\t\tHP:0040285\n"
        "MONDO:0005148\tbiolink:has_phenotype\tHP:0012378\t3\t30\tHP:0040283\n"
        "CHEBI:6801\tbiolink:contraindicated_in\tMONDO:0005148\t\t\t\n"
        "MONDO:0005148\tbiolink:has_contraindication\tCHEBI:6801\t\t\t\n"
        "CHEBI:6801\tbiolink:never_treats\tMONDO:0005148\t\t\t\n"
    )
    graph = write(tmp_path / "g", HEAD + "MONDO:0005148\tbiolink:Disease\tdiabetes\n", columns + edges)
    assert [(record.subject, record.type, record.object) for _, record in relations(graph)] == [
        ("MONDO:0005148", "HAS_SYMPTOM", "HP:0012378"),
        ("CHEBI:6801", "CONTRAINDICATED_IN", "MONDO:0005148"),
        ("MONDO:0005148", "CONTRAINDICATED_WITH", "CHEBI:6801"),
    ]
    assert [(remark.line, remark.text) for remark in read(graph)[2] if "left out" in remark.text] == [
        (7, "statements of what is not so (biolink:never_treats) are left out: 1, the first is "
            "CHEBI:6801 biolink:never_treats MONDO:0005148"),
        (2, f"{NEVER}: 2, the first is MONDO:0005148 biolink:has_phenotype HP:0001250"),
    ]  # fmt: skip


def test_what_worsens_a_condition_is_told_from_the_condition(tmp_path):
    columns = "subject\tpredicate\tobject\tsubject_aspect_qualifier\tpublications\n"
    edges = (
        "CHEBI:15365\tbiolink:exacerbates_condition\tMONDO:0004979\t\tPMID:1\n"
        "MONDO:0004979\tbiolink:condition_exacerbated_by\tCHEBI:15365\t\tPMID:2\n"
        "CHEBI:1\tbiolink:exacerbates_condition\tMONDO:0004979\tdose\t\n"
    )
    found = [record for _, record in relations(write(tmp_path / "g", HEAD, columns + edges))]
    assert sorted(found, key=lambda relation: relation.object) == [
        Relation(
            "MONDO:0004979", "WORSENED_BY", "CHEBI:1",
            predicate="biolink:condition_exacerbated_by (object_aspect_qualifier=dose)",
            properties=(("object_aspect_qualifier", "dose"), ("stated_predicate", "biolink:exacerbates_condition")),
        ),
        Relation(
            "MONDO:0004979", "WORSENED_BY", "CHEBI:15365", evidence=("PMID:1", "PMID:2"),
            properties=(
                ("stated_predicate", ("biolink:exacerbates_condition",)),
                ("statements", (
                    '{"evidence": ["PMID:1"], "stated_predicate": "biolink:exacerbates_condition"}',
                    '{"evidence": ["PMID:2"]}',
                )),
            ),
        ),
    ]  # fmt: skip


TRUE = (True, 1, 1.0, "true", "True", "TRUE", "1", "yes")
NOBODY = ("HP:0040285", "0/12", "0 of 12", "0%", "Excluded", {"id": "HP:0040285"}, "obo:HP_0040285")
DENYING = (
    "biolink:lacks_part",
    "biolink:missing_from",
    "biolink:not_part_of",
    "NOT|biolink:enables",
    "RO:0002161",
    "NCIT:R142",
    "http://purl.obolibrary.org/obo/pr#lacks_part",
    "semmeddb:neg_treats",
)
MARKS = st.sampled_from(
    [
        *({name: value} for name in ("negated", "biolink:negated", "Negated") for value in TRUE),
        *({name: 0} for name in ("has_count", "has_percentage", "has_quotient", "frequency")),
        *({"frequency_qualifier": value} for value in NOBODY),
        *({"predicate": value} for value in DENYING),
        {"has_count": "0", "has_total": "7"},
        {"has_percentage": "0.0"},
        {"qualifiers": ["NOT"]},
        {"qualifier": "NOT|enables"},
        {"qualifiers": [{"qualifier_type_id": "biolink:negated", "qualifier_value": True}]},
        {"qualified_predicate": "biolink:not_causes"},
    ]
)
PLAIN = st.fixed_dictionaries({}, optional={
    "negated": st.sampled_from([False, 0, "false", "False", ""]),
    "has_count": st.sampled_from([3, "12", ""]),
    "has_total": st.sampled_from([12, ""]),
    "frequency_qualifier": st.sampled_from(["HP:0040283", "1/12", "", "10%"]),
    "knowledge_level": st.sampled_from(["not_provided", "prediction"]),
    "agent_type": st.just("not_provided"),
    "predicate": st.sampled_from(["biolink:contraindicated_in", "RO:0002212", "biolink:treats", "biolink:related_to"]),
})  # fmt: skip


@given(edges=st.lists(st.tuples(PLAIN, st.none() | MARKS), max_size=8))
def test_no_denied_edge_becomes_a_relation_however_it_is_marked(tmp_path_factory, edges):
    folder = tmp_path_factory.mktemp("denied")
    lines, wanted, denied = [], set(), 0
    for number, (plain, mark) in enumerate(edges):
        ends = {"subject": "MONDO:0005148", "predicate": "biolink:has_phenotype", "object": f"HP:{number}"}
        lines.append(json.dumps(ends | plain | (mark or {})))
        denied += mark is not None
        if mark is None:
            wanted.add(f"HP:{number}")
    (folder / "nodes.jsonl").write_text(json.dumps({"id": "MONDO:0005148", "category": ["biolink:Disease"]}) + "\n")
    (folder / "edges.jsonl").write_text("\n".join(lines) + "\n")
    records, rejects, remarks = read(folder)
    assert rejects == []
    assert {record.object for _, record in records if isinstance(record, Relation)} == wanted
    counted = [
        int(found[1]) for remark in remarks if (found := re.search(r"left out: (\d+), the first is", remark.text))
    ]
    assert sum(counted) == denied


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
