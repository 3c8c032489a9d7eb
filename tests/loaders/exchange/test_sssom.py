"""SSSOM of others: predicates, names, metadata, and what is wrong with a file."""

import gzip

import pytest

from medgraph.errors import InputError, SourceFileError
from medgraph.exports import sssom as sssom_export
from medgraph.loaders.base import Reject, Remark, Row
from medgraph.loaders.exchange import sssom
from medgraph.schema.records import Entity, Relation, SourceInfo
from tests.support.paths import FILES

FILE = FILES / "sssom" / "mondo.sssom.tsv"
HEAD = "subject_id\tpredicate_id\tobject_id\tmapping_justification\n"
GOOD = "DOID:1\tskos:exactMatch\tDOID:2\tsemapv:LexicalMatching\n"


def read(path):
    items = list(sssom.records(path))
    records = [item.record for item in items if isinstance(item, Row)]
    return records, [i for i in items if isinstance(i, Reject)], [i for i in items if isinstance(i, Remark)]


def relations(path):
    return [record for record in read(path)[0] if isinstance(record, Relation)]


def test_mappings_become_relations():
    exact, broad, equivalent, other = relations(FILE)
    assert (exact.subject, exact.type, exact.object, exact.predicate) == (
        "MONDO:0004979",
        "EXACT_MATCH",
        "DOID:2841",
        "",
    )
    assert (exact.method, exact.score) == ("semapv:ManualMappingCuration", 0.9)
    assert dict(exact.properties) == {
        "author_id": ("orcid:0000-0001", "orcid:0000-0002"),
        "comment": 'two "words"\tand a tab',
        "mapping_tool": "a matcher",
        "subject_source": "obo:mondo",
    }
    assert (broad.type, broad.object, broad.score) == ("BROAD_MATCH", "Orphanet:123", None)
    assert dict(broad.properties)["our_own"] == "x"
    assert (equivalent.type, equivalent.predicate) == ("EXACT_MATCH", "owl:equivalentClass")
    assert (other.type, other.predicate) == ("RELATED_TO", "semapv:crossSpeciesExactMatch")


def test_ends_with_names_become_entities_once_and_before_the_mappings():
    records = read(FILE)[0]
    kinds = [type(record) for record in records]
    assert kinds == sorted(kinds, key=lambda kind: kind is Relation)
    found = {record.id: (record.label, record.name) for record in records if isinstance(record, Entity)}
    assert len(found) == kinds.count(Entity)
    assert found == {
        "MONDO:0004979": ("Disease", "asthma"),
        "DOID:2841": ("Disease", "asthma"),
        "HP:0002094": ("Phenotype", "Dyspnea"),
        "DOID:9": ("Disease", "other"),
    }
    assert sssom.INFO.rank == 9


def test_what_cannot_be_a_relation_is_rejected():
    rejects = [(reject.line, reject.reason.partition(";")[0]) for reject in read(FILE)[1]]
    assert rejects == [
        (15, "the mapping says what is not so (predicate_modifier Not), which the graph does not hold"),
        (18, "the mapping says that there is no term (sssom:NoTermFound), which the graph does not hold"),
        (19, "the mapping has no mapping_justification"),
        (20, "the confidence 'high' is not a number"),
    ]


def test_what_is_noticed():
    remarks = [(remark.line, remark.text) for remark in read(FILE)[2]]
    assert remarks == [
        (16, "DOID:2841 has several names; the first one is taken"),
        (14, "the column 'our_own' is none of SSSOM's; it is stored as 'our_own'"),
    ]


def test_metadata_in_front_and_beside(tmp_path):
    info = sssom.describe(FILE)
    assert (info.id, info.title, info.version) == ("mondo_orphanet", "Mondo to Orphanet", "2026-11-01")
    assert (info.licence, info.rank) == ("CC-BY-4.0", 9)
    lines = FILE.read_text().splitlines(keepends=True)
    apart = tmp_path / "mondo.sssom.tsv"
    apart.write_text("".join(line for line in lines if not line.startswith("#")))
    assert sssom.describe(apart).licence == "LicenseRef-unstated"
    (tmp_path / "mondo.sssom.yml").write_text("".join(line[1:] for line in lines if line.startswith("#")))
    assert sssom.describe(apart) == info
    assert relations(apart) == relations(FILE)
    packed = tmp_path / "packed.sssom.tsv.gz"
    packed.write_bytes(gzip.compress(FILE.read_bytes()))
    assert relations(packed) == relations(FILE)


def test_recognise(tmp_path):
    assert sssom.recognise(FILE)
    for name, text in (("a.tsv", "subject_id\tx\n"), ("b.sssom.tsv", ""), ("c.csv", HEAD)):
        (tmp_path / name).write_text(text)
        assert not sssom.recognise(tmp_path / name)
    assert not sssom.recognise(tmp_path)


