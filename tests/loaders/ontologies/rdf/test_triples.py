"""Triples on disk, and files of which none are read: other syntaxes and encodings, DTDs, contexts elsewhere."""

import json

import pytest

from medgraph.errors import SourceFileError
from medgraph.loaders.ontologies.rdf import source
from medgraph.loaders.ontologies.rdf.triples import syntax_of
from tests.support.ontologies import SMALL


@pytest.mark.parametrize(
    ("name", "text", "syntax"),
    [
        ("a.owl", '<?xml version="1.0"?><a/>', "xml"),
        ("a.owl", "@prefix a: <http://example.org/> .", "turtle"),
        ("a.ttl", '\ufeff<?xml version="1.0"?><a/>', "xml"),
        ("a.nt", "<a> <b> <c> .", "nt"),
        ("a.JSONLD", "{}", "json-ld"),
        ("a", "<a> <b> <c> .", "turtle"),
    ],
)
def test_the_syntax_is_that_of_the_content_before_that_of_the_name(tmp_path, name, text, syntax):
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert syntax_of(tmp_path / name) == syntax


@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE rdf:RDF [<!ENTITY obo "http://purl.obolibrary.org/obo/">]>',
        '<!DOCTYPE rdf:RDF SYSTEM "http://example.org/evil.dtd">',
        '<!DOCTYPE rdf:RDF [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE rdf:RDF [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>',
    ],
)
def test_dtds_and_entities_are_refused(tmp_path, doctype):
    path = tmp_path / "a.owl"
    text = (SMALL / "lungs.owl").read_text()
    path.write_text(text.replace('<?xml version="1.0"?>', '<?xml version="1.0"?>\n' + doctype))
    for act in (lambda: list(source.records(path)), lambda: source.describe(path)):
        with pytest.raises(SourceFileError, match=r"a\.owl:2: declares a DTD or entities, which are never read"):
            act()
    path.write_text(text.replace("tuberculosis", "&obo;tuberculosis"))
    with pytest.raises(SourceFileError, match=r"is not well-formed XML .undefined entity"):
        list(source.records(path))


@pytest.mark.parametrize(
    "context", ["http://example.org/c.jsonld", ["http://example.org/c"], {"@import": "http://example.org/c"}]
)
def test_contexts_elsewhere_are_refused(tmp_path, context):
    path = tmp_path / "a.jsonld"
    for content in ({"@context": context, "@id": "http://a/b"}, {"@graph": [{"@context": context}]}):
        path.write_text(json.dumps(content))
        with pytest.raises(
            SourceFileError, match=r"takes its context from http://example\.org/c.*, which is not fetched"
        ):
            list(source.records(path))


def test_other_encodings(tmp_path):
    path = tmp_path / "a.owl"
    text = (SMALL / "lungs.owl").read_text().replace("tuberculosis", "tuberculös")
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(SourceFileError, match=r"a\.owl:[0-9]+: is not well-formed XML in UTF-8: save it as UTF-8"):
        list(source.records(path))
    path.write_bytes(text.replace('"1.0"', '"1.0" encoding="ISO-8859-1"').encode("latin-1"))
    with pytest.raises(SourceFileError, match=r"a\.owl:1: is encoded in ISO-8859-1; save it as UTF-8"):
        list(source.records(path))
    path = tmp_path / "a.ttl"
    path.write_bytes((SMALL / "foods.ttl").read_text().replace("milk", "lait caillé").encode("latin-1"))
    with pytest.raises(SourceFileError, match=r"a\.ttl.* is not whole RDF in UTF-8"):
        list(source.records(path))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("Prefix(:=<http://example.org/>)\nOntology(<http://example.org/>)", "the functional syntax of OWL"),
        ("Prefix: : <http://example.org/>\nOntology: <http://example.org/>", "Manchester syntax"),
        ('<?xml version="1.0"?><Ontology xmlns="http://www.w3.org/2002/07/owl#"/>', "OWL/XML"),
        ("format-version: 1.2\n", "OBO format, which is loaded as `obo`"),
    ],
)
def test_other_ways_of_writing_owl_are_named(tmp_path, text, what):
    path = tmp_path / "a.owl"
    path.write_text(text)
    with pytest.raises(SourceFileError, match=f"is written in {what}"):
        list(source.records(path))
