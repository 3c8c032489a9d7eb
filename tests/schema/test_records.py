"""Records are checked when they are made: every rule, and the message a person gets."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.errors import RecordError
from medgraph.schema.checks import MAX_ID
from medgraph.schema.records import (
    MAX_DOCUMENT,
    RESERVED,
    Document,
    Entity,
    Question,
    Relation,
    Section,
    Withdrawal,
    content_hash,
)
from medgraph.schema.vocabulary import ENTITY_LABELS, RELATION_TYPES, heading_type

SECTION = Section("d#1", "Asthma is common.")
FORBIDDEN = [*map(chr, range(9)), *map(chr, range(0x0E, 0x20)), "\x7f", "\ud800", "\udfff"]
ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()))


def document(**changes):
    return Document(**{"id": "d", "title": "Asthma", "sections": (SECTION,)} | changes)


def entity(**changes):
    return Entity(**{"id": "e:1", "label": "Disease", "name": "Asthma"} | changes)


MAKERS = {
    "document id": lambda text: document(id=text),
    "section id": lambda text: Section(text, "Asthma is common."),
    "question id": lambda text: Question(text, "What is asthma?"),
    "entity id": lambda text: entity(id=text),
    "relation subject": lambda text: Relation(text, "IS_A", "e:2"),
    "relation object": lambda text: Relation("e:1", "IS_A", text),
    "title": lambda text: document(title=text),
    "section text": lambda text: Section("d#1", text),
    "question text": lambda text: Question("d#1", text),
    "entity name": lambda text: entity(name=text),
    "url": lambda text: document(url=text),
    "collection": lambda text: document(collection=text),
    "published": lambda text: document(published=text),
    "about": lambda text: document(about=(text,)),
    "alias": lambda text: document(aliases=("Wheeze", text)),
    "section type": lambda text: Section("d#1", "Asthma is common.", type=text),
    "heading": lambda text: Section("d#1", "Asthma is common.", heading=text),
    "section question": lambda text: Section("d#1", "Asthma is common.", question=text),
    "question type": lambda text: Question("d#1", "What is asthma?", type=text),
    "synonym": lambda text: entity(synonyms=("Wheeze", text)),
    "definition": lambda text: entity(definition=text),
    "concept": lambda text: entity(concepts=(text,)),
    "semantic type": lambda text: entity(semantic_types=(text,)),
    "narrow synonym": lambda text: entity(narrow_synonyms=(text,)),
    "broad synonym": lambda text: entity(broad_synonyms=(text,)),
    "related synonym": lambda text: entity(related_synonyms=(text,)),
    "xref id": lambda text: entity(xrefs=(text,)),
    "alternative id": lambda text: entity(alternative_ids=("e:2", text)),
    "replacement id": lambda text: entity(obsolete=True, replaced_by=(text,)),
    "property": lambda text: entity(properties=(("inchikey", text),)),
    "property in a list": lambda text: entity(properties=(("subset", ("slim", text)),)),
    "property's name": lambda text: entity(properties=((text, 1),)),
    "predicate": lambda text: Relation("e:1", "RELATED_TO", "e:2", predicate=text),
    "method": lambda text: Relation("e:1", "RELATED_TO", "e:2", method=text),
    "evidence id": lambda text: Relation("e:1", "RELATED_TO", "e:2", evidence=(text,)),
    "relation's property": lambda text: Relation("e:1", "RELATED_TO", "e:2", properties=(("note", text),)),
    "author": lambda text: document(authors=("A. Person", text)),
    "journal": lambda text: document(journal=text),
    "DOI": lambda text: document(doi=text),
    "revision": lambda text: document(revision=text),
    "document's property": lambda text: document(properties=(("language", text),)),
    "withdrawn id": Withdrawal,
}
IDS = [name for name in MAKERS if name.endswith((" id", " subject", " object"))]
NEEDED = ["title", "section text", "question text", "entity name"]


def test_no_field_takes_a_control_character_or_half_a_pair():
    for make in MAKERS.values():
        for character in FORBIDDEN:
            with pytest.raises(RecordError):
                make(f"C{character}000000")


@given(field=st.sampled_from([*MAKERS]), text=ANY_TEXT)
def test_what_a_record_takes_can_be_stored_and_what_it_refuses_it_names(field, text):
    try:
        record = MAKERS[field](text)
    except RecordError as error:
        str(error).encode()  # the message itself can be printed
    else:
        repr(record).encode()
        text.encode()
        assert not any(c in text for c in FORBIDDEN)


@pytest.mark.parametrize("field", IDS)
def test_an_id_is_one_line_of_bounded_length(field):
    for bad in ["", " ", " a", "a ", "a\n", "x" * (MAX_ID + 1), "x" * 10_000, "a\tb", "a\nb", "a\u2028b"]:
        with pytest.raises(RecordError, match=r"the id '.*' is empty, padded with blanks") as caught:
            MAKERS[field](bad)
        assert len(str(caught.value)) < 300
    for good in ["a", "x" * MAX_ID, "10.1000/182", "喘息:1", "a b", "ё́"]:
        assert good in repr(MAKERS[field](good))


@pytest.mark.parametrize("field", NEEDED)
def test_a_text_that_is_needed_is_not_blank(field):
    for blank in ["", " ", "\n\t\u3000"]:
        with pytest.raises(RecordError, match=r"the \w+ is empty"):
            MAKERS[field](blank)


def test_a_control_character_is_named_with_its_place():
    with pytest.raises(RecordError, match=r"the text holds the control character U\+0007 at offset 3; remove it"):
        Section("d#1", "abc\x07def")


@pytest.mark.parametrize("text", ["喘息は…", "الربو مرض", "👩‍⚕️ 💊", "e\u0301\u0327", "\ufeffx", "\uffff", "\U0010ffff"])
def test_any_script_is_taken(text):
    assert document(title=text, sections=(Section("d#1", text),)).title == text


@pytest.mark.parametrize("kind", ["", "is_a", "HAS", "IS_A]->() DELETE n //"])
def test_a_relation_comes_from_the_vocabulary(kind):
    with pytest.raises(RecordError, match=r"the relation .* is not one of IS_A"):
        Relation("e:1", kind, "e:2")


def test_the_vocabulary_is_written_as_the_graph_writes_it():
    assert all(re.fullmatch(r"(?:[A-Z][a-z]+)+", label) and entity(label=label) for label in ENTITY_LABELS)
    assert all(re.fullmatch(r"[A-Z]+(?:_[A-Z]+)*", kind) and Relation("a", kind, "b") for kind in RELATION_TYPES)
    assert all(term.startswith("biolink:") for term in ENTITY_LABELS.values())
    assert all(re.match(r"biolink:[a-z_]+$|skos:\w+Match$", term) for term in RELATION_TYPES.values())
    assert len(set(RELATION_TYPES.values())) == len(RELATION_TYPES)


@pytest.mark.parametrize("cui", ["", "C123", "c0004096", "C00040961", "C0004096 ", "C000409٦", "X0004096"])
def test_a_concept_is_a_cui(cui):
    with pytest.raises(RecordError, match="is not a UMLS concept"):
        entity(concepts=("C0004096", cui))


@pytest.mark.parametrize("date", ["2026", "2026-11", "2026-11-21", "2024-02-29", "0001-01-01"])
def test_a_date_may_be_a_year_or_a_month_or_a_day(date):
    assert document(published=date).published == date


@pytest.mark.parametrize(
    ("date", "message"),
    [
        ("yesterday", "is not of the form"),
        ("2026-1-1", "is not of the form"),
        ("21.11.2026", "is not of the form"),
        ("2026-11-21T10:00", "is not of the form"),
        ("٢٠٢٦", "is not of the form"),
        ("2026-", "is not of the form"),
        ("2026-13", "there is no date"),
        ("2026-02-29", "there is no date"),
        ("0000", "there is no date"),
    ],
)
def test_a_date_that_is_none_is_refused(date, message):
    with pytest.raises(RecordError, match=message):
        document(published=date)


def test_ids_within_a_document_differ():
    with pytest.raises(RecordError, match="two of its sections have the id 'd#1'"):
        document(sections=(SECTION, Section("d#1", "Other text.")))
    with pytest.raises(RecordError, match="two of its sections have the id 'd#1'"):
        document(questions=(Question("d#1", "Why?"),))


BIG = "x" * (MAX_DOCUMENT // 2 + 1)


@pytest.mark.parametrize(
    "parts",
    [
        {"sections": (Section("d#1", BIG), Section("d#2", BIG))},
        {"sections": (Section("d#1", "x", heading=BIG, question=BIG),)},
        {"questions": (Question("q#1", BIG), Question("q#2", BIG))},
        {"title": "x" * 20_000, "sections": tuple(Section(f"d#{n}", "x") for n in range(1000))},
        {"aliases": (BIG, BIG)},
    ],
    ids=["texts", "heading and question", "questions", "a title that every section repeats", "aliases"],
)
def test_a_document_is_bounded_whatever_fills_it(parts):
    with pytest.raises(RecordError, match=f"the document has more than {MAX_DOCUMENT:,} characters; split it"):
        document(**parts)


@pytest.mark.parametrize("field", ["section type", "collection", "question type"])
def test_what_is_filtered_by_is_bounded(field):
    MAKERS[field]("x" * MAX_ID)
    with pytest.raises(RecordError, match=f"is longer than {MAX_ID} characters"):
        MAKERS[field]("x" * (MAX_ID + 1))


@pytest.mark.parametrize("score", [float("nan"), float("inf"), float("-inf")])
def test_a_score_is_a_number(score):
    with pytest.raises(RecordError, match=f"the score {score} is not a number"):
        Relation("a", "IS_A", "b", score=score)
    assert Relation("a", "IS_A", "b", score=0.0).score == 0


@pytest.mark.parametrize(
    ("properties", "message"),
    [
        ((("b", 1), ("a", 1)), "the properties b, a are not in the order of their names"),
        ((("a", 1), ("a", 2)), "or one stands twice"),
        ((("Name", 1),), "'Name' cannot name a property"),
        ((("a b", 1),), "'a b' cannot name a property"),
        ((("x`} DETACH DELETE n //", 1),), "cannot name a property"),
        ((("a", float("nan")),), "the property a is not a finite number"),
        ((("a", 2**63),), "the property a is a number of more than 64 bits"),
        *(((((name, 1),), f"'{name}' cannot name a property: the graph uses it itself")) for name in sorted(RESERVED)),
    ],
    ids=str,
)
def test_properties_that_the_graph_cannot_hold_are_refused(properties, message):
    for make in (entity, document, lambda **more: Relation("a", "IS_A", "b", **more)):
        with pytest.raises(RecordError, match=message):
            make(properties=properties)


def test_what_records_hold_of_their_own_cannot_be_a_property():
    for kind in (Entity, Document, Relation):
        assert set(kind.__slots__) - {"label", "properties"} <= RESERVED, kind


def test_the_content_hash_depends_on_every_part_and_on_nothing_else():
    assert content_hash(document()) == content_hash(document())
    records = [
        document(),
        document(id="d2"),
        document(title="Wheeze"),
        document(url="https://example.org"),
        document(collection="GARD"),
        document(sections=(Section("d#1", "Asthma is rare."),)),
        document(sections=(Section("d#2", "Asthma is common."),)),
        document(sections=(Section("d#1", "Asthma is common.", "causes"),)),
        document(sections=(SECTION, Section("d#2", "Wheeze."))),
        document(sections=(Section("d#2", "Wheeze."), SECTION)),
        document(questions=(Question("q", "Why?"),)),
        document(about=("e:1",)),
        document(aliases=("Wheeze",)),
        document(published="2026"),
        document(authors=("A", "B")),
        document(authors=("B", "A")),
        document(journal="J"),
        document(doi="J"),
        document(revision="J"),
        document(properties=(("journal_id", "J"),)),
        document(retracted=True, sections=()),
        Withdrawal("d"),
        Withdrawal("document"),
        entity(),
        entity(synonyms=("Wheeze",)),
        entity(narrow_synonyms=("Wheeze",)),
        entity(broad_synonyms=("Wheeze",)),
        entity(related_synonyms=("Wheeze",)),
        entity(xrefs=("e:2",)),
        entity(alternative_ids=("e:2",)),
        entity(replaced_by=("e:2",)),
        entity(obsolete=True),
        entity(properties=(("a", 1),)),
        entity(properties=(("a", "1"),)),
        entity(concepts=("C0004096",)),
        entity(semantic_types=("T047",)),
        Relation("a", "IS_A", "b"),
        Relation("a", "IS_A", "b", method="x"),
        Relation("a", "IS_A", "b", evidence=("x",)),
        Relation("a", "IS_A", "b", score=0.0),
        Relation("a", "IS_A", "b", score=1.0),
        Relation("a", "IS_A", "b", properties=(("x", "x"),)),
    ]
    assert len({content_hash(record) for record in records}) == len(records)
    # A relation's key tells it from others by itself.
    assert content_hash(Relation("a", "IS_A", "b", "x", "y")) == content_hash(Relation("b", "TREATS", "a", "z", "y"))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("Risk factors", "susceptibility"),
        ("Ear infection (Diagnosis)", "exams and tests"),
        ("Acute (sudden) pancreatitis (Treatments and Therapies)", "treatment"),
        ("Symptoms:", "symptoms"),
        ("Seasonal affective disorder (SAD)", ""),
        ("Diagnosis of diabetes", ""),
        ("Where it was (diagnosis) made", ""),
        ("()", ""),
        (")", ""),
        ("", ""),
    ],
)
def test_a_heading_or_the_end_of_a_title_tells_the_type(words, told):
    assert heading_type(words) == told