BOMB = "#a: &a [x,x]\n#b: &b [*a,*a]\n#c: [*b,*b]\n"


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (b"", None, "is empty"),
        (b"a\tb\n", 1, "has no columns 'subject_id'"),
        (b"#a: b\n", None, "has no header"),
        (HEAD.encode("utf-16"), 1, "is UTF-16"),
        (f"#x: [1\n{HEAD}".encode(), 1, "its metadata is not YAML"),
        (f"#- a\n{HEAD}".encode(), 1, "its metadata is no mapping of names to values"),
        (f"{BOMB}{HEAD}".encode(), 2, "an alias"),
        (f"#x: 1\n#x\n{HEAD}".encode(), 2, "its metadata is not YAML"),
        (f"#{'[' * 5000}\n{HEAD}".encode(), 1, "its metadata is not YAML"),
    ],
)
def test_files_that_cannot_be_used(tmp_path, data, line, message):
    path = tmp_path / "x.sssom.tsv"
    path.write_bytes(data)
    with pytest.raises(SourceFileError, match=message) as raised:
        list(sssom.records(path))
    assert line is None or raised.value.line == line
    assert str(path) in str(raised.value)


def test_yaml_runs_no_code(tmp_path):
    path = tmp_path / "x.sssom.tsv"
    path.write_text(f"#license: !!python/object/apply:os.system ['touch {tmp_path}/run']\n{HEAD}{GOOD}")
    assert len(relations(path)) == 1
    assert not (tmp_path / "run").exists()


def test_folders_and_gzip_that_is_none(tmp_path):
    with pytest.raises(SourceFileError, match="is a folder"):
        list(sssom.records(tmp_path))
    path = tmp_path / "x.sssom.tsv.gz"
    path.write_text(HEAD)
    with pytest.raises(SourceFileError, match="is not packed with gzip"):
        list(sssom.records(path))
    path.write_bytes(gzip.compress((HEAD + GOOD * 10_000).encode())[:-20])
    with pytest.raises(SourceFileError, match="is cut off"):
        list(sssom.records(path))


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (b"DOID:1\tskos:exactMatch\tDOID:2\n", "has 3 cells where the header has 4"),
        (b"DOID:1\tskos:exactMatch\t\xff\tsemapv:X\n", "is not UTF-8"),
        (b"\tskos:exactMatch\tDOID:2\tsemapv:X\n", "the mapping has no subject_id"),
        (b"DOID:1\tskos:exactMatch\t" + b"D" * 1_000_000 + b":1\tsemapv:X\n", "longer than 500 characters"),
    ],
)
def test_rows_that_cannot_be_used(tmp_path, row, reason):
    path = tmp_path / "x.sssom.tsv"
    path.write_bytes(HEAD.encode() + row + GOOD.encode())
    records, rejects, _ = read(path)
    assert len(records) == 1
    (reject,) = rejects
    assert (reject.file, reject.line) == (str(path), 2)
    assert reason in reject.reason


def test_the_files_own_prefixes_come_first(tmp_path):
    path = tmp_path / "x.sssom.tsv"
    path.write_text(f"#curie_map:\n#  HP: http://purl.obolibrary.org/obo/DOID_\n{HEAD}{GOOD.replace('DOID:1', 'HP:1')}")
    assert [relation.subject for relation in relations(path)] == ["DOID:1"]


def test_an_unknown_prefix_is_noticed_once(tmp_path):
    path = tmp_path / "x.sssom.tsv"
    path.write_text(HEAD + GOOD.replace("DOID", "NOPE") * 3)
    records, rejects, remarks = read(path)
    assert ({r.subject for r in records}, rejects) == ({"NOPE:1"}, [])
    assert [remark.line for remark in remarks] == [2]


# What we write.


ONE = SourceInfo("one", "One", "1", "CC-BY-4.0", "")
TWO = SourceInfo("two", "Two", "2", "CC0-1.0", "")


def test_prefixes_sources_and_licences_of_an_export(tmp_path):
    path = tmp_path / "all.sssom.tsv"
    relation = Relation("DOID:1", "EXACT_MATCH", "own:2", properties=(("counted", 3),))
    mappings = [sssom_export.Mapping("one", relation), sssom_export.Mapping("two", Relation("a", "CLOSE_MATCH", "b:1"))]
    assert sssom_export.write(path, [ONE, TWO], mappings) == 1
    header = sssom.sssom_header.read(path)
    assert header.prefixes["DOID"] == "http://purl.obolibrary.org/obo/DOID_"
    assert header.prefixes["own"] == "urn:medgraph:id:own:"
    assert header.said["license"] == "CC-BY-4.0 AND CC0-1.0"
    assert header.extensions == {"ext_counted": ("medgraph.property:counted", "xsd:integer")}
    (found,) = relations(path)
    assert found.method == "semapv:UnspecifiedMatching"
    assert dict(found.properties) == {"mapping_source": "medgraph.source:one", "counted": 3}


def test_an_export_replaces_a_file_only_when_told(tmp_path):
    path = tmp_path / "all.sssom.tsv"
    path.write_text("mine")
    with pytest.raises(InputError, match="is there already; name another file, or replace it with --force"):
        sssom_export.write(path, [ONE], [])

    def broken():
        yield sssom_export.Mapping("one", Relation("a:1", "EXACT_MATCH", "b:1"))
        raise RuntimeError

    with pytest.raises(RuntimeError):
        sssom_export.write(path, [ONE], broken(), force=True)
    assert [file.name for file in tmp_path.iterdir()] == ["all.sssom.tsv"]
    assert path.read_text() == "mine"
    sssom_export.write(path, [ONE], [], force=True)
    assert relations(path) == []
