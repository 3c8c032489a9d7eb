"""Exports as KGX."""

import json

from medgraph.exports import kgx as kgx_export
from medgraph.schema.records import Entity, Relation, SourceInfo


def test_an_export_is_what_others_expect(tmp_path):
    said = [
        ("one", SourceInfo("one", "One", "1", "CC0-1.0", "")),
        ("one", Entity("SYMP:1", "Symptom", "=wheeze", synonyms=("a|b",), xrefs=("HP:1",))),
        ("two", Entity("SYMP:1", "Phenotype", "Wheezing", xrefs=("HP:2",))),
        ("one", Relation("SYMP:1", "TREATS", "SYMP:1", evidence=("PMID:1",))),
    ]
    kgx_export.write(tmp_path / "out", said)
    nodes = [json.loads(line) for line in (tmp_path / "out" / "nodes.jsonl").read_text().splitlines()]
    assert len({node["id"] for node in nodes}) == len(nodes) == 2
    assert nodes[1]["category"] == ["biolink:PhenotypicFeature", "biolink:NamedThing"]
    assert nodes[1]["provided_by"] == ["infores:one", "infores:two"]
    assert (nodes[1]["name"], nodes[1]["xref"]) == ("=wheeze", ["HP:1", "HP:2"])
    (edge,) = [json.loads(line) for line in (tmp_path / "out" / "edges.jsonl").read_text().splitlines()]
    assert {k: edge[k] for k in ("subject", "predicate", "object", "primary_knowledge_source", "knowledge_level")} == {
        "subject": "SYMP:1", "predicate": "biolink:treats", "object": "SYMP:1",
        "primary_knowledge_source": "infores:one", "knowledge_level": "not_provided",
    }  # fmt: skip
    kgx_export.write(tmp_path / "table", said, table=True)
    cells = [line.split("\t") for line in (tmp_path / "table" / "nodes.tsv").read_text().splitlines()]
    assert {len(row) for row in cells} == {len(cells[0])}
    row = dict(zip(cells[0], cells[2], strict=True))
    assert (row["name"], row["synonym"]) == ("'=wheeze", "a\\|b")
