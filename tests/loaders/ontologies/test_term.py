"""What is noted of a term: texts in other languages, and what is said of statements."""

import pytest

from medgraph.loaders.ontologies.term import StatementSource, Synonym, Term, key_of, word_of


@pytest.mark.parametrize("predicate", ["rdfs:label", "skos:altLabel", "oboInOwl:hasRelatedSynonym"])
def test_names_in_another_language_are_translations(predicate):
    term = Term("DOID:1")
    term.say(predicate, " Asthme ", StatementSource(("PMID:1",), "OMO:1", (("rdfs:comment", "a"),), "fr"))
    assert term == Term("DOID:1", translations=["Asthme@fr"])


@pytest.mark.parametrize("predicate", ["IAO:0000115", "rdfs:comment", "IAO:0000233", "oboInOwl:hasDbXref"])
def test_other_texts_in_another_language_are_counted_by_it(predicate):
    term = Term("DOID:1")
    term.say(predicate, "a", StatementSource(language="fr"))
    assert term == Term("DOID:1", unread=["fr"])


@pytest.mark.parametrize(
    ("predicate", "kept", "values"),
    [
        ("IAO:0000115", {"definitions": ["v"], "definition_xrefs": ["PMID:1"]}, {"definition_notes": ["comments=c"]}),
        (
            "oboInOwl:hasExactSynonym",
            {"synonyms": [Synonym("v", "EXACT", "OMO:1", ("PMID:1",))]},
            {"synonym_notes": ["comments=c v"]},
        ),
        ("oboInOwl:hasDbXref", {"xrefs": [("v", ("PMID:1",))]}, {"xref_notes": ["comments=c v"]}),
        ("rdfs:label", {"names": ["v"]}, {"name_notes": ["source=PMID:1", "comments=c"]}),
        ("owl:deprecated", {}, {"obsolete_notes": ["source=PMID:1", "comments=c"]}),
        (
            "IAO:0000233",
            {},
            {"IAO:0000233": ["v"], "iao_0000233_notes": ["source=PMID:1 v", "comments=c v"]},
        ),
    ],
)
def test_what_is_said_of_a_statement_stays_with_it(predicate, kept, values):
    term = Term("DOID:1")
    term.say(predicate, "v", StatementSource(("PMID:1",), "OMO:1", (("rdfs:comment", "c"),)))
    assert term == Term("DOID:1", values=values, **kept)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("IAO:0000233", "iao_0000233"),
        ("rdfs:comment", "comments"),
        ("oboInOwl:is_inferred", "is_inferred"),
        ("oboInOwl:note", "note"),
        ("minCardinality", "mincardinality"),
        ("http://example.org/a#Seen-By", "seen_by"),
        ("name", "said_name"),
        ("7", "said_7"),
        ("", "said_"),
    ],
)
def test_names_of_properties(text, key):
    assert key_of(text) == key


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("http://purl.obolibrary.org/obo/DOID_1", "DOID:1"),
        ("http://purl.obolibrary.org/obo/XYZZY_1", "XYZZY:1"),
        ("http://purl.obolibrary.org/obo/go#goslim_plant", "goslim_plant"),
        ("http://example.org/a", "http://example.org/a"),
    ],
)
def test_ids_as_obo_writes_them(text, word):
    assert word_of(text) == word
