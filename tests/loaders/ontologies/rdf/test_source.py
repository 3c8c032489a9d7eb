"""RDF files: classes of OWL and RDFS, SKOS, expressions, parsers, and triples on disk."""

import json

import pytest
import rdflib

from medgraph.errors import InputError, SourceFileError
from medgraph.loaders.base import Reject, Remark, Row
from medgraph.loaders.ontologies.rdf import source
from medgraph.loaders.ontologies.rdf.triples import syntax_of
from medgraph.schema.records import Entity, Relation
from tests.support.ontologies import SMALL

FOODS = "https://example.org/foods/"


def records(path, **options):
    return [item.record for item in source.records(path, **options) if isinstance(item, Row)]


def test_a_vocabulary_in_skos():
    found = records(SMALL / "foods.ttl")
    names = {record.id.removeprefix(FOODS): record for record in found if isinstance(record, Entity)}
    assert list(names) == ["cheese", "dairy", "lactose", "milk"]
    assert names["milk"] == Entity(
        id=f"{FOODS}milk",
        label="Topic",
        name="milk",
        synonyms=("cow's milk",),
        definition="What cows give.",
        related_synonyms=("mlik",),
        translations=("Kuhmilch@de", "Milch@de"),
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


PREFIXES = (
    "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
    "@prefix o: <http://purl.obolibrary.org/obo/> . @prefix i: <http://www.geneontology.org/formats/oboInOwl#> .\n"
)


def test_a_translation_adds_names_to_terms_that_it_does_not_declare(tmp_path):
    path = tmp_path / "hp-fr.ttl"
    path.write_text(
        PREFIXES + 'o:HP_1 rdfs:label "Toux"@fr ; o:IAO_0000115 "Bruit de toux."@fr .\n'
        'o:HP_2 rdfs:label "Fievre"@fr-CA ; i:hasExactSynonym "Temperature"@fr . o:HP_3 o:IAO_0000231 "no name" .\n'
        "o:HP_2 <http://www.w3.org/2004/02/skos/core#broader> o:HP_1 .\n"
        'i:hasExactSynonym rdfs:label "synonyme exact"@fr . rdfs:seeAlso rdfs:label "voir"@fr .\n'
        'o:IAO_0000115 rdfs:label "definition"@fr . <http://example.org/x> rdfs:label "x"@fr .\n'
        'o:RO_1 a owl:ObjectProperty ; rdfs:label "a"@fr .\n'
    )
    items = list(source.records(path))
    assert [item.record for item in items if isinstance(item, Row)] == [
        Entity("HP:1", "", "", translations=("Toux@fr",)),
        Entity("HP:2", "", "", translations=("Fievre@fr-CA", "Temperature@fr")),
        Relation("HP:2", "IS_A", "HP:1", "skos:broader"),
    ]
    assert {item.text for item in items if not isinstance(item, Row)} == {
        "texts in the language 'fr' are left out; the option language=fr takes them: 1, the first is "
        "http://purl.obolibrary.org/obo/HP_1",
        "statements of IAO:0000231 on what has no type are not read: 1, the first is "
        "http://purl.obolibrary.org/obo/HP_3 no name",
        "statements of rdfs:label on what has no type are not read: 4, the first is http://example.org/x x",
    }


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
        Entity("DOID:3"),
        Relation("DOID:1", "IS_A", "DOID:2"),
    ]
    assert [item.text for item in items if isinstance(item, Remark)] == [
        "DOID:1 has 3 names; 'a' is taken for the first",
        "DOID:2 has 2 names; 'd' is taken for the first",
        "of terms such as DOID:3 the file gives the id alone; they are stubs until a source names them",
    ]


HEAD = (
    "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
    "@prefix o: <http://purl.obolibrary.org/obo/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"
    'o:BFO_0000051 a owl:ObjectProperty ; rdfs:label "has part" . o:UBERON_2 a owl:Class ; rdfs:label "toe" .\n'
)
PART = "owl:onProperty o:BFO_0000051"
NONE = "relations that say that there is none are left out (cardinality 0, a complement): 1"
PERHAPS = "relations that do not say that there is one are left out (at most, all, only, or): 1"


@pytest.fixture
def read(tmp_path):
    """Reads what a class is said to be below, and gives the relations and the remarks."""

    def read(expression, more=""):
        path = tmp_path / "a.ttl"
        path.write_text(f'{HEAD}o:UBERON_1 a owl:Class ; rdfs:label "foot" ; rdfs:subClassOf {expression} .\n{more}')
        items = list(source.records(path))
        assert not [item for item in items if isinstance(item, Reject)]
        found = [item.record for item in items if isinstance(item, Row) and isinstance(item.record, Relation)]
        return found, [item for item in items if isinstance(item, Remark)]

    return read


