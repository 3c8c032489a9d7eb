"""HPO's lay names, the Disease Ontology's reports and Hetionet: small files of their form, and the real ones."""

import gzip
import json
import shutil
from collections import Counter

import pytest

from medgraph.errors import SourceFileError
from medgraph.loaders.base import Reject, Remark, Row
from medgraph.loaders.sources import do_names, do_symptoms, do_xrefs, hetionet, hpo_lay
from medgraph.schema.records import Entity, Relation
from medgraph.schema.vocabulary import RELATION_TYPES
from tests.support.paths import FILES

SMALL = FILES


def read(source, path):
    """The entities by id, the relations, the rejects and the remarks of a file."""
    items = list(source.records(path))
    records = [item.record for item in items if isinstance(item, Row)]
    kinds = [isinstance(record, Relation) for record in records]
    assert kinds == sorted(kinds), "entities come before relations"
    entities = {record.id: record for record in records if isinstance(record, Entity)}
    relations = [record for record in records if isinstance(record, Relation)]
    assert len(entities) + len(relations) == len(records)
    others = ([item for item in items if isinstance(item, kind)] for kind in (Reject, Remark))
    return entities, relations, *others


# HPO


def test_lay_names_are_gathered_by_term():
    entities, relations, rejects, remarks = read(hpo_lay, SMALL / "hpo-lay" / "layperson-synonyms.tsv")
    assert (relations, rejects, remarks) == ([], [], [])
    assert list(entities.values()) == [
        Entity(
            "HP:0002648",
            "Phenotype",
            "Abnormality of calvarial morphology",
            ("Abnormally shaped skull", 'The "wrong" shape of skull'),
        ),
        Entity("HP:0025251", "Phenotype", "Open comedo", ("Blackhead",)),
        Entity("HP:0012378", "Phenotype", "Fatigue"),
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('<http://purl.obolibrary.org/obo/MP_0000001>\t"a"\t"b"', "is no HPO term"),
        ('HP_1\t"a"\t"b"', "is no HPO term"),
        ('<http://purl.obolibrary.org/obo/HP_0000001>\t"a"\t', "no label or synonym"),
        ('<http://purl.obolibrary.org/obo/HP_0000001>\t"a\t"b"', "a quote at one end"),
        ('<http://purl.obolibrary.org/obo/HP_0000001>\t"a"', "has 2 cells where the header has 3"),
        ('<http://purl.obolibrary.org/obo/HP_0012378>\t"Fatigue"\t"\x08"', "U+0008"),
        ('<http://purl.obolibrary.org/obo/HP_0012378>\t"Tired"\t"b"', "is called 'Tired' here and 'Fatigue' in line 4"),
    ],
)
def test_lines_that_are_no_lay_name_are_rejected(tmp_path, line, reason):
    path = tmp_path / "layperson-synonyms.tsv"
    path.write_text((SMALL / "hpo-lay" / path.name).read_text() + line + "\n")
    entities, _, rejects, _ = read(hpo_lay, path)
    assert len(entities) == 3
    assert [reject.line for reject in rejects] == [7]
    assert reason in rejects[0].reason


def test_the_real_lay_names(data):
    entities, _, rejects, remarks = read(hpo_lay, data / "hpo" / "layperson-synonyms.tsv")
    assert (len(entities), rejects, remarks) == (4701, [], [])
    # 7,186 lines, of which 1,098 repeat the label; 65 labels carry a language.
    assert sum(len(entity.synonyms) for entity in entities.values()) == 6088
    assert entities["HP:0025251"] == Entity("HP:0025251", "Phenotype", "Open comedo", ("Blackhead",))
    assert not [e for e in entities.values() if '"' in e.name or any('"' in s or "@" in s for s in e.synonyms)]


# The Disease Ontology


