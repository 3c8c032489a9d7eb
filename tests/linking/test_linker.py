"""Texts and names to entities: the longest name, ambiguous ones, short forms, other wordings, misspelt names."""

import itertools
import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.linking import entity, first, linker_of, named

DISEASES = (
    entity("DOID:1612", "breast cancer", "mammary cancer"),
    entity("DOID:162", "cancer"),
    entity("DOID:10763", "hypertension", "high blood pressure"),
    entity("DOID:893", "Wilson disease"),
    entity("DOID:9352", "type 2 diabetes mellitus", "Type II diabetes"),
    entity("DOID:9744", "type 1 diabetes mellitus"),
    entity("DOID:4", "disease"),
    entity("DOID:12549", "hepatitis A"),
    entity("DOID:11722", "myotonic dystrophy"),
    entity("DOID:2862", "glucose-6-phosphate dehydrogenase deficiency", "G6PD deficiency"),
    entity("DOID:10459", "common cold", "cold"),
    entity("DOID:11723", "Duchenne muscular dystrophy", "DMD"),
    entity("DOID:114", "heart disease"),
    entity("DOID:0050700", "heart muscle disease"),
    entity("UBERON:1", "heart", label="Anatomy"),
    entity("UBERON:2", "heart muscle", label="Anatomy"),
    entity("NCBIGene:1756", "DMD", label="Gene"),
    entity("NCBIGene:2", "REST", label="Gene"),
    entity("DRUGBANK:DB00945", "Aspirin", label="Drug"),
)


@pytest.fixture(scope="module")
def linker():
    return linker_of(*DISEASES)


def test_the_longest_name_is_found_where_it_stands(linker):
    assert named(linker, "Breast cancers and other cancers.") == [
        ("Breast cancers", "DOID:1612"),
        ("cancers", "DOID:162"),
    ]
    assert named(linker, "Cancer of the breast, high\nblood pressure") == [
        ("Cancer of the breast", "DOID:1612"),
        ("high\nblood pressure", "DOID:10763"),
    ]


def test_common_words_are_no_names_in_a_text(linker):
    assert named(linker, "Keep it cold, a disease of many. The REST of us rest.") == []
    assert named(linker, "the REST gene") == [("REST", "NCBIGene:2")]
    assert first(linker, "cold") == "DOID:10459"
    assert first(linker, "of") is None


def test_short_forms_mean_what_the_text_says(linker):
    text = "Myotonic dystrophy (DM) is no DMD, a gene. DM is rare; dm is nothing."
    assert named(linker, text)[:3] == [
        ("Myotonic dystrophy", "DOID:11722"),
        ("DM", "DOID:11722"),
        ("DMD", "NCBIGene:1756"),
    ]
    assert [found.method for found in linker.text(text)][1] == "abbreviation"
    assert named(linker, "Duchenne muscular dystrophy (DMD). DMD disease")[-1] == ("DMD disease", "DOID:11723")


def test_misspelt_names_are_understood_and_opposites_are_not(linker):
    assert first(linker, "hypertenson") == "DOID:10763"
    assert linker.name("hypertenson")[0].method == "spelling"
    assert first(linker, "hypotension") is None
    assert first(linker, "aspirni") == "DRUGBANK:DB00945"


def test_what_is_named_only_in_part_is_found_with_a_low_score(linker):
    (found,) = linker.name("metastatic triple negative breast cancer")
    assert linker.holdings.id(found.entity) == "DOID:1612"
    assert (found.method, found.score < 0.5) == ("part", True)


def test_of_several_that_are_called_so_the_better_known_goes_first_and_all_are_given():
    linker = linker_of(
        entity("medquad:cold", "Cold"),
        entity("DOID:1", "cold", members=3),
        entity("DOID:2", "COLD disease", "cold", members=9),
    )
    found = [linker.holdings.id(linked.entity) for linked in linker.name("Cold", 5)]
    assert found == ["DOID:1", "medquad:cold", "DOID:2"]


