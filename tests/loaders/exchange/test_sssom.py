"""SSSOM of others: predicates, names, metadata, and what is wrong with a file."""

import pytest

from medgraph.errors import SourceFileError
from medgraph.loaders.exchange import sssom
from medgraph.loaders.polarity import NEGATED
from medgraph.schema.exchange.statements import apart
from medgraph.schema.records import Entity, Relation
from tests.support.exchange import GOOD_MAPPING as GOOD
from tests.support.exchange import MAPPINGS as FILE
from tests.support.exchange import SSSOM_HEAD as HEAD
from tests.support.exchange import mappings as relations
from tests.support.exchange import read_sssom as read


def only_relations(records):
    return [record for record in records if isinstance(record, Relation)]


def test_mappings_become_relations():
    broad, other, exact, equivalent, close = relations(FILE)
    assert (close.score, dict(close.properties)["confidence"]) == (None, "high")
    assert (exact.subject, exact.type, exact.object, exact.predicate) == (
        "MONDO:0004979",
        "EXACT_MATCH",
        "DOID:2841",
        "",
    )
    assert (exact.method, exact.score) == ("semapv:ManualMappingCuration|semapv:UnspecifiedMatching", 0.9)
    first, second = apart(exact)
    assert (first.method, first.score) == ("semapv:ManualMappingCuration", 0.9)
    assert dict(first.properties) == {
        "author_id": ("orcid:0000-0001", "orcid:0000-0002"),
        "comment": 'two "words"\tand a tab',
        "mapping_tool": "a matcher",
        "subject_source": "obo:mondo",
    }
    assert (second.method, second.score) == ("semapv:UnspecifiedMatching", 0.5)
    assert (broad.type, broad.object, broad.score) == ("BROAD_MATCH", "Orphanet:123", None)
    assert dict(broad.properties)["our_own"] == "x"
    assert (equivalent.type, equivalent.predicate) == ("EXACT_MATCH", "owl:equivalentClass")
    assert (other.type, other.predicate) == ("RELATED_TO", "semapv:crossSpeciesExactMatch")


@pytest.mark.parametrize(
    "word", ["Not", "NOT", "not", "sssom:NegatedPredicate", "https://w3id.org/sssom/NegatedPredicate"]
)
def test_a_mapping_that_is_denied_is_no_match_however_it_is_written(tmp_path, word):
    path = tmp_path / "x.sssom.tsv"
    rows = [GOOD.rstrip("\n") + f"\t{word}\n", GOOD.replace("skos:exactMatch", "owl:differentFrom")]
    path.write_text(HEAD.rstrip("\n") + "\tpredicate_modifier\n" + "".join(rows))
    records, rejects, remarks = read(path)
    assert (records, rejects) == ([], [])
    assert {(remark.line, remark.text) for remark in remarks} == {
        (2, f"{NEGATED}: 1, the first is DOID:1 skos:exactMatch DOID:2"),
        (3, "statements of what is not so (owl:differentFrom) are left out: 1, the first is "
            "DOID:1 owl:differentFrom DOID:2"),
    }  # fmt: skip


def test_an_end_that_is_a_concept_is_what_the_other_end_stands_for(tmp_path):
    path = tmp_path / "x.sssom.tsv"
    rows = [
        "DOID:1\tskos:exactMatch\tUMLS:C0000001\tsemapv:LexicalMatching",
        "UMLS:C0000002\towl:equivalentClass\tDOID:1\tsemapv:ManualMappingCuration",
        "DOID:2\tskos:broadMatch\tUMLS:C0000003\tsemapv:LexicalMatching",
        "UMLS:C0000004\tskos:exactMatch\tUMLS:C0000005\tsemapv:LexicalMatching",
    ]
    path.write_text(HEAD + "".join(f"{row}\n" for row in rows))
    records, rejects, remarks = read(path)
    assert (rejects, remarks) == ([], [])
    methods = (("concept_methods", ("semapv:LexicalMatching", "semapv:ManualMappingCuration")),)
    assert records == [
        Entity("DOID:1", concepts=("C0000001", "C0000002"), properties=methods),
        Entity("DOID:2"),
        *(Entity(f"UMLS:C000000{n}", concepts=(f"C000000{n}",)) for n in (3, 4, 5)),
        Relation("DOID:2", "BROAD_MATCH", "UMLS:C0000003", method="semapv:LexicalMatching"),
        Relation("UMLS:C0000004", "EXACT_MATCH", "UMLS:C0000005", method="semapv:LexicalMatching"),
    ]


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["mondo_exactmatch_umls_head", "mondo_hasdbxref_hp"])
def test_mappings_of_others_load_whole(data, name):
    path = data.parent / "peers" / "mondo" / f"{name}.sssom.tsv"
    if not path.exists():
        pytest.skip(f"{path} is missing")
    rows = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")][1:]
    records, rejects, _ = read(path)
    said = sum(len(record.concepts) for record in records if isinstance(record, Entity))
    assert (rejects, len(only_relations(records)) + said) == ([], len(rows))


BOMB = "#a: &a [x,x]\n#b: &b [*a,*a]\n#c: [*b,*b]\n"


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (b"", None, "is empty"),
        (b"a\tb\n", 1, "has no column 'predicate_id'"),
        (b"#a: b\n", None, "has no header"),
        (HEAD.encode("utf-16"), 1, "is UTF-16"),
        (f"#x: [1\n{HEAD}".encode(), 1, "its metadata is not YAML"),
        (f"#- a\n{HEAD}".encode(), 1, "its metadata is no mapping of names to values"),
        (f"{BOMB}{HEAD}".encode(), 2, "an alias"),
        (f"#curie_map:\n#  O: https://a.org/\n#  O: https://b.org/\n{HEAD}".encode(), 3, "'O' stands twice"),
        (f"#a: 1\n#b: {{}}\n#a: 2\n{HEAD}".encode(), 3, "'a' stands twice"),
        (f"#? [a]\n#: b\n{HEAD}".encode(), 1, "its metadata is not YAML"),
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


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (b"DOID:1\tskos:exactMatch\n", "DOID:1 skos:exactMatch '': the mapping has no object_id"),
        (b"DOID:1\tskos:exactMatch\tDOID:2\tsemapv:X\tmore\n", "has 5 cells where the header has 4"),
        (b"DOID:1\tskos:exactMatch\t\xff\tsemapv:X\n", "is not UTF-8"),
        (b"\tskos:exactMatch\tDOID:2\tsemapv:X\n", "the mapping has no subject_id"),
        (b"DOID:1\tskos:exactMatch\t" + b"D" * 1_000_000 + b":1\tsemapv:X\n", "longer than 500 characters"),
    ],
)
def test_rows_that_cannot_be_used(tmp_path, row, reason):
    path = tmp_path / "x.sssom.tsv"
    path.write_bytes(HEAD.encode() + row + GOOD.encode())
    records, rejects, _ = read(path)
    assert len(only_relations(records)) == 1
    (reject,) = rejects
    assert (reject.file, reject.line) == (str(path), 2)
    assert reason in reject.reason
