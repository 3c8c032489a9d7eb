"""Terms: phrases that a section is plainly about, and that no vocabulary has."""

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.linking.terms import ENOUGH, TERMS_OF, find_terms, scored_terms
from medgraph.schema.vocabulary import TERM_RELATIONS
from medgraph.text import sentences
from tests.support.paths import ROOT

LABELLED = ROOT / "tests" / "data" / "linking" / "terms.tsv"


def found(text, kind="symptoms", title="Marsh ague", named=()):
    places = [(text.index(name), text.index(name) + len(name)) for name in named]
    return find_terms({"type": kind, "title": title, "text": text}, sentences(text), places)


def names(*asked, **options):
    return [term.name for term in found(*asked, **options)]


def test_items_of_lists_are_terms():
    text = "Symptoms include\n\n- silvery scales  - a feeling of fullness: it passes  - cramps, then rest\n- fever"
    terms = found(text, named=["fever"])
    assert [term.name for term in terms] == ["silvery scales", "feeling of fullness"]
    assert [(text[t.start : t.end], t.relation, t.method) for t in terms] == [
        ("silvery scales", "HAS_SYMPTOM", "bullet"),
        ("feeling of fullness", "HAS_SYMPTOM", "bullet"),
    ]
    assert all(ENOUGH <= term.score <= 1 for term in terms)


def test_cells_of_a_table_in_one_line_are_terms():
    head = "Signs and Symptoms Approximate number of patients (when available) "
    text = head + "Shortened PR interval 90% Long skull - Wide gums 3/8 Autosomal dominant inheritance - The list ends."
    assert [(t.name, t.method) for t in found(text)] == [
        ("shortened PR interval", "table"),
        ("long skull", "table"),
        ("wide gums", "table"),
    ]
    assert names(head + "Long skull - Wide gums 50% and so on", named=["Wide gums"]) == ["long skull"]


@pytest.mark.parametrize(
    "item",
    [
        "call your doctor",
        "clean meat grinders thoroughly after each use",
        "people over 60",
        "3 months",
        "National Cancer Institute",
        "frequencyurination of some sort",
        "HIVthe virus",
        "marsh ague",
        "early",
        "long hair, wide gums",
        "the condition that affects one in every ten thousand of all newborn boys",
        "http://example.org",
    ],
)
def test_what_is_no_term(item):
    assert names(f"Symptoms include\n- silvery scales\n- {item}\n- wide gums") == ["silvery scales", "wide gums"]


@pytest.mark.parametrize(
    ("kind", "head"),
    [
        ("treatment", "These resources address the management of marsh ague:"),
        ("symptoms", "Call your doctor if there are"),
        ("treatment", "Side effects are"),
        ("prevention", "These things increase the risk:"),
        ("susceptibility", "It is not clear whether these matter:"),
    ],
)
def test_lists_of_something_else(kind, head):
    assert names(f"{head}\n- silvery scales\n- wide gums", kind=kind) == []
    assert names("These are known:\n- silvery scales\n- wide gums", kind=kind) == ["silvery scales", "wide gums"]


@given(st.text(), st.sampled_from(sorted(TERMS_OF)))
def test_any_text_is_read_and_offsets_are_right(text, kind):
    text = f"Symptoms include\n- {text}\n- silvery scales\nTreatment may include {text}, a, b"
    for term in scored_terms({"type": kind, "title": "x", "text": text}, sentences(text), []):
        assert term.name.casefold() == " ".join(text[term.start : term.end].split()).casefold()


def test_the_labelled_terms_are_as_the_readme_says():
    with LABELLED.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert [sum(row["set"] == name for row in rows) for name in ("held", "dev", "later")] == [75, 75, 60]
    assert {row["right"] for row in rows} == {"yes", "no"}
    assert {row["relation"] for row in rows} <= set(TERM_RELATIONS)