@pytest.mark.parametrize(
    ("expression", "properties"),
    [
        ("owl:someValuesFrom o:UBERON_2", ()),
        ('owl:qualifiedCardinality "5" ; owl:onClass o:UBERON_2', (("cardinality", ("5",)),)),
        ('owl:minQualifiedCardinality "1" ; owl:onClass o:UBERON_2', (("mincardinality", ("1",)),)),
    ],
)
def test_what_says_that_there_is_one_is_a_relation(read, expression, properties):
    expected = Relation("UBERON:1", "HAS_PART", "UBERON:2", properties=properties)
    assert read(f"[ a owl:Restriction ; {PART} ; {expression} ]") == ([expected], [])


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        (f'[ {PART} ; owl:qualifiedCardinality "0" ; owl:onClass o:UBERON_2 ]', NONE),
        (f'[ {PART} ; owl:maxQualifiedCardinality "0" ; owl:onClass o:UBERON_2 ]', NONE),
        (f"[ owl:complementOf [ {PART} ; owl:someValuesFrom o:UBERON_2 ] ]", NONE),
        ("[ owl:complementOf o:UBERON_2 ]", NONE),
        (f'[ {PART} ; owl:minQualifiedCardinality "0" ; owl:onClass o:UBERON_2 ]', PERHAPS),
        (f'[ {PART} ; owl:maxQualifiedCardinality "2" ; owl:onClass o:UBERON_2 ]', PERHAPS),
        (f"[ {PART} ; owl:allValuesFrom o:UBERON_2 ]", PERHAPS),
        ("[ owl:unionOf ( o:UBERON_2 o:UBERON_3 ) ]", PERHAPS),
        ("[ owl:onProperty [ owl:inverseOf o:BFO_0000050 ] ; owl:someValuesFrom o:UBERON_2 ]", PERHAPS),
        (f"[ {PART} ; owl:someValuesFrom [ owl:unionOf ( o:UBERON_2 o:UBERON_3 ) ] ]", PERHAPS),
    ],
)
def test_what_does_not_is_left_out_with_a_remark(read, expression, said):
    found, (remark,) = read(expression)
    assert (found, remark.line) == ([], 0)
    assert remark.file.endswith("a.ttl: http://purl.obolibrary.org/obo/UBERON_1")
    assert remark.text == f"{said}, the first is http://purl.obolibrary.org/obo/UBERON_1"


def test_of_an_intersection_each_part_holds(read):
    found, (remark,) = read(
        f"[ owl:intersectionOf ( o:UBERON_2 [ {PART} ; owl:someValuesFrom o:UBERON_2 ] [ owl:complementOf o:UBERON_4 ]"
        f" [ owl:intersectionOf ( o:UBERON_3 ) ] ) ]"
    )
    assert found == [
        Relation("UBERON:1", "HAS_PART", "UBERON:2"),
        Relation("UBERON:1", "IS_A", "UBERON:2"),
        Relation("UBERON:1", "IS_A", "UBERON:3"),
    ]
    assert remark.text.startswith(NONE)


SYNTAXES = {"xml": ".rdf", "turtle": ".ttl", "nt": ".nt", "json-ld": ".jsonld"}


@pytest.mark.parametrize("syntax", SYNTAXES)
@pytest.mark.parametrize("name", ["lungs.owl", "foods.ttl"])
def test_every_syntax_gives_the_same(syntax, name, tmp_path):
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
    assert said[0] or name == "foods.ttl"
    info = source.describe(path)
    assert (info.id, info.version) == {"lungs.owl": ("lungs", "2026-05-04"), "foods.ttl": ("foods", "2.1")}[name]


@pytest.mark.parametrize("name", ["lungs.owl", "foods.ttl", "lungs.nt", "lungs.jsonld"])
def test_a_file_that_is_cut_off_is_refused_before_anything_of_it_is_read(tmp_path, name):
    path = tmp_path / name
    original = SMALL / name
    if original.exists():
        path.write_bytes(original.read_bytes())
    else:
        syntax = {".nt": "nt", ".jsonld": "json-ld"}[path.suffix]
        whole = rdflib.Graph().parse(SMALL / "lungs.owl").serialize(format=syntax, encoding="utf-8")
        # Whatever the order of the triples: not cut between two lines.
        path.write_bytes(whole.rstrip().rpartition(b"\n")[2] if path.suffix == ".nt" else whole)
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 2 // 3 + 1])
    with pytest.raises(SourceFileError, match=f"{name}(:[0-9]+)?: is not (whole|well-formed) .*fetch it again"):
        next(source.records(path))


