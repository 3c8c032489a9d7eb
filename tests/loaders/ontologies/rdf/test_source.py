"""RDF files: classes of OWL and RDFS, SKOS, languages, and the header."""

from medgraph.loaders.base import Remark, Row
from medgraph.loaders.ontologies.rdf import source
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
