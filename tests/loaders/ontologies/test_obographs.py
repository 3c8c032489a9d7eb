"""OBO Graphs JSON: what people and programs get wrong about it; and which release a file holds."""

import json

import pytest

from medgraph.errors import SourceFileError
from medgraph.loaders.base import Reject, Row
from medgraph.loaders.ontologies import obo, obographs
from tests.support.memory import at_most
from tests.support.paths import FILES

SMALL = FILES / "ontology" / "lungs.json"
OBO = "http://purl.obolibrary.org/obo/"


@pytest.fixture
def read(tmp_path):
    def read(*nodes, edges=(), **graph):
        path = tmp_path / "a.json"
        path.write_text(json.dumps({"graphs": [{"edges": edges, "nodes": nodes, **graph}]}))
        return list(obographs.records(path))

    return read


def node(number, **more):
    return {"id": f"{OBO}DOID_{number}", "lbl": f"disease {number}", "type": "CLASS"} | more


def test_a_file_that_is_cut_off_is_refused_with_its_line(tmp_path):
    path = tmp_path / "a.json"
    text = SMALL.read_text()
    path.write_text(text[: len(text) // 2])
    line = text[: len(text) // 2].count("\n") + 1
    with pytest.raises(SourceFileError, match=rf"a\.json:{line}: is not whole JSON in UTF-8 \(.*\); fetch it again"):
        next(obographs.records(path))


@pytest.mark.parametrize("text", ["[]", "{}", '{"graphs": []}', '{"graphs": [{"nodes": []}]}', '"a"', "1"])
def test_what_holds_no_terms(tmp_path, text):
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(SourceFileError, match="holds no term; is it OBO Graphs, and whole"):
        list(obographs.records(path))


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ({"type": "CLASS", "lbl": "a"}, "a node has no id: {'type': 'CLASS', 'lbl': 'a'}; give it one"),
        ("a", "a node has no id: a; give it one"),
        (node(2, meta="a"), "what is said of 'http://purl.obolibrary.org/obo/DOID_2' is not of the form of OBO Graphs"),
        (node(2, meta={"synonyms": ["a"]}), "is not of the form of OBO Graphs"),
        (node(2, meta={"xrefs": 7}), "is not of the form of OBO Graphs"),
        (node(2, lbl="a\x1b"), "is left out: the name holds the control character U+001B at offset 1"),
    ],
)
def test_a_node_that_cannot_be_used(read, bad, reason):
    items = read(node(1), bad, node(3))
    (reject,) = [item for item in items if isinstance(item, Reject)]
    assert reason in reject.reason
    assert reject.where.endswith("a.json: graphs[0].nodes[1]")
    names = [item.record.name for item in items if isinstance(item, Row)]
    kept = isinstance(bad, dict) and bad.get("id") and bad["lbl"] == "disease 2"
    assert names == ["disease 1", *(["disease 2"] if kept else []), "disease 3"]


def test_an_edge_that_cannot_be_used_and_edges_before_nodes(read):
    good = {"sub": f"{OBO}DOID_1", "pred": "is_a", "obj": f"{OBO}DOID_2"}
    items = read(node(1), node(2), edges=[{"sub": f"{OBO}DOID_1", "pred": "is_a"}, "a", good])
    assert [item.reason for item in items if isinstance(item, Reject)] == [
        f"an edge lacks sub, pred or obj: {str({'sub': f'{OBO}DOID_1', 'pred': 'is_a'})[:60]}; complete it",
        "an edge lacks sub, pred or obj: a; complete it",
    ]
    assert [item.where[-18:] for item in items if isinstance(item, Reject)] == [
        "graphs[0].edges[0]",
        "graphs[0].edges[1]",
    ]
    assert [type(item.record).__name__ for item in items if isinstance(item, Row)] == ["Entity", "Entity", "Relation"]


@pytest.mark.thorough
def test_memory_stays_flat(tmp_path):
    path = tmp_path / "a.json"
    edge = {"pred": "is_a", "obj": f"{OBO}DOID_0"}
    nodes = ",".join(json.dumps(node(number)) for number in range(5_000))
    edges = ",".join(json.dumps(edge | {"sub": f"{OBO}DOID_{number}"}) for number in range(5_000))
    path.write_text(f'{{"graphs": [{{"nodes": [{nodes}], "edges": [{edges}]}}]}}')
    list(zip(range(100), obographs.records(path), strict=False))
    with at_most(3 << 20):  # all records at once would take 4
        assert sum(1 for _ in obographs.records(path)) == 10_000


def test_a_file_that_says_little_is_filled_in_from_what_is_known(tmp_path, data):
    rare = obo.describe(data / "doid" / "DO_rare_slim.obo")
    assert (rare.id, rare.version, rare.licence) == ("do_rare_slim", "2026-07-31", "CC0-1.0")
    path = tmp_path / "Mine of 2.obo"
    path.write_text("format-version: 1.2\n\n[Term]\nid: DOID:1\nname: a\n")
    mine = obo.describe(path)
    assert (mine.id, mine.version, mine.licence, mine.url) == ("mine-of-2", "unversioned", "LicenseRef-unstated", "")
    path.write_text("ontology: hp\ndata-version: v1.3\n[Term]\nid: HP:1\nname: a\n")
    assert (obo.describe(path).licence, obo.describe(path).version) == ("LicenseRef-HPO", "v1.3")
    path.write_text("ontology: x\ndate: 30:07:2026 20:10\n")
    assert obo.describe(path).version == "2026-07-30"
