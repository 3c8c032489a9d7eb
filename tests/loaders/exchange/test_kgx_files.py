"""KGX of others: where nodes and edges stand, categories, predicates, provenance, and Mondo's graph."""

import csv
import gzip
import json
import shutil
import tarfile
from pathlib import Path

import pytest

from medgraph.errors import SourceFileError
from medgraph.loaders import registry
from medgraph.loaders.base import Remark, Row
from medgraph.loaders.commands import load_named
from medgraph.loaders.exchange import kgx, mondo
from medgraph.schema.records import Entity, Relation, SourceInfo
from tests.support.exchange import EDGES, NODES
from tests.support.exchange import KGX as DATA
from tests.support.exchange import KGX_HEAD as HEAD
from tests.support.exchange import read_kgx as read
from tests.support.exchange import write_kgx as write
from tests.support.graphs import run
from tests.support.paths import FILES


def as_lines(folder):
    folder.mkdir()
    for kind, path in (("nodes", NODES), ("edges", EDGES)):
        head, *rows = (line.split("\t") for line in path.read_text().splitlines())
        lines = []
        for row in rows:
            data = {name: cell for name, cell in zip(head, row, strict=True) if cell}
            lists = ("category", "synonym", "xref", "provided_by", "publications", "in_taxon")
            data |= {name: data[name].split("|") for name in lists if name in data}
            data |= {"negated": True} if data.get("negated") == "true" else {}
            lines.append(json.dumps(data))
        (folder / f"{kind}.jsonl").write_text("\n".join(lines))
    return folder


def test_json_lines_and_archives_say_the_same(tmp_path):
    folder = as_lines(tmp_path / "kgx")
    wanted = read(DATA)
    found = read(folder)
    assert found[0] == wanted[0]
    archive = tmp_path / "kgx.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(NODES, "a/asthma_nodes.tsv")
        tar.add(EDGES, "a/asthma_edges.tsv")
    assert read(archive)[0] == wanted[0]
    assert f"{archive}!/a/asthma_edges.tsv" in {remark.file for remark in read(archive)[2]}
    packed = tmp_path / "packed"
    packed.mkdir()
    for path in (NODES, EDGES):
        (packed / f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes(), mtime=0))
    assert [type(record) for _, record in read(packed)[0]] == [type(record) for _, record in wanted[0]]
    assert [record for _, record in read(DATA / "asthma")[0] if isinstance(record, Entity)] == [
        record for _, record in wanted[0] if isinstance(record, Entity)
    ]


def cut_off(path):
    data = gzip.compress(path.read_bytes(), mtime=0)
    return data[: len(data) // 2]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("nodes.tsv", b"", "is empty"),
        ("nodes.tsv", b"name\tcategory\nDOID:1\tx\n", "has no column 'id'"),
        ("nodes.tsv", "id\tcategory\n".encode("utf-16"), "is UTF-16; save it as UTF-8"),
        ("nodes.tsv.gz", b"id\tcategory\n", "is called .gz and is not packed with gzip"),
        ("nodes.tsv.gz", cut_off(NODES), "is cut off"),
        ("x.tar.gz", b"nothing", "is no whole tar archive"),
        ("x.tar.gz", cut_off(NODES), "is no whole tar archive"),
        ("x.csv", b"a,b\n", "holds no KGX graph"),
    ],
)
def test_files_that_cannot_be_used(tmp_path, name, data, message):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(SourceFileError, match=message) as raised:
        list(kgx.records(path))
    assert str(path) in str(raised.value)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (b"DOID:2\tbiolink:Disease\ta\tb\n", "has 4 cells where the header has 3"),
        (b"DOID:2\tbiolink:Disease\t\xff\n", "is not UTF-8"),
        (b"DOID:2\tbiolink:Disease\t\x07\n", "the name holds the control character U+0007"),
        (b"\tbiolink:Disease\tx\n", "has no 'id'; give it one"),
        (b"D" * 600 + b":1\tbiolink:Disease\tx\n", "longer than 500 characters"),
    ],
)
def test_lines_that_cannot_be_used(tmp_path, row, reason):
    good = b"DOID:1\tbiolink:Disease\tgood\n"
    path = write(tmp_path / "g", HEAD.encode() + row + good)
    records, rejects, _ = read(path)
    assert [record.name for _, record in records] == ["good"]
    (reject,) = rejects
    assert (Path(reject.file).name, reject.line) == ("nodes.tsv", 2)
    assert reason in reject.reason


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"id": "DOID:1", ', "is not valid JSON"),
        ("[1]", "is not a JSON object"),
        ("[" * 100_000, "nested too deep"),
        ('{"id": "", "category": ["x"]}', "has no 'id'; give it one"),
        ('{"id": [1], "category": ["x"]}', "'id' is '[1]', not a text"),
        ('{"medgraph:kind": "x", "id": "a", "category": ["x"]}', "medgraph:kind is 'x', which is none of"),
        ('{"medgraph:kind": "entity", "id": "a", "name": "A", "category": ["x"]}', "the label '' is not one of"),
        ('{"medgraph:kind": "entity", "id": "a", "category": ["x"], "xref": 1}', "'xref' is '1', not a list of texts"),
        ('{"medgraph:kind": "section", "id": "a", "category": ["x"]}', "belongs to the document"),
    ],
)
def test_json_that_cannot_be_used(tmp_path, line, reason):
    (tmp_path / "nodes.jsonl").write_text(f'{{"id": "DOID:9", "category": ["biolink:Disease"], "name": "x"}}\n{line}\n')
    records, rejects, _ = read(tmp_path)
    assert [record.id for _, record in records] == ["DOID:9"]
    (reject,) = rejects
    assert reject.line == 2
    assert reason in reject.reason


