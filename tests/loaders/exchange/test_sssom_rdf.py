"""Mappings of SSSOM in RDF."""

import pyoxigraph
import pytest

from medgraph.errors import SourceFileError
from medgraph.loaders.exchange import sssom
from medgraph.schema.records import Relation
from tests.support.exchange import SSSOM_HEAD as HEAD
from tests.support.exchange import read_sssom as read

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
        ("<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><rdf:RDF xmlns:rdf='x'>&b;</rdf:RDF>", "DTD"),
    ],
)
def test_what_is_broken_or_would_expand(tmp_path, text, message):
    path = tmp_path / "x.sssom.rdf"
    path.write_text(text)
    with pytest.raises(SourceFileError, match=message) as raised:
        list(sssom.records(path))
    assert str(path) in str(raised.value)