def test_names_and_parents():
    entities, relations, rejects, _ = read(do_names, SMALL / "do" / "HumanDO.tsv")
    assert entities["DOID:2841"] == Entity("DOID:2841", "Disease", "asthma")
    assert entities["DOID:4"].name == "disease"
    assert [(r.subject, r.object) for r in relations if r.type == "IS_A"] == [
        ("DOID:2841", "DOID:1176"),
        ("DOID:1176", "DOID:0050161"),
        ("DOID:0050161", "DOID:4"),
        ("DOID:9360", "DOID:2841"),
        ("DOID:9360", "DOID:1176"),
    ]
    assert [(r.line, "no line has the label" in r.reason) for r in rejects] == [(7, True)]


def test_a_parent_whose_label_several_diseases_have_is_rejected(tmp_path):
    path = tmp_path / "HumanDO.tsv"
    path.write_text("id\tlabel\tsubClassOf\nDOID:1\ta\t\nDOID:2\ta\t\nDOID:3\tb\ta\nDOID:1\tc\tb\nX:1\td\tb\n")
    items = list(do_names.records(path))
    assert [item.record.name for item in items if isinstance(item, Row) and isinstance(item.record, Entity)] == [
        *"aabc"  # one id with two names is for the writer to judge
    ]
    assert [(item.line, item.reason[:20]) for item in items if isinstance(item, Reject)] == [
        (6, "needs an id such as "),
        (4, "several diseases hav"),
    ]


def test_a_cycle_of_parents_is_kept(tmp_path):
    path = tmp_path / "HumanDO.tsv"
    path.write_text("id\tlabel\tsubClassOf\nDOID:1\ta\tb\nDOID:2\tb\ta\nDOID:3\tc\tc\n")
    _, relations, rejects, _ = read(do_names, path)
    assert [(r.subject, r.object) for r in relations] == [
        ("DOID:1", "DOID:2"),
        ("DOID:2", "DOID:1"),
        ("DOID:3", "DOID:3"),
    ]
    assert rejects == []


def test_the_real_names_and_parents(data):
    entities, relations, rejects, remarks = read(do_names, data / "doid" / "HumanDO.tsv")
    assert (len(entities), len(relations), rejects, remarks) == (12_247, 12_296, [], [])
    assert all(relation.object in entities for relation in relations)
    children = {r.subject for r in relations if r.object == "DOID:4"}
    assert len(children) == 8
    assert entities["DOID:2841"].name == "asthma"


def test_cross_references_and_concepts():
    entities, _, rejects, remarks = read(do_xrefs, SMALL / "do" / "allXREFinDO.tsv")
    assert list(entities.values()) == [
        Entity(
            "DOID:2841",
            "Disease",
            "asthma",
            concepts=("C0004096",),
            xrefs=("MESH:D001249", "UMLS:C0004096", "OMIM:600807", "NOSUCH:1"),
        ),
        Entity(
            "DOID:9360",
            "Disease",
            "exercise-induced bronchoconstriction",
            xrefs=("SNOMEDCT:31387002", "NOSUCH:2"),
        ),
    ]
    assert [(r.line, "is no cross-reference" in r.reason) for r in rejects] == [(8, True)]
    assert [(r.line, "NOSUCH:1" in r.text) for r in remarks] == [(6, True)]


def test_the_real_cross_references(data):
    entities, _, rejects, remarks = read(do_xrefs, data / "doid" / "allXREFinDO.tsv")
    assert (len(entities), rejects, remarks) == (11_559, [], [])
    assert sum(len(entity.concepts) for entity in entities.values()) == 7126
    # 39,264 lines, of which one repeats another under a later release of SNOMED CT.
    assert sum(len(entity.xrefs) for entity in entities.values()) == 39_263
    assert Counter(x.partition(":")[0] for e in entities.values() for x in e.xrefs)["SNOMEDCT"] == 5357


