"""SSSOM of others, as tables, JSON and RDF: predicates, names, metadata, and what is wrong with a file."""

import gzip
import json

import pyoxigraph
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
from tests.support.exchange import read_sssom
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


SET = """
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix ORDO: <http://www.orpha.net/ORDO/Orphanet_> .
@prefix DOID: <http://purl.obolibrary.org/obo/DOID_> .
@prefix own: <http://example.org/own/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix semapv: <https://w3id.org/semapv/vocab/> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix sssom: <https://w3id.org/sssom/> .
@prefix pav: <http://purl.org/pav/> .
@prefix orcid: <https://orcid.org/> .

<https://example.org/sets/some> a sssom:MappingSet ;
    dcterms:title "Some" ; owl:versionInfo "2" ; dcterms:license <https://creativecommons.org/licenses/by/4.0/> ;
    sssom:mapping_tool "a matcher" ; sssom:extension_definitions [
        sssom:slot_name "ext_n" ; sssom:property own:n ; sssom:type_hint <http://www.w3.org/2001/XMLSchema#integer> ] ;
    sssom:mappings [ a owl:Axiom ;
        owl:annotatedSource ORDO:1 ; owl:annotatedProperty skos:exactMatch ; owl:annotatedTarget DOID:2 ;
        sssom:object_label "x" ; sssom:mapping_justification semapv:LexicalMatching ; sssom:confidence 0.5 ;
        pav:authoredBy orcid:1, orcid:2 ; sssom:match_string "a|b" ; rdfs:comment "odd" ; own:n 7 ],
      [ a owl:Axiom ;
        owl:annotatedSource own:1 ; owl:annotatedProperty skos:closeMatch ; owl:annotatedTarget DOID:2 ;
        sssom:mapping_justification semapv:LexicalMatching ],
      [ a owl:Axiom ; sssom:predicate_modifier sssom:NegatedPredicate ;
        owl:annotatedSource DOID:1 ; owl:annotatedProperty skos:exactMatch ; owl:annotatedTarget DOID:3 ;
        sssom:mapping_justification semapv:LexicalMatching ],
      [ a owl:Axiom ; sssom:object_type rdfs:Literal ; sssom:object_label "male" ;
        owl:annotatedSource DOID:1 ; owl:annotatedProperty skos:exactMatch ;
        sssom:mapping_justification semapv:LexicalMatching ],
      [ a owl:Axiom ; owl:annotatedSource DOID:1 ; owl:annotatedProperty skos:exactMatch ;
        owl:annotatedTarget sssom:NoTermFound ; sssom:mapping_justification semapv:LexicalMatching ] .
"""


def table(folder):
    path = folder / "some.sssom.tsv"
    path.write_text(
        "#curie_map:\n#  ORDO: http://www.orpha.net/ORDO/Orphanet_\n#  own: http://example.org/own/\n"
        "#mapping_tool: a matcher\n"
        "#extension_definitions:\n#- slot_name: ext_n\n#  property: own:n\n#  type_hint: xsd:integer\n"
        f"{HEAD.rstrip()}\tobject_label\tconfidence\tauthor_id\tmatch_string\tcomment\text_n\n"
        "ORDO:1\tskos:exactMatch\tDOID:2\tsemapv:LexicalMatching\tx\t0.5\torcid:1|orcid:2\ta\\|b\todd\t7\n"
        "own:1\tskos:closeMatch\tDOID:2\tsemapv:LexicalMatching\n"
    )
    return path