def test_documents_of_json_and_csv_say_the_same(tmp_path):
    wanted = read(DATA)[0]
    lines = as_lines(tmp_path / "kgx")
    parts = {
        kind: [json.loads(line) for line in (lines / f"{kind}.jsonl").read_text().splitlines()]
        for kind in ("edges", "nodes")
    }
    document = tmp_path / "kgx.json"
    document.write_text(json.dumps({"about": {"nodes": [1]}, **parts}, indent=1))
    assert kgx.recognise(document)
    assert kgx.describe(document).id == "kgx"
    assert read(document)[0] == wanted
    gene = next(
        place
        for place, line in enumerate(document.read_text().splitlines(), 1)
        if '"ncbigene:3596",' in line and place > 99
    )
    (remark,) = (remark for remark in read(document)[2] if "no name" in remark.text)
    assert remark.line == gene - 1
    packed = tmp_path / "kgx.json.gz"
    packed.write_bytes(gzip.compress(document.read_bytes(), mtime=0))
    assert read(packed)[0] == wanted
    archive = tmp_path / "kgx.tar.bz2"
    with tarfile.open(archive, "w:bz2") as tar:
        tar.add(document, "a/kgx.json")
    assert read(archive)[0] == wanted
    table = tmp_path / "csv" / "kgx"
    table.mkdir(parents=True)
    for kind, path in (("nodes", NODES), ("edges", EDGES)):
        with (table / f"{kind}.csv").open("w", newline="") as file:
            csv.writer(file).writerows(line.split("\t") for line in path.read_text().splitlines())
    assert kgx.recognise(table)
    assert read(table)[0] == wanted


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
        "primary_knowledge_source": "infores:hpo",
        "statements": (
            '{"evidence": ["PMID:1"], "kgx_id": "e1"}', '{"evidence": ["PMID:2", "PMID:1"], "kgx_id": "e2"}',
        ),
    }  # fmt: skip


MONDO = FILES / "mondo"


def test_the_graph_and_the_mappings_of_mondo_are_one_source_with_parts(database, settings):
    assert (
        next(name for name, source in registry.SOURCES.items() if source.recognise and source.recognise(MONDO))
        == "mondo"
    )
    assert not [item for item in mondo.records(MONDO) if isinstance(item, Remark)]
    assert load_named(database, settings, "mondo", MONDO).rejected == 0
    parts = run(database, "MATCH (s:Source {part_of: 'mondo'}) RETURN s.id AS id, s.licence AS licence ORDER BY id")
    assert {row["id"] for row in parts} == {"mondo-mondo-json", "mondo-mondo", "mondo-sssom-mondo"}
    assert {row["licence"] for row in parts} == {"CC-BY-4.0"}
    said = (
        "MATCH (:Entity {id: 'MONDO:0004979'})-[r]->(e:Entity) RETURN type(r) AS type, e.id AS id, r.source AS source"
    )
    assert {"type": "EXACT_MATCH", "id": "DOID:2841", "source": "mondo-sssom-mondo"} in run(database, said)
    assert {"type": "IS_A", "id": "MONDO:0005087", "source": "mondo-mondo"} in run(database, said)


def test_another_graph_beside_it_is_not_read_and_each_set_of_mappings_is_a_part(tmp_path):
    shutil.copytree(MONDO, tmp_path, dirs_exist_ok=True)
    (tmp_path / "another_nodes.tsv").write_text("id\tcategory\nMONDO:1\tbiolink:Disease\n")
    said = (MONDO / "mondo.sssom.tsv").read_text().splitlines(keepends=True)
    for name in (f"mondo-{'x' * 60}-{end}" for end in "ab"):
        lines = (line for line in said if not line.startswith(("#mapping_set_id", "# mapping_set_id")))
        (tmp_path / f"{name}.sssom.tsv").write_text("".join(lines))
    found = [item.record for item in mondo.records(tmp_path) if isinstance(item, Row)]
    parts = [record.id for record in found if isinstance(record, SourceInfo)]
    assert len(parts) == len(set(parts)) == 5
    assert not [record for record in found if getattr(record, "id", "") == "MONDO:1"]