def test_symptoms_of_diseases():
    entities, relations, rejects, _ = read(do_symptoms, SMALL / "do" / "disease-symptom.tsv")
    assert Counter(entity.label for entity in entities.values()) == {"Disease": 2, "Symptom": 2}
    assert relations[0] == Relation("DOID:2841", "HAS_SYMPTOM", "SYMP:0000614")
    assert len(relations) == 3
    assert [(r.line, "is no id of a symptom" in r.reason) for r in rejects] == [(5, True)]


def test_the_real_symptoms_of_diseases(data):
    entities, relations, rejects, remarks = read(do_symptoms, data / "doid" / "disease-symptom.tsv")
    assert (len(relations), rejects, remarks) == (2222, [], [])
    assert Counter(entity.label for entity in entities.values()) == {"Disease": 863, "Symptom": 300}
    assert {(r.subject, r.object) for r in relations} >= {("DOID:0050012", "SYMP:0000613")}


# Hetionet

METAEDGES = """
AdG DOWNREGULATES  AeG EXPRESSES  AuG UPREGULATES  CbG BINDS  CcSE HAS_SIDE_EFFECT  CdG DOWNREGULATES  CpD PALLIATES
CrC RESEMBLES  CtD TREATS  CuG UPREGULATES  DaG ASSOCIATED_WITH  DdG DOWNREGULATES  DlA LOCATED_IN  DpS HAS_SYMPTOM
DrD RESEMBLES  DuG UPREGULATES  GcG COVARIES_WITH  GiG INTERACTS_WITH  GpBP PARTICIPATES_IN  GpCC PARTICIPATES_IN
GpMF PARTICIPATES_IN  GpPW PARTICIPATES_IN  Gr>G REGULATES  PCiC HAS_MEMBER
""".split()


def test_nodes_of_each_kind():
    entities, _, rejects, remarks = read(hetionet, SMALL / "hetionet")
    assert (rejects, remarks) == ([], [])
    assert [(entity.id, entity.label) for entity in entities.values()] == [
        ("UBERON:0000948", "Anatomy"),
        ("GO:0001525", "BiologicalProcess"),
        ("GO:0005739", "CellularComponent"),
        ("DRUGBANK:DB00945", "Drug"),
        ("DRUGBANK:DB00316", "Drug"),
        ("DOID:10652", "Disease"),
        ("DOID:3393", "Disease"),
        ("NCBIGene:348", "Gene"),
        ("NCBIGene:5743", "Gene"),
        ("GO:0004872", "MolecularFunction"),
        ("WIKIPATHWAYS:WP98", "Pathway"),
        ("hetionet:PC7_3807", "Pathway"),
        ("NDFRT:N0000175722", "DrugClass"),
        ("UMLS:C0027497", "SideEffect"),
        ("MESH:D008569", "Symptom"),
    ]
    assert entities["UMLS:C0027497"].concepts == ("C0027497",)
    assert entities["WIKIPATHWAYS:WP98"].properties == (("wikipathways_revision", "71373"),)
    assert entities["hetionet:PC7_3807"].name == "FCERI mediated NF-kB activation"


def test_each_metaedge_has_its_relation():
    entities, relations, _, _ = read(hetionet, SMALL / "hetionet")
    assert {r.predicate: r.type for r in relations} == dict(zip(METAEDGES[::2], METAEDGES[1::2], strict=True))
    assert {(r.subject, r.object) for r in relations} <= {(a, b) for a in entities for b in entities}
    by_name = {r.predicate: r for r in relations}
    assert (by_name["PCiC"].subject, by_name["PCiC"].object) == ("NDFRT:N0000175722", "DRUGBANK:DB00945")
    assert (by_name["DlA"].subject, by_name["DlA"].object) == ("DOID:3393", "UBERON:0000948")
    assert by_name["DpS"].method == "co-occurrence in MEDLINE abstracts"