@pytest.mark.parametrize("suffix", ["ttl", "rdf", "nt", "xml"])
def test_rdf_says_what_a_table_does(tmp_path, suffix):
    path = tmp_path / f"some.sssom.{suffix}"
    form = {"nt": pyoxigraph.RdfFormat.N_TRIPLES, "xml": pyoxigraph.RdfFormat.RDF_XML}.get(suffix)
    parsed = pyoxigraph.parse(SET, pyoxigraph.RdfFormat.TURTLE)
    triples = [quad.triple for quad in parsed]
    path.write_bytes(pyoxigraph.serialize(triples, format=form, prefixes=parsed.prefixes) if form else SET.encode())
    assert sssom.recognise(path)
    info = sssom.describe(path)
    assert (info.id, info.title, info.version, info.licence) == ("some", "Some", "2", "CC-BY-4.0")
    records, rejects, remarks = read(path)
    assert rejects == []
    wanted = read(table(tmp_path))[0]
    if suffix in {"nt", "xml"}:  # of which no prefixes are known
        first, second = (record for record in records if isinstance(record, Relation))
        method = next(record.method for record in wanted if isinstance(record, Relation))
        assert (records[0], first.method, second.subject) == (wanted[0], method, "http://example.org/own/1")
        assert dict(first.properties)["author_id"] == ("ORCID:1", "ORCID:2")
        return
    assert sorted(records, key=repr) == sorted(wanted, key=repr)
    assert {remark.text.partition(",")[0] for remark in remarks} == {
        "statements that are marked as negated are left out: 1",
        "DOID:1 skos:exactMatch 'male' maps a text",
        "DOID:1 skos:exactMatch sssom:NoTermFound says that there is no term (sssom:NoTermFound)",
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SET[:-40], "is not whole RDF"),
        ("<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b '&c;'>]><rdf:RDF xmlns:rdf='x'>&b;</rdf:RDF>", "expands"),
    ],
)
def test_what_is_broken_or_would_expand(tmp_path, text, message):
    path = tmp_path / "x.sssom.rdf"
    path.write_text(text)
    with pytest.raises(SourceFileError, match=message) as raised:
        list(sssom.records(path))
    assert str(path) in str(raised.value)


SET_SSSOM_ROWS = {
    "mapping_set_id": "https://example.org/sets/some",
    "mapping_set_title": "Some",
    "mapping_set_version": 2,
    "license": "https://creativecommons.org/licenses/by/4.0/",
    "mapping_tool": "a matcher",
    "mappings": [
        {
            "subject_id": "ORDO:1",
            "predicate_id": "skos:exactMatch",
            "object_id": "DOID:2",
            "object_label": "x",
            "mapping_justification": "semapv:LexicalMatching",
            "confidence": 0.5,
            "author_id": ["orcid:1", "orcid:2"],
            "match_string": ["a|b"],
            "comment": None,
        },
        7,
        {
            "subject_id": "DOID:1",
            "predicate_id": "skos:exactMatch",
            "predicate_modifier": "Not",
            "object_id": "DOID:3",
            "mapping_justification": "semapv:LexicalMatching",
        },
    ],
    "@context": {
        "ORDO": "http://www.orpha.net/ORDO/Orphanet_",
        "@vocab": "https://w3id.org/sssom/",
        "comment": {"@id": "rdfs:comment"},
    },
}


def test_json_says_what_a_table_does(tmp_path):
    path = tmp_path / "some.sssom.json"
    path.write_text(json.dumps(SET_SSSOM_ROWS, indent=1))
    assert sssom.recognise(path)
    info = sssom.describe(path)
    assert (info.id, info.title, info.version, info.licence) == ("some", "Some", "2", "CC-BY-4.0")
    records, (reject,), (remark,) = read_sssom(path)
    assert (reject.line, reject.reason) == (24, "is '7', not a mapping in {}")
    assert (remark.line, remark.text.partition(",")[0]) == (
        25, "statements that are marked as negated are left out: 1",
    )  # fmt: skip
    table = tmp_path / "some.sssom.tsv"
    table.write_text(
        "#curie_map:\n#  ORDO: http://www.orpha.net/ORDO/Orphanet_\n#mapping_tool: a matcher\n"
        f"{HEAD.rstrip()}\tobject_label\tconfidence\tauthor_id\tmatch_string\n"
        "ORDO:1\tskos:exactMatch\tDOID:2\tsemapv:LexicalMatching\tx\t0.5\torcid:1|orcid:2\ta\\|b\n"
    )
    assert records == read_sssom(table)[0]
    packed = tmp_path / "some.sssom.json.gz"
    packed.write_bytes(gzip.compress(path.read_bytes(), mtime=0))
    assert sssom.recognise(packed)
    assert read_sssom(packed)[0] == records
