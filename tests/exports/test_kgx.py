"""Exports as KGX."""

import json
import subprocess
from itertools import cycle

import pytest

from lab.benchmarks import peers
from medgraph.exports import kgx as kgx_export
from medgraph.schema.records import Document, Entity, Question, Relation, Section, SourceInfo
from medgraph.schema.vocabulary import ENTITY_LABELS, RELATION_TYPES
from tests.support.statements import HOSTILE


def test_an_export_is_what_others_expect(tmp_path):
    said = [
        ("one", SourceInfo("one", "One", "1", "CC0-1.0", "")),
        ("one", Entity("SYMP:1", "Symptom", "=wheeze", synonyms=("a|b",), xrefs=("HP:1",))),
        ("two", Entity("SYMP:1", "Phenotype", "Wheezing", xrefs=("HP:2",))),
        ("one", Relation("SYMP:1", "TREATS", "SYMP:1", evidence=("PMID:1",))),
    ]
    kgx_export.write(tmp_path / "out", said)
    nodes = [json.loads(line) for line in (tmp_path / "out" / "nodes.jsonl").read_text().splitlines()]
    assert len({node["id"] for node in nodes}) == len(nodes) == 1
    assert nodes[0]["category"] == ["biolink:PhenotypicFeature", "biolink:NamedThing"]
    assert nodes[0]["provided_by"] == ["infores:one", "infores:two"]
    assert (nodes[0]["name"], nodes[0]["xref"]) == ("=wheeze", ["HP:1", "HP:2"])
    (source,) = [json.loads(line) for line in (tmp_path / "out" / "sources.jsonl").read_text().splitlines()]
    assert (source["id"], source["name"], source["license"]) == ("infores:one", "One", "CC0-1.0")
    (edge,) = [json.loads(line) for line in (tmp_path / "out" / "edges.jsonl").read_text().splitlines()]
    assert {k: edge[k] for k in ("subject", "predicate", "object", "primary_knowledge_source", "knowledge_level")} == {
        "subject": "SYMP:1", "predicate": "biolink:treats", "object": "SYMP:1",
        "primary_knowledge_source": "infores:one", "knowledge_level": "not_provided",
    }  # fmt: skip
    kgx_export.write(tmp_path / "table", said, table=True)
    cells = [line.split("\t") for line in (tmp_path / "table" / "nodes.tsv").read_text().splitlines()]
    assert {len(row) for row in cells} == {len(cells[0])}
    row = dict(zip(cells[0], cells[1], strict=True))
    assert (row["name"], row["synonym"]) == ("'=wheeze", "a\\u007cb")
    assert row["xref"] == "HP:1|HP:2"


def test_ids_that_the_validator_of_kgx_does_not_want_are_named(tmp_path):
    ids = ["DOID:1", "SYMP:1", "own:1", "own:2", "own:a/b", "x"]
    said = [("one", Entity(entity_id, "Disease", "x")) for entity_id in ids]
    _, remarks = kgx_export.write(tmp_path / "out", said)
    assert remarks == [
        "KGX's validator will name prefixes that Biolink does not list (SYMP, own) and 2 ids that are no CURIEs to it; "
        "they are written as they are"
    ]
    _, remarks = kgx_export.write(tmp_path / "sound", said[:1])
    assert remarks == []


def test_properties_that_biolink_means_otherwise_get_our_prefix(tmp_path):
    properties = (
        ("in_taxon", ("NCBITaxon:9606",)), ("iri", "http://x"), ("keywords", "a"), ("mesh_terms", ("a", "b")),
        ("share", 0.5), ("statements", ("x",)),
    )  # fmt: skip
    kgx_export.write(tmp_path / "out", [("one", Entity("DOID:1", "Disease", "x", properties=properties))])
    (node,) = [json.loads(line) for line in (tmp_path / "out" / "nodes.jsonl").read_text().splitlines()]
    assert {name for name in node if name.removeprefix("medgraph:") in dict(properties)} == {
        "medgraph:in_taxon", "iri", "medgraph:keywords", "mesh_terms", "share", "statements",
    }  # fmt: skip


@pytest.mark.thorough
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("table", [False, True], ids=["jsonl", "tsv"])
def test_the_validator_of_kgx_finds_no_fault_with_an_export(tmp_path, table):
    properties = (
        ("category", ("biolink:Cohort",)), ("in_taxon", ("NCBITaxon:1",)), ("iri", "a|b"), ("keywords", "a"),
        ("knowledge_source", "x"), ("mesh_terms", ("a",)), ("negated", True), ("same_as", "a:1"), ("share", 0.5),
    )  # fmt: skip
    said = [("one", SourceInfo("one", "One", "1", "CC0-1.0", "")), ("two", SourceInfo("two", "Two", "1", "MIT", ""))]
    said += [
        ("one", Entity(f"MONDO:{place}", label, f"{text}x", (text,), text, ("C0000001",), xrefs=("HP:1",),
            obsolete=True, alternative_ids=("DOID:2",), properties=properties))
        for place, (label, text) in enumerate(zip(cycle(ENTITY_LABELS), HOSTILE, strict=False))
    ]  # fmt: skip
    said += [("one", Entity("DOID:1", "Disease", "d", xrefs=("HP:1",))), ("two", Entity("DOID:1", "Topic", "d2"))]
    said += [
        ("one", Relation("MONDO:0", kind, "DOID:1", text[:9], "x", ("PMID:1",), 3.5, properties))
        for kind, text in zip(RELATION_TYPES, cycle(HOSTILE), strict=False)
    ]
    sections, questions = (Section("PMID:5#1", "text"),), (Question("PMID:5#2", "q?"),)
    said.append(("two", Document("PMID:5", "T", "x|y", sections=sections, questions=questions, about=("MONDO:0",))))
    (nodes, edges, _), remarks = kgx_export.write(tmp_path / "out", said, table=table)
    assert remarks == []
    command = [peers.python("kgx"), *peers.KGX, "validate", "-i", "tsv" if table else "jsonl", nodes, edges]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    edges.write_text(edges.read_text().replace("biolink:treats", "biolink:likes"))
    assert subprocess.run(command, capture_output=True, check=False).returncode != 0
