"""Words of the graph: labels, attributes, prefixes, licences, languages, folded forms, and rules of the schema."""

import csv
import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.errors import InputError
from medgraph.loaders.mapping import keys
from medgraph.schema import licences, migrate, prefixes
from medgraph.schema.folding import composed, folded, folded_names, folded_words
from medgraph.schema.languages import foreign_language, read_weights
from medgraph.schema.records import (
    RESERVED,
    Entity,
    Relation,
)
from medgraph.schema.rows import attributes, names
from medgraph.schema.vocabulary import (
    CONCEPT_RELATIONS,
    ENTITY_LABELS,
    INVERSES,
    KIN,
    METAGRAPH,
    NODE_LABELS,
    RELATION_ENDS,
    RELATION_TYPES,
)
from tests.support.examples import examples
from tests.support.graphs import statement
from tests.support.paths import ROOT


def test_the_schemas_readme_and_the_vocabulary_say_the_same():
    text = (ROOT / "schema" / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| ([\w, ]+) → (\w+) \|", text, re.MULTILINE)
    told = {(source, name, target) for name, sources, target in rows for source in sources.split(", ")}
    but = re.search(r"^\| each of these but (.+) \| Concept → Concept \|", text, re.MULTILINE)
    assert re.findall(r"`(\w+)`", but[1]) == list(INVERSES)
    assert told | {("Concept", relation, "Concept") for relation in CONCEPT_RELATIONS} == set(METAGRAPH)
    assert {relation for a, relation, b in METAGRAPH if a == b == "Entity"} == RELATION_TYPES.keys()
    assert {end for a, _, b in METAGRAPH for end in (a, b)} <= set(NODE_LABELS)


def test_the_tables_of_ends_and_kin_use_words_of_the_vocabulary():
    assert RELATION_ENDS.keys() <= RELATION_TYPES.keys()
    labels = {label for ends in RELATION_ENDS.values() for side in ends for label in side}
    assert labels | {label for group in KIN for label in group} <= ENTITY_LABELS.keys()
    assert "Topic" in ENTITY_LABELS


def test_the_names_that_the_graph_uses_are_those_of_graphs_stored_before():
    assert sorted(RESERVED) == (
        "about aliases alternative_ids authors broad_synonyms chunked collection collections concepts cui "
        "definition doi embedding embedding_b embedding_model embedding_model_b end evidence folded generated hash "
        "heading id journal kge label licence load method name narrow_synonyms notices object obsolete position "
        "predicate published question questions related_synonyms replaced_by retracted revision score section "
        "sections seen semantic_types sentence_model sentence_model_b sentence_vectors sentence_vectors_b source "
        "sources start subject synonyms text title translations type types url version xrefs"
    ).split(" ")


@pytest.mark.parametrize(("record", "known"), [(Entity, keys.FORMS["entity"]), (Relation, keys.FORMS["relation"])])
def test_a_mapping_can_say_all_that_a_record_can(record, known):
    assert set(names(attributes(record))) <= known.keys()


with prefixes.TABLE.open(encoding="utf-8") as table:
    ROWS = list(csv.DictReader(table, delimiter="\t"))
with prefixes.MORE.open(encoding="utf-8") as more:
    MORE = list(csv.DictReader((line for line in more if not line.startswith("#")), delimiter="\t"))


@pytest.mark.parametrize(("text", "curie"), examples("prefixes"))
def test_standard(text, curie):
    assert prefixes.standard(text) == curie


def test_uris_and_labels():
    assert prefixes.uri("UMLS_CUI:C1") == "http://linkedlifedata.com/resource/umls/id/C1"
    assert prefixes.uri("XYZZY:1") is None
    labels = {
        text: prefixes.label_of(text)
        for text in ("DOID:1", "symp:1", "HP:1", "hgnc:5", "MIM:1", "MESH:D1", "UO:1", "XYZZY:1", "")
    }
    assert list(labels.values()) == ["Disease", "Symptom", "Phenotype", "Gene", "Disease", *["Topic"] * 4]


@given(st.sampled_from(ROWS), st.from_regex(r"[A-Za-z0-9._-]{1,12}", fullmatch=True), st.randoms())
def test_every_spelling_and_uri_comes_to_the_same_curie(row, local, random):
    curie = prefixes.standard(f"{row['prefix']}:{local}")
    assert prefixes.standard(curie) == curie
    for word in (row["prefix"], *row["synonyms"].split()):
        mixed = "".join(random.choice((letter.lower(), letter.upper())) for letter in word)
        assert prefixes.standard(f"{mixed}:{local}") == curie
    if not row["prefix"].startswith("OMIM"):
        for address in (row["uri"], *row["other_uris"].split(), f"https://identifiers.org/{row['prefix']}/"):
            assert prefixes.standard(address + local) == curie
    assert prefixes.standard(prefixes.uri(curie)) == curie


def test_every_uri_comes_back():
    found = {row["prefix"]: prefixes.standard(f"{row['uri']}1") for row in (*ROWS, *MORE)}
    found = {name: curie for name, curie in found.items() if curie != f"{name}:1"}
    assert found == {"GEOGEO": "GEO:1"}  # both have one address


@given(st.text())
def test_any_text_is_safe(text):
    curie = prefixes.standard(text)
    assert curie is None or prefixes.standard(curie) == curie
    assert prefixes.label_of(text) in ENTITY_LABELS


def test_the_library_is_loaded_only_where_a_uri_is_read():
    code = (
        "import sys; from medgraph.schema import prefixes; prefixes.standard('MIM:1'); print('curies' in sys.modules)"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "False\n"


@pytest.mark.parametrize(("address", "spdx"), examples("licences"))
def test_identifiers(address, spdx):
    assert licences.identifier(address) == licences.spdx(address) == spdx
    assert licences.spdx(licences.address(spdx)) == spdx


@pytest.mark.parametrize("text", ["https://example.org/terms", "see the home page", "v1.3", "(" * 100, "MIT " * 1000])
def test_what_is_no_known_licence_stays_as_it_is(text):
    assert licences.identifier(f" {text} ") == ""
    assert licences.spdx(f" {text} ") == text.strip()


@pytest.mark.parametrize(("text", "name"), examples("languages_guessed"))
def test_languages(text, name):
    guessed, sure = foreign_language(text)
    assert guessed == name
    assert (0.5 < sure <= 1) if name else sure == 0


@pytest.mark.parametrize("line", ["English", "English\tplain", "English\toften\ta b"])
def test_a_line_that_cannot_be_read_is_told(tmp_path, line):
    path = tmp_path / "words.tsv"
    path.write_text(f"English\tplain\tthe\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"words\.tsv:2: write a language"):
        read_weights(path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Sjögren's syndrome, Behçet's disease and Ménière's", "Sjogren Behcet Meniere"),
        ("Mo\u0308bius", "Mobius"),
        ("Guillain\u2013Barr\u00e9 syndrome", "Barre"),
        ("In\ufb02ammation of the \ufb01ngers; co\u00adagu\u00adlation", "Inflammation fingers coagulation"),
        ("H\u2082O\u2082 and 10\u2076 CFU", "H2O2 10 6"),
        ("\u03b1-synuclein, \u03b2\u2011blocker, TNF\u03b1, 5 \u00b5g", "alpha beta TNFalpha ug"),
        ("\uff21\uff22\uff23", "ABC"),
        ("Straße, Ørsted, Łódź, œdema", "Strasse Orsted Lodz oedema"),
        ("½ and 2½", "1 2"),
        ("Crohn\u2019s \u201cdisease\u201d \u2265 5", ""),
        ("plain", ""),
    ],
)
def test_words_that_fold_to_others(text, words):
    assert folded_words(text) == words


def test_questions_are_composed_and_folded():
    assert composed("Mo\u0308bius H\u2082O\u2082 10\u2076") == "M\u00f6bius H2O2 10 6"
    assert folded("Príncipe, María") == "Principe, Maria"
    assert folded_names("Príncipe, María", "Smith, J") == ["Principe, Maria"]


MADE = [
    "CREATE CONSTRAINT entity_id IF NOT EXISTS FOR (n:Entity) REQUIRE n.id IS UNIQUE",
    "CREATE INDEX load_of_from IF NOT EXISTS FOR ()-[r:FROM]-() ON (r.load)",
    "CREATE FULLTEXT INDEX section_text IF NOT EXISTS FOR (n:Section) ON EACH [n.title, n.text]",
    "CREATE VECTOR INDEX vectors IF NOT EXISTS FOR (n:Chunk) ON n.embedding WITH [n.source, n.type]",
]
SOUND = {"state": "ONLINE", "failure": "", "kind": "VECTOR", "label": "Chunk", "dimension": 384}
SOUND["properties"] = ["embedding", "source", "type"]


def declared(texts):
    return migrate.rules_of(statement(text) for text in texts)


def test_statements_declare_rules_until_they_are_dropped():
    shapes = {name: (rule.kind, rule.label, rule.properties) for name, rule in declared(MADE).items()}
    assert shapes == {
        "entity_id": ("CONSTRAINT", "Entity", ("id",)),
        "load_of_from": ("RANGE", "FROM", ("load",)),
        "section_text": ("FULLTEXT", "Section", ("title", "text")),
        "vectors": ("VECTOR", "Chunk", ("embedding", "source", "type")),
    }
    words = ["constraint entity_id", "range index load_of_from", "fulltext index section_text", "vector index vectors"]
    assert [rule.what for rule in declared(MADE).values()] == words
    assert declared([*MADE, "DROP INDEX vectors IF EXISTS", "DROP CONSTRAINT entity_id"]).keys() == {
        "load_of_from",
        "section_text",
    }