@pytest.mark.parametrize(
    ("name", "text", "syntax"),
    [
        ("a.owl", '<?xml version="1.0"?><a/>', "xml"),
        ("a.owl", "@prefix a: <http://example.org/> .", "turtle"),
        ("a.ttl", '\ufeff<?xml version="1.0"?><a/>', "xml"),
        ("a.nt", "<a> <b> <c> .", "nt"),
        ("a.JSONLD", "{}", "json-ld"),
        ("a", "<a> <b> <c> .", "trig"),
        ("a", '# of mine\n<a> <b> "c d"@en <g> .', "nq"),
        ("a.ttl", "<a> <b> <c> .", "turtle"),
    ],
)
def test_the_syntax_is_that_of_the_content_before_that_of_the_name(tmp_path, name, text, syntax):
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert syntax_of(tmp_path / name) == syntax


@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE rdf:RDF [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE rdf:RDF [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>',
    ],
)
def test_entities_that_could_grow_or_fetch_are_refused(tmp_path, doctype):
    path = tmp_path / "a.owl"
    text = (SMALL / "lungs.owl").read_text()
    path.write_text(text.replace('<?xml version="1.0"?>', '<?xml version="1.0"?>\n' + doctype))
    for act in (lambda: list(source.records(path)), lambda: source.describe(path)):
        with pytest.raises(SourceFileError, match=r"a\.owl:2: declares the entity '\w', which stands elsewhere"):
            act()
    path.write_text(text.replace("tuberculosis", "&obo;tuberculosis"))
    with pytest.raises(SourceFileError, match=r"is not well-formed XML .undefined entity"):
        list(source.records(path))


@pytest.mark.parametrize("encoding", ["utf-8", "ISO-8859-1", "utf-16"])
def test_beginnings_of_addresses_may_be_entities_in_any_encoding(tmp_path, encoding):
    path, text = tmp_path / "a.owl", (SMALL / "lungs.owl").read_text().replace("tuberculosis", "tuberculös")
    path.write_text(text)
    wanted = [item.record for item in source.records(path) if isinstance(item, Row)]
    base = "http://purl.obolibrary.org/obo/"
    start = f'<?xml version="1.0" encoding="{encoding}"?>\n<!DOCTYPE rdf:RDF SYSTEM "https://dtd.example/a.dtd" '
    whole = text.replace(f'"{base}', '"&obo;').replace('<?xml version="1.0"?>', f'{start}[<!ENTITY obo "{base}">]>')
    assert "&obo;" in whole.partition("]>")[2]
    path.write_bytes(whole.encode(encoding))
    assert [item.record for item in source.records(path) if isinstance(item, Row)] == wanted
    assert source.describe(path).id == "lungs"


@pytest.mark.parametrize(
    "context",
    ["http://example.org/c.jsonld", ["http://example.org/c.jsonld"], {"@import": "http://example.org/c.jsonld"}],
)
def test_contexts_elsewhere_come_from_files_alone(tmp_path, context):
    path, concept = tmp_path / "a.jsonld", {"@type": "skos:Concept", "skos:prefLabel": "Asthma"}
    for content in ({"@context": context, **concept, "@id": "http://a/b"}, {"@graph": [{"@context": context}]}):
        path.write_text(json.dumps(content))
        assert source.describe(path).id == "a"
        said = r"its @context stands at http://example\.org/c.*, which is not fetched; .* --option context=FILE"
        with pytest.raises(SourceFileError, match=said):
            list(source.records(path))
    path.write_text(json.dumps({"@context": context, **concept, "@id": "http://a/b"}))
    (tmp_path / "given").write_text(json.dumps({"@context": {"skos": "http://www.w3.org/2004/02/skos/core#"}}))
    given = [item.record for item in source.records(path, context=str(tmp_path / "given")) if isinstance(item, Row)]
    (tmp_path / "given").rename(tmp_path / "c.jsonld")
    assert [record.name for record in given] == ["Asthma"]
    assert [item.record for item in source.records(path) if isinstance(item, Row)] == given


SKOS = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"


def test_relative_ids_have_a_base_or_the_reason(tmp_path):
    path = tmp_path / "a.ttl"
    path.write_text(SKOS + '<#gout> a skos:Concept ; skos:prefLabel "Gout"@en .')
    with pytest.raises(
        SourceFileError, match=r"1 classes or concepts, all with relative ids such as '#gout'; add xml:base"
    ):
        list(source.records(path))
    found = [item.record.id for item in source.records(path, base="https://t.example/") if isinstance(item, Row)]
    assert found == ["https://t.example/#gout"]
    with pytest.raises(InputError, match="the base 'here' is no address"):
        list(source.records(path, base="here"))


def test_other_encodings(tmp_path):
    path = tmp_path / "a.owl"
    text = (SMALL / "lungs.owl").read_text().replace("tuberculosis", "tuberculös")
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(SourceFileError, match=r"a\.owl:[0-9]+: is not well-formed XML .*another encoding than utf-8"):
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
