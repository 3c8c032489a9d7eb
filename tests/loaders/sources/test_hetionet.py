"""Hetionet: small files of its form, and the real nodes."""

import json
import shutil
from collections import Counter

import pytest

from medgraph.loaders.sources import hetionet
from medgraph.schema.vocabulary import RELATION_TYPES
from tests.support.paths import FILES
from tests.support.sources import read_facts as read


def test_nodes_of_each_kind():
    entities, _, rejects, remarks = read(hetionet, FILES / "hetionet")
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


@pytest.mark.thorough
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
    shutil.copy(FILES / "hetionet" / "hetionet-v1.0-nodes.tsv", tmp_path)
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


@pytest.mark.thorough
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
