"""KGX of others: categories, predicates, provenance, and what is wrong with a file."""

import gzip
import json
import tarfile
from pathlib import Path

import pytest

from medgraph.errors import SourceFileError
from medgraph.exports import kgx as kgx_export
from medgraph.loaders.base import Reject, Remark, Row
from medgraph.loaders.exchange import kgx
from medgraph.schema.exchange import biolink
from medgraph.schema.exchange import kgx as form
from medgraph.schema.exchange.flat import FORMS, columns
from medgraph.schema.records import RESERVED, Entity, Relation, SourceInfo
from medgraph.schema.vocabulary import ENTITY_LABELS, RELATION_TYPES
from tests.support.paths import FILES

DATA = FILES / "kgx"
NODES = DATA / "asthma_nodes.tsv"
EDGES = DATA / "asthma_edges.tsv"


def read(path):
    items = list(kgx.records(path))
    records = [(item.source, item.record) for item in items if isinstance(item, Row)]
    return records, [i for i in items if isinstance(i, Reject)], [i for i in items if isinstance(i, Remark)]


def entities(path):
    return {record.id: record for _, record in read(path)[0] if isinstance(record, Entity)}


def relations(path):
    return [(source, record) for source, record in read(path)[0] if isinstance(record, Relation)]


def write(folder, nodes, edges=""):
    folder.mkdir(exist_ok=True)
    for name, text in (("nodes.tsv", nodes), ("edges.tsv", edges or "subject\tpredicate\tobject\n")):
        (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


HEAD = "id\tcategory\tname\n"


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
    assert len(remarks) == 3


def test_a_prefix_tells_kinds_apart_that_biolink_does_not(tmp_path):
    nodes = "SYMP:1\tbiolink:PhenotypicFeature\tx\nDOID:1\tbiolink:Gene\tx\nATC:1\tbiolink:ChemicalEntity\tx\n"
    found = entities(write(tmp_path / "g", HEAD + nodes + "CHEBI:1\tbiolink:NamedThing\tx\n"))
    assert [entity.label for entity in found.values()] == ["Symptom", "Gene", "DrugClass", "Chemical"]


def test_edges_become_relations():
    found = [(relation.type, relation.predicate) for _, relation in relations(DATA)]
    assert found == [
        ("HAS_SYMPTOM", ""),
        ("TREATS", ""),
        ("AFFECTS", "biolink:affects (object_direction_qualifier=decreased)"),
        ("AFFECTS", "biolink:affects (object_direction_qualifier=increased)"),
        ("RELATED_TO", "biolink:in_cohort_with"),
        ("EXACT_MATCH", ""),
        ("IS_A", ""),
    ]
    _, first = relations(DATA)[0]
    assert (first.evidence, first.score) == (("PMID:1", "PMID:2"), 0.75)
    assert dict(first.properties) == {
        "agent_type": "manual_agent",
        "kgx_id": "e1",
        "kgx_type": "x",
        "knowledge_level": "knowledge_assertion",
    }


def test_what_is_negated_is_rejected():
    (reject,) = read(DATA)[1]
    assert (Path(reject.file).name, reject.line) == ("asthma_edges.tsv", 6)
    assert reject.reason.startswith("the edge is negated: it says what is not so")


def test_who_provided_something_is_a_part_of_the_source():
    rows = read(DATA)[0]
    parts = {record.id: record.title for _, record in rows if isinstance(record, SourceInfo)}
    assert parts["kgx-hpo"] == "infores:hpo"
    said = {(source, getattr(record, "id", "")) for source, record in rows if isinstance(record, Entity)}
    assert {("kgx-hpo", "HP:0002094"), ("kgx-mondo", "HP:0002094"), ("", "CHEBI:2549")} <= said
    assert [source for source, _ in relations(DATA)][:3] == ["kgx-hpo-annotations", "kgx-drugcentral", "kgx-ctd"]
    announced = set()
    for source, record in rows:
        if isinstance(record, SourceInfo):
            announced.add(record.id)
        assert not source or source in announced


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
    assert [reject.file for reject in read(archive)[1]] == [f"{archive}!/a/asthma_edges.tsv"]
    packed = tmp_path / "packed"
    packed.mkdir()
    for path in (NODES, EDGES):
        (packed / f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
    assert [type(record) for _, record in read(packed)[0]] == [type(record) for _, record in wanted[0]]
    assert [record for _, record in read(DATA / "asthma")[0] if isinstance(record, Entity)] == [
        record for _, record in wanted[0] if isinstance(record, Entity)
    ]


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


def cut_off(path):
    data = gzip.compress(path.read_bytes())
    return data[: len(data) // 2]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("nodes.tsv", b"", "is empty"),
        ("nodes.tsv", b"id\tname\nDOID:1\tx\n", "has no column 'category'"),
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


def test_an_empty_folder_and_a_name_that_nothing_has(tmp_path):
    for path in (tmp_path, tmp_path / "nothing", tmp_path / "no" / "folder"):
        with pytest.raises(SourceFileError, match="holds no KGX graph"):
            list(kgx.records(path))


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (b"DOID:2\tbiolink:Disease\n", "has 2 cells where the header has 3"),
        (b"DOID:2\tbiolink:Disease\ta\tb\n", "has 4 cells where the header has 3"),
        (b"DOID:2\tbiolink:Disease\t\xff\n", "is not UTF-8"),
        (b"DOID:2\tbiolink:Disease\t\x07\n", "the name holds the control character U+0007"),
        (b"\tbiolink:Disease\tx\n", "the id '' is empty"),
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
        ('{"id": "DOID:1", "n": NaN}', "NaN is not JSON"),
        ("[1]", "is not a JSON object"),
        ("[" * 100_000, "nested too deep"),
        ('{"id": "DOID:1", "category": []}', "has no 'category'; give it one"),
        ('{"id": "DOID:1", "category": ["x"], "name": ["a"]}', "'name' is \"['a']\", not a text"),
        ('{"id": 1, "category": ["x"]}', "'id' is '1', not a text"),
        ('{"medgraph:kind": "x", "id": "a", "category": ["x"]}', "medgraph:kind is 'x', which is none of"),
        ('{"medgraph:kind": "entity", "id": "a", "category": ["x"]}', "the entity has no 'label'"),
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


def test_a_million_characters_a_cycle_and_the_same_id_twice(tmp_path):
    nodes = HEAD + f"DOID:1\tbiolink:Disease\t{'x' * 1_000_000}\nDOID:1\tbiolink:Disease\tother\n"
    edges = "subject\tpredicate\tobject\nDOID:1\tbiolink:subclass_of\tDOID:1\nDOID:1\tbiolink:treats\tDOID:404\n"
    records, rejects, _ = read(write(tmp_path / "g", nodes, edges))
    assert rejects == []
    assert [type(record) for _, record in records] == [Entity, Entity, Relation, Relation]


def test_a_document_without_its_sections_in_place_is_rejected(tmp_path):
    said = {"medgraph:kind": "document", "id": "d1", "category": ["x"], "name": "D", "provided_by": ["infores:one"]}
    part = {
        "medgraph:kind": "section",
        "id": "d2#1",
        "category": ["x"],
        "medgraph:document": "d2",
        "medgraph:text": "t",
    }
    (tmp_path / "nodes.jsonl").write_text("\n".join(map(json.dumps, [said, part])))
    assert [(reject.line, reject.reason[:60]) for reject in read(tmp_path)[1]] == [
        (2, "the section belongs to the document 'd2', which is not the o"),
        (1, "the document 'd1': the document has neither a section with te"[:60]),
    ]


# What we write.


def test_names_of_columns_cannot_be_mistaken_for_each_other():
    own = {column.name for kind in FORMS for column in columns(kind)}
    assert not own & form.DERIVED
    assert {form.KIND, form.TYPES, form.STATEMENTS} & {f"medgraph:{name}" for name in own} == set()
    outside = {f"medgraph:{name}" for name in own - form.NATURAL}
    assert not outside & {f"medgraph:{name}" for name in (form.NATURAL | form.DERIVED) - RESERVED}


def test_every_label_and_type_is_found_again():
    assert {biolink.relation_of(biolink.predicate_of(kind)) for kind in RELATION_TYPES} == set(RELATION_TYPES)
    for label, category in ENTITY_LABELS.items():
        found = biolink.label_of(biolink.categories_of(label))
        assert ENTITY_LABELS[found or "Topic"] == category, label


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
