"""RDF files: every syntax by either parser, SKOS, and what is never fetched or expanded."""

import json
import socket
import sys

import pytest
import rdflib

from medgraph.errors import SourceFileError
from medgraph.loaders.base import Reject, Remark, Row
from medgraph.loaders.ontologies.rdf import source, triples
from medgraph.schema.records import Entity, Relation
from tests.support.paths import FILES

SMALL = FILES / "ontology"
FOODS = "https://example.org/foods/"
SYNTAXES = {"xml": ".rdf", "turtle": ".ttl", "nt": ".nt", "json-ld": ".jsonld"}


@pytest.fixture(params=["fast", "rdflib alone"])
def parser(request, monkeypatch):
    if request.param == "rdflib alone":
        monkeypatch.setitem(sys.modules, "pyoxigraph", None)
    return request.param


@pytest.fixture(autouse=True)
def _offline(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("something was to be fetched")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def records(path, **options):
    return [item.record for item in source.records(path, **options) if isinstance(item, Row)]


@pytest.mark.parametrize("syntax", SYNTAXES)
@pytest.mark.parametrize("name", ["lungs.owl", "foods.ttl"])
def test_every_syntax_gives_the_same_by_either_parser(parser, syntax, name, tmp_path):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rdflib, "NORMALIZE_LITERALS", False)
        graph = rdflib.Graph().parse(SMALL / name)
    path = tmp_path / f"a{SYNTAXES[syntax]}"
    path.write_bytes(graph.serialize(format=syntax, encoding="utf-8"))
    assert source.recognise(path)
    found = list(source.records(path))
    expected = list(source.records(SMALL / name))
    assert [item.record for item in found if isinstance(item, Row)] == [
        i.record for i in expected if isinstance(i, Row)
    ]
    said = [[item.text for item in items if isinstance(item, Remark)] for items in (found, expected)]
    assert said[0] == said[1]
    assert len(said[0]) >= 1
    info = source.describe(path)
    assert (info.id, info.version) == {"lungs.owl": ("lungs", "2026-05-04"), "foods.ttl": ("foods", "2.1")}[name]


def test_the_parsers_agree_on_a_real_file(data, monkeypatch):
    path = data / "symp" / "symp.owl"
    fast = list(source.records(path))
    described = source.describe(path)
    monkeypatch.setitem(sys.modules, "pyoxigraph", None)
    assert list(source.records(path)) == fast
    assert source.describe(path) == described


def test_the_fast_parser_is_what_runs(monkeypatch):
    import pyoxigraph

    used = []
    whole = pyoxigraph.parse
    monkeypatch.setattr(pyoxigraph, "parse", lambda *args, **named: used.append(named) or whole(*args, **named))
    list(source.records(SMALL / "lungs.owl"))
    assert len(used) == 1


def test_a_vocabulary_in_skos():
    found = records(SMALL / "foods.ttl")
    names = {record.id.removeprefix(FOODS): record for record in found if isinstance(record, Entity)}
    assert list(names) == ["cheese", "dairy", "milk"]
    assert names["milk"] == Entity(
        id=f"{FOODS}milk",
        label="Topic",
        name="milk",
        synonyms=("cow's milk",),
        definition="What cows give.",
        related_synonyms=("mlik",),
        properties=(
            ("close_matches", (f"{FOODS}cheese",)),
            ("exact_matches", ("MESH:D008892",)),
            ("skos_inscheme", ("https://example.org/foods",)),
        ),
    )
    assert [record for record in found if isinstance(record, Relation)] == [
        Relation(f"{FOODS}cheese", "IS_A", f"{FOODS}dairy", "skos:broader"),
        Relation(f"{FOODS}milk", "IS_A", f"{FOODS}dairy", "skos:broader"),
        Relation(f"{FOODS}milk", "CLOSE_MATCH", f"{FOODS}cheese"),
        Relation(f"{FOODS}milk", "RELATED_TO", f"{FOODS}lactose", "skos:related"),
    ]
    info = source.describe(SMALL / "foods.ttl")
    assert (info.id, info.title, info.licence) == ("foods", "Foods that people ask about", "CC0-1.0")


def test_languages():
    items = list(source.records(SMALL / "foods.ttl"))
    (reject,) = [item for item in items if isinstance(item, Reject)]
    assert reject.reason == f"{FOODS}lactose has no name in the language 'en', only in 'de'; name it"
    texts = [item.text for item in items if isinstance(item, Remark)]
    assert "texts in the language 'de' are left out; the option language=de takes them" in texts
    german = {
        record.id: record.name for record in records(SMALL / "foods.ttl", language="de") if isinstance(record, Entity)
    }
    assert german == {f"{FOODS}dairy": "Milchprodukte", f"{FOODS}milk": "Milch", f"{FOODS}lactose": "Laktose"}


