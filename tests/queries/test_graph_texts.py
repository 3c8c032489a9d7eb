"""Relations as documents and sentences."""

import re

import pytest

from medgraph.errors import InputError
from medgraph.queries import subgraphs
from medgraph.queries.paths import PathEnd
from medgraph.queries.relation_sentences import in_sentence, load_patterns, saying, write_sentence
from medgraph.queries.subgraphs import graph_documents, worth_telling
from medgraph.queries.voices import Voices
from medgraph.schema.vocabulary import RELATION_TYPES, SECTION_TYPES
from tests.support.examples import examples
from tests.support.joined import joined


@pytest.fixture
def documents(graph, settings, tmp_path, encoder):
    """Documents of a small graph of three sources, by id."""
    joined(graph, settings, tmp_path)
    return {document.id: document for document in graph_documents(graph, encoder)}


def test_a_document_a_concept_and_kind(documents):
    assert list(documents) == [
        "graph:C0018099/symptoms",
        "graph:C0018099/treatment",
        "graph:MESH:3/indication",
    ]  # of asthma one symptom alone is stated, which is no list
    treated = documents["graph:C0018099/treatment"]
    (section,) = treated.sections
    assert (treated.title, section.type, section.heading) == ("Gout", "treatment", "Treatment")
    assert section.text == "Treatments for gout include allopurinol."
    assert dict(treated.properties)["told_by"] == ("mesh", "pages")
    assert dict(treated.properties)["rests_on"] == ("C0018099 TREATED_BY MESH:3 (mesh, pages)",)
    assert treated.about == ()  # it is no page about the disease, from which relations are found


def test_sections_hold_whole_sentences_up_to_a_bound(graph, settings, tmp_path, encoder, monkeypatch):
    joined(graph, settings, tmp_path)
    monkeypatch.setattr("medgraph.queries.subgraphs.IN_A_SENTENCE", 1)
    monkeypatch.setattr(subgraphs, "TOKENS", 15)
    gout = next(graph_documents(graph, encoder))
    assert [section.text for section in gout.sections] == [
        "Symptoms of gout include fever.",
        "According to Mesh alone, symptoms of gout also include perniosis.",
        "According to texts of Pages alone, symptoms of gout also include cough.",
    ]
    assert [section.id for section in gout.sections] == [f"{gout.id}#{number}" for number in (1, 2, 3)]


def row(kind, relation, name, *voices):
    return {"kind": kind, "relation": relation, "name": name, "backing": KNOWN.backing(voices)}


KNOWN = Voices([{"id": "list", "title": "List", "voice": "list", "uncurated": True}])
TABLE = ("stated", ["table"], 0)
LIST = ("stated", ["list"], 0)
READ = ("section", ["pages"], 2)


@pytest.mark.parametrize(
    ("voices", "told"),
    [
        ([TABLE], False),
        ([READ], False),
        ([READ, ("section", ["books"], 1)], False),
        ([TABLE, ("section", ["table"], 1)], False),
        ([TABLE, ("stated", ["other"], 0)], True),
        ([TABLE, READ], True),
        ([LIST, READ], True),
    ],
)
@pytest.mark.parametrize("relation", ["TREATED_BY", "TREATS", "PALLIATES", "DIAGNOSED_BY"])
def test_drugs_and_tests_are_told_that_a_source_states_and_an_independent_one_says_too(centre, relation, voices, told):
    rows = [row("treatment", relation, "Malathion Topical", *voices)]
    assert worth_telling(centre, rows) == rows * told


def test_what_an_uncurated_table_alone_gives_is_not_told_where_people_may_act_on_it(centre):
    prevented = row("prevention", "PREVENTED_BY", "Zinc", LIST)
    assert worth_telling(centre, [prevented, row("prevention", "PREVENTED_BY", "Iron", TABLE)])[0]["name"] == "Iron"
    symptoms = [row("symptoms", "HAS_SYMPTOM", name, LIST) for name in ("Fever", "Cramps")]
    assert worth_telling(centre, symptoms) == symptoms


@pytest.fixture
def centre():
    return PathEnd("C1", "acute diarrhea", "Disease", "", "", "", "", "")