def test_hepatitis_a_is_not_hepatitis():
    linker = linker_of(
        entity("DOID:1", "hepatitis A"), entity("DOID:2", "vitamin A deficiency", "deficiency, vitamin A")
    )
    assert [first(linker, name) for name in ("Hepatitis A", "hepatitis a", "hepatitis")] == ["DOID:1", "DOID:1", None]
    assert first(linker, "deficiency of vitamin A") == first(linker, "vitamin a deficiency") == "DOID:2"
    assert first(linker, "vitamin deficiency") is None
    assert named(linker, "He has hepatitis. A fever, and had hepatitis a year ago") == []
    assert named(linker, "is it hepatitis a?") == [("hepatitis a", "DOID:1")]


def test_a_list_of_pages_adds_names_that_may_be_broader():
    linker = linker_of(
        entity("medquad:1", "Peptic ulcer", "stomach ulcer", members=5),
        entity("HP:1", "Gastric ulcer", "stomach ulcer"),
    )
    assert first(linker, "stomach ulcer") == "HP:1"
    assert (
        first(linker_of(entity("pages:1", "Thrush", label="Topic"), entity("HP:1", "x", "thrush")), "thrush") == "HP:1"
    )


@given(st.text(max_size=300))
def test_any_text_is_linked_to_the_character(text):
    linker = LINKER
    found = linker.text(text)
    assert all(0 <= linked.start < linked.end <= len(text) for linked in found)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))


@given(st.text(max_size=60), st.sampled_from(["breast cancer", "Wilson disease", "hypertension"]), st.text(max_size=60))
def test_offsets_hold_whatever_stands_around(before, name, after):
    text = f"{before}. {name}. {after}"
    places = [(linked.start, linked.end) for linked in LINKER.text(text)]
    assert (len(before) + 2, len(before) + 2 + len(name)) in places


@given(st.text(alphabet=string.printable + "éß中🩺\u200b", max_size=200))
def test_any_name_is_looked_up(name):
    LINKER.name(name, 3)


@pytest.mark.thorough
def test_long_texts_take_as_long_as_they_are(linker):
    def seconds(text):
        start = time.process_time()
        linker.text(text)
        return time.process_time() - start

    for part in ("breast cancer and ", "(" * 5 + "AB) ", "of the ", "hepatitis a, ", "x"):
        # What else the machine does only adds to it.
        bound = 40 * max(min(seconds(part * 600) for _ in range(3)), 0.005)
        assert any(seconds(part * 6_000) < bound for _ in range(3)), part


def test_long_names_with_and_are_looked_up_in_few_spellings(linker, monkeypatch):
    asked = []
    whole = linker.lexicon.whole
    monkeypatch.setattr(linker.lexicon, "whole", lambda found, how: asked.append(len(found)) or whole(found, how))
    assert first(linker, "heart and " + "lung " * 2_000 + "muscle disease") == "DOID:0050700"
    assert len(asked) < 40
    assert first(linker, "breast and ovarian cancers") == "DOID:1612"


LINKER = linker_of(*DISEASES)


def test_a_name_that_nothing_is_called_by_is_worded_otherwise():
    linker = linker_of(
        entity("DOID:1", "complement component 7 deficiency"),
        entity("DOID:2", "WAGR syndrome"),
        entity("DOID:3", "foveal hypoplasia 1"),
        *(entity(f"OMIM:{n}", f"spastic paraplegia {n}") for n in (1, 2, 3, 4)),
        entity("DOID:4", "McLeod", label="Gene"),
    )
    assert first(linker, "deficiency of the seventh component of complement") == "DOID:1"
    assert first(linker, "WAGR") == "DOID:2"
    assert first(linker, "foveal hypoplasia") == "DOID:3"
    assert first(linker, "spastic paraplegia 2") == "OMIM:2"
    assert linker.name("spastic paraplegia") == []
    (linked,) = linker.name("WAGR")
    assert (linked.method, linked.score) == ("wording", 0.765)


def test_a_short_form_is_read_as_part_of_a_name():
    linker = linker_of(
        entity("DOID:1", "hyperparathyroidism"),
        entity("DOID:2", "primary hyperparathyroidism"),
        entity("pages:1", "Hyperparathyroidism diet"),
    )
    text = "Hyperparathyroidism (HPT) is rare. Primary HPT and HPT disease, and HPT diet."
    assert named(linker, text) == [
        ("Hyperparathyroidism", "DOID:1"),
        ("HPT", "DOID:1"),
        ("Primary HPT", "DOID:2"),
        ("HPT disease", "DOID:1"),
        ("HPT", "DOID:1"),
    ]