def test_classes_of_rdfs_and_several_names(tmp_path):
    path = tmp_path / "a.ttl"
    path.write_text(
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix o: <http://purl.obolibrary.org/obo/> .\n"
        "@prefix i: <http://www.geneontology.org/formats/oboInOwl#> .\n"
        'o:DOID_1 a rdfs:Class ; rdfs:label "b", "a" ; skos:prefLabel "c" ; rdfs:subClassOf owl:Thing, o:DOID_2 .\n'
        'o:DOID_2 rdfs:label "d"@en, "e" ; rdfs:subClassOf i:ObsoleteClass .\n'
        "o:DOID_3 a owl:Class . _:x a owl:Class . owl:Thing a owl:Class .\n"
    )
    items = list(source.records(path))
    assert [item.record for item in items if isinstance(item, Row)] == [
        Entity("DOID:1", "Disease", "a", synonyms=("b", "c")),
        Entity("DOID:2", "Disease", "d", synonyms=("e",), obsolete=True),
        Relation("DOID:1", "IS_A", "DOID:2"),
    ]
    assert [item.text for item in items if isinstance(item, Remark)] == [
        "DOID:1 has 3 names; 'a' is taken for the first",
        "DOID:2 has 2 names; 'd' is taken for the first",
    ]


def test_relative_addresses_are_no_ids(parser, tmp_path):
    path = tmp_path / "a.ttl"
    path.write_text('<#a> a <http://www.w3.org/2002/07/owl#Class> ; <http://www.w3.org/2000/01/rdf-schema#label> "a" .')
    with pytest.raises(SourceFileError, match="holds no class and no concept"):
        list(source.records(path))
    path.write_text(path.read_text() + "<http://example.org/a#b> a <http://www.w3.org/2002/07/owl#Class> .")
    (reject,) = [item for item in source.records(path) if isinstance(item, Reject)]
    assert reject.reason == "'#a' is relative, and the file does not say to what; add xml:base or @base"


@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE rdf:RDF [<!ENTITY obo "http://purl.obolibrary.org/obo/">]>',
        '<!DOCTYPE rdf:RDF SYSTEM "http://example.org/evil.dtd">',
        '<!DOCTYPE rdf:RDF [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE rdf:RDF [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>',
    ],
)
def test_dtds_and_entities_are_refused(parser, tmp_path, doctype):
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
def test_contexts_elsewhere_are_refused(parser, tmp_path, context):
    path = tmp_path / "a.jsonld"
    for content in ({"@context": context, "@id": "http://a/b"}, {"@graph": [{"@context": context}]}):
        path.write_text(json.dumps(content))
        with pytest.raises(
            SourceFileError, match=r"takes its context from http://example\.org/c.*, which is not fetched"
        ):
            list(source.records(path))


@pytest.mark.parametrize("name", ["lungs.owl", "foods.ttl", "lungs.nt", "lungs.jsonld"])
def test_a_file_that_is_cut_off_is_refused_before_anything_of_it_is_read(parser, tmp_path, name):
    path = tmp_path / name
    original = SMALL / name
    if original.exists():
        path.write_bytes(original.read_bytes())
    else:
        syntax = {".nt": "nt", ".jsonld": "json-ld"}[path.suffix]
        path.write_bytes(rdflib.Graph().parse(SMALL / "lungs.owl").serialize(format=syntax, encoding="utf-8"))
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 2 // 3 + 1])
    with pytest.raises(SourceFileError, match=f"{name}(:[0-9]+)?: is not (whole|well-formed) .*fetch it again"):
        next(source.records(path))


def test_other_encodings(parser, tmp_path):
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


def test_numbers_and_dates_stay_as_written(parser, tmp_path):
    path = tmp_path / "a.ttl"
    path.write_text(
        "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"
        "<http://purl.obolibrary.org/obo/DOID_1> a <http://www.w3.org/2002/07/owl#Class> ; "
        '<http://www.w3.org/2000/01/rdf-schema#label> "a" ; <http://example.org/x#n> "007"^^xsd:integer, '
        '"2020-01-31T10:00:00Z"^^xsd:dateTime ; <http://www.w3.org/2002/07/owl#deprecated> "1"^^xsd:boolean .'
    )
    (entity,) = records(path)
    assert entity.properties == (("n", ("007", "2020-01-31T10:00:00Z")),)
    assert entity.obsolete


def test_the_header_is_found_without_reading_on(tmp_path, monkeypatch):
    path = tmp_path / "a.ttl"
    lines = [f"<http://example.org/c{i}> a <http://www.w3.org/2002/07/owl#Class> ." for i in range(20_000)]
    path.write_text((SMALL / "foods.ttl").read_text() + "\n".join(lines))
    seen = []
    stream = triples.stream
    monkeypatch.setattr(source.triples, "stream", lambda path: (seen.append(row) or row for row in stream(path)))
    assert source.describe(path).id == "foods"
    assert len(seen) < 2_000


def test_the_temporary_file_goes(tmp_path, monkeypatch):
    monkeypatch.setenv("SQLITE_TMPDIR", str(tmp_path))
    rows = source.records(SMALL / "lungs.owl")
    next(rows)
    rows.close()
    assert list(tmp_path.iterdir()) == []