def test_what_names_nothing_is_not_told(centre):
    named = [row("symptoms", "HAS_SYMPTOM", name, TABLE) for name in ("Fever", "Cramps")]
    empty = [row("symptoms", "HAS_SYMPTOM", name, TABLE) for name in ("Diarrhea", "Other symptoms of the abdomen")]
    assert worth_telling(centre, [*empty, *named]) == named
    known = row("exams and tests", "DIAGNOSED_BY", "Stool culture", TABLE, READ)
    alone = [known, row("causes", "CAUSED_BY", "Virus", TABLE)]
    assert worth_telling(centre, [*empty, named[0], *alone]) == alone[1:]  # one cause may be all there is


@pytest.mark.parametrize("relation", RELATION_TYPES)
def test_every_relation_is_said_both_ways_of_one_and_of_several(relation):
    for direction in ("out", "in"):
        kind, sentence = saying(relation, direction, "Disease")
        assert kind in SECTION_TYPES
        for name in ("gout", "kidney stones"):
            for others in (["fever"], ["fever", "rash"]):
                for also in (False, True):
                    text = write_sentence(sentence, name, others, also=also)
                    assert re.fullmatch(r"[A-Z][\w ,]+\.", text), text
                    assert {name, *others} <= {name} | {o for o in others if o in text}
                    assert ("also" in text) is also
    assert saying("NOBODY_KNOWS", "out", "Disease") == saying("RELATED_TO", "out", "Disease")


@pytest.mark.parametrize(
    ("relation", "direction", "label", "name", "others", "text"),
    [
        ("HAS_SYMPTOM", "out", "Symptom", "gout", ["fever"], "Symptoms of gout include fever."),
        ("HAS_SYMPTOM", "out", "Symptom", "gout", ["a", "b", "c"], "Symptoms of gout include a, b and c."),
        ("IS_A", "out", "Disease", "kidney stones", ["urolithiasis"], "Kidney stones are a kind of urolithiasis."),
        ("IS_A", "out", "Disease", "diabetes", ["disease"], "Diabetes is a kind of disease."),
        ("CAUSED_BY", "out", "Gene", "gout", ["ABCG2"], "Changes in the gene ABCG2 can cause gout."),
        ("CAUSED_BY", "out", "Gene", "gout", ["A", "B"], "Changes in the genes A and B can cause gout."),
        ("DIAGNOSED_BY", "out", "Test", "gout", ["blood test", "X-ray", "urine test", "MRI scan", "history"],
         "Tests for gout include a blood test, an X-ray, a urine test, an MRI scan and history."),
        ("LOCATED_IN", "out", "Anatomy", "gout", ["joint", "the kidney"],
         "The parts of the body where gout may be found include the joint and the kidney."),
        ("HAS_SIDE_EFFECT", "out", "SideEffect", "aspirin", ["hives"], "Side effects of aspirin include hives."),
    ],
)  # fmt: skip
def test_number_and_article_are_right(relation, direction, label, name, others, text):
    assert write_sentence(saying(relation, direction, label)[1], name, others) == text


@pytest.mark.parametrize(("name", "names", "label", "written"), examples("names_without_capitals"))
def test_names_have_no_capitals_of_titles(name, names, label, written):
    assert in_sentence(name, names, label) == written


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("IS_A\tout\t*\tinformation", "there are 4 columns"),
        ("NOPE\tout\t*\tinformation\t{y}.", "there is no relation 'NOPE'"),
        ("IS_A\tup\t*\tinformation\t{y}.", "the direction 'up' is neither out nor in"),
        ("IS_A\tout\t*\tnope\t{y}.", "there is no section type 'nope'"),
        ("IS_A\tout\t*\tinformation\t{x} is {z} of {y}.", "the sentence has '{' where no slot is"),
        ("IS_A\tout\t*\tinformation\tNothing.", "the sentence has no {y}, or does not end"),
        ("IS_A\tout\t*\tinformation\t{y}.\nIS_A\tout\t*\tcauses\t{y}.", "2: it stands twice"),
    ],
)
def test_lines_that_cannot_be_used_are_named(tmp_path, line, message):
    file = tmp_path / "s.tsv"
    file.write_text(line, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(message)):
        load_patterns(file)