def test_the_metagraph_names_the_same_kinds_and_edges(data):
    graph = json.loads((data / "hetionet" / "hetionet-v1.0-metagraph.json").read_text())
    short = graph["kind_to_abbrev"]
    names = {
        short[a] + short[how] + (">" if direction == "forward" else "") + short[b]: (a, b)
        for a, b, how, direction in graph["metaedge_tuples"]
    }
    assert {name: (edge.source, edge.target) for name, edge in hetionet._METAEDGES.items()} == names
    assert set(graph["metanode_kinds"]) == set(hetionet._KINDS)
    assert {edge.type for edge in hetionet._METAEDGES.values()} <= set(RELATION_TYPES)


@pytest.mark.parametrize(
    ("edge", "reason"),
    [
        ("Disease::DOID:3393\tCtD\tCompound::DB00945", "CtD goes from Compound to Disease, not from 'Disease' to"),
        ("Compound::DB00945\tXyZ\tDisease::DOID:3393", "the metaedge 'XyZ' is not one of AdG"),
        ("Compound::945\tCtD\tDisease::DOID:3393", "is no id of the kind Compound"),
        ("DB00945\tCtD\tDOID:3393", "CtD goes from Compound to Disease"),
        ("Compound::DB00945\tCtD", "has 2 cells where the header has 3"),
    ],
)
def test_edges_that_are_none_are_rejected(tmp_path, edge, reason):
    shutil.copy(SMALL / "hetionet" / "hetionet-v1.0-nodes.tsv", tmp_path)
    (tmp_path / "hetionet-v1.0-edges.sif").write_text(f"source\tmetaedge\ttarget\n{edge}\n")
    _, relations, rejects, _ = read(hetionet, tmp_path)
    assert relations == []
    assert [reject.line for reject in rejects] == [2]
    assert reason in rejects[0].reason


@pytest.mark.parametrize(
    "node", ["Gene::x1\tAPOE\tGene", "Gene::1\tAPOE\tDisease", "Virus::1\tFlu\tVirus", "Gene::1\t\tGene"]
)
def test_nodes_that_are_none_are_rejected(tmp_path, node):
    path = tmp_path / "hetionet-v1.0-nodes.tsv"
    path.write_text(f"id\tname\tkind\n{node}\nGene::348\tAPOE\tGene\n")
    entities, _, rejects, _ = read(hetionet, path)
    assert ([reject.line for reject in rejects], list(entities)) == ([2], ["NCBIGene:348"])


def test_nodes_alone_and_what_is_no_hetionet(tmp_path):
    _, relations, _, _ = read(hetionet, SMALL / "hetionet" / "hetionet-v1.0-nodes.tsv")
    assert relations == []
    with pytest.raises(SourceFileError, match="has edges alone; give the folder"):
        list(hetionet.records(SMALL / "hetionet" / "hetionet-v1.0-edges.sif.gz"))
    with pytest.raises(SourceFileError, match="needs one hetionet"):
        list(hetionet.records(tmp_path))


def test_edges_that_are_cut_off_end_with_an_error(tmp_path):
    shutil.copytree(SMALL / "hetionet", tmp_path, dirs_exist_ok=True)
    edges = tmp_path / "hetionet-v1.0-edges.sif.gz"
    edges.write_bytes(gzip.compress(b"source\tmetaedge\ttarget\n" + b"Gene::348\tGiG\tGene::5743\n" * 99)[:-20])
    with pytest.raises(SourceFileError, match="cut off"):
        list(hetionet.records(tmp_path))


def test_the_real_nodes(data):
    entities, _, rejects, remarks = read(hetionet, data / "hetionet")
    assert (len(entities), rejects, remarks) == (47_031, [], [])
    assert Counter(entity.label for entity in entities.values()) == {
        "Gene": 20_945,
        "BiologicalProcess": 11_381,
        "SideEffect": 5734,
        "MolecularFunction": 2884,
        "Pathway": 1822,
        "Drug": 1552,
        "CellularComponent": 1391,
        "Symptom": 438,
        "Anatomy": 402,
        "DrugClass": 345,
        "Disease": 137,
    }
    assert all(entity.name == entity.name.strip() for entity in entities.values())
