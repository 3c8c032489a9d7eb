"""What goes with a condition, on the command line."""

import json

import pytest

from tests.support.exchange import KGX_HEAD, write_kgx
from tests.support.graphs import empty
from tests.support.joined import joined
from tests.support.ontologies import SMALL


@pytest.fixture
def call(medgraph, graph, settings, tmp_path):
    """Runs a command on a small graph of three sources."""
    joined(graph, settings, tmp_path)
    return medgraph


def test_a_subgraph_as_a_text_as_json_and_as_a_picture(call, tmp_path):
    text = call("subgraph", "podagra")
    assert text.startswith(
        "gout  [Disease]  C0018099\n\nSymptoms\n   Symptoms of gout include fever. (Doid, Pages; stated and told)\n"
    )
    assert "   Treatments for gout include allopurinol. (Mesh, Pages; stated and told)\n" in text
    assert "Licences: " in text
    file = tmp_path / "s.svg"
    found = json.loads(call("subgraph", "gout", "--type", "treatment", "--json", "--picture", file))
    assert found["text"] == "Treatments for gout include allopurinol."
    assert [row["tail"]["id"] for row in found["relations"]] == ["MESH:3"]
    assert "Gout and what goes with it" in file.read_text(encoding="utf-8")


def test_where_nothing_is_told_it_is_said(call):
    text = call("subgraph", "gout", "--relation", "PREVENTED_BY")
    assert "Nothing of what was asked for is told of gout, by no source and no section.\n" in text


def test_what_sources_deny_is_not_told_and_a_contraindication_is_called_one(medgraph, graph, tmp_path):
    nodes = (
        "MONDO:0005148\tbiolink:Disease\ttype 2 diabetes mellitus\nHP:0001250\tbiolink:PhenotypicFeature\tSeizure\n"
        "HP:0001945\tbiolink:PhenotypicFeature\tFever\nCHEBI:6801\tbiolink:SmallMolecule\tmetformin\n"
    )
    edges = (
        "subject\tpredicate\tobject\thas_count\thas_total\tfrequency_qualifier\n"
        "MONDO:0005148\tbiolink:has_phenotype\tHP:0001250\t0\t30\t\n"
        "MONDO:0005148\tbiolink:has_phenotype\tHP:0001945\t\t\tHP:0040285\n"
        "CHEBI:6801\tbiolink:contraindicated_in\tMONDO:0005148\t\t\t\n"
    )
    empty(graph)
    medgraph("load", "kgx", write_kgx(tmp_path / "g", KGX_HEAD + nodes, edges), "--as", "k")
    medgraph("load", "obo", SMALL / "denied.obo", "--as", "o")
    facts = json.loads(medgraph("facts", "CL:0000232", "?", "?", "--json"))["facts"]  # which joins what was loaded, too
    assert [fact["relation"] for fact in facts] == ["IS_A"]
    said = medgraph("subgraph", "type 2 diabetes mellitus").partition("\n\n")[2].partition("\n\nLicences")[0]
    told = "According to g alone, with type 2 diabetes mellitus, metformin should be avoided or used with care."
    assert " ".join(said.split()) == f"Contraindication {told}"
    assert "\n   Nucleus is part of the cell. (denied; stated)\n" in medgraph("subgraph", "nucleus")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nope of no kind"], "nothing is called 'nope of no kind'; look it up with: medgraph entity NAME"),
        (["gout", "--type", "storage"], "no relation tells 'storage'; there are: information"),
        (["gout", "--relation", "x"], "there is no relation 'x'; known are IS_A"),
        (["gout", "--limit", "0"], "a subgraph has from 1 to 200 relations of each type, not 0"),
        (["gout", "--picture", "p.gif"], "p.gif ends in neither .svg nor .png"),
    ],
)
def test_what_cannot_be_asked(call, arguments, message):
    assert call("subgraph", *arguments, fails=True).startswith(message)
