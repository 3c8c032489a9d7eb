"""What speaks for a section: names, words and kind, as a question has them."""

from dataclasses import replace

import pytest

from medgraph.answers.signs import FEATURES, Signs
from medgraph.linking.linked import SYNONYM_SCORE
from medgraph.queries.entities import Alternative, Mention
from medgraph.queries.question import Question, words_of
from tests.support.asked import question, section


def of(asked, given, told=False, together=0.0):
    return Signs(asked).of(given, 0.4, 0.6, told=told, together=together)


def test_every_feature_is_given():
    found = of(question("How is gout treated?", "gout"), section())
    assert tuple(found) == FEATURES
    assert (found["meaning"], found["sentence"]) == (0.4, 0.6)


def test_what_is_named_is_looked_for_where_a_page_says_what_it_is_about():
    asked = question("How is gout treated?", "gout")
    assert of(asked, section())["names"] == 1.0
    assert of(asked, section(title="Joints", entities=["gout"]))["names"] == 1.0
    assert of(asked, section(title="Joints", text="Gout is treated with ice."), together=1.0)["names"] == 0.0
    assert of(question("How are feet treated?"), section())["names"] == 0.5


def test_several_things_may_be_named_by_a_title_and_one_sentence():
    asked = question("Can aspirin cause gout?", "aspirin", "gout")
    one = of(asked, section())["names"]
    assert 0 < one < of(asked, section(text="Aspirin raises uric acid."), together=1.0)["names"] == 1.0
    assert of(asked, section(title="Joints", entities=["gout"], concepts=["C-aspirin"]))["names"] == 1.0


def test_what_is_asked_of_two_things_is_answered_only_where_both_are_named():
    signs = Signs(asked := question("Can aspirin cause gout?", "aspirin", "gout"))
    apart, together = section(kind="causes"), section(kind="causes", text="Aspirin raises uric acid.")
    assert signs.is_near_miss(of(asked, apart, told=True))
    assert not signs.is_near_miss(of(asked, together, told=True, together=1.0))
    assert (signs.naming(apart), signs.naming(section(title="Feet", entities=["aspirin"]))) == ({"gout"}, {"aspirin"})
    alone = question("What causes gout?", "gout")
    assert not Signs(alone).is_near_miss(of(alone, apart, told=True))


def test_a_section_is_of_the_kind_asked_for_as_far_as_it_has_what_is_named():
    asked = question("How is gout treated?", "gout")
    assert of(asked, section())["typed"] == 1.0
    assert of(asked, section(title="Asthma"))["typed"] == 0.0
    assert of(asked, section(kind="symptoms"))["typed"] == 0.0
    assert (of(asked, section())["exact"], of(asked, section(entities=["gout"]))["exact"]) == (0.0, 1.0)
    assert of(asked, section(kind="symptoms", entities=["gout"]))["exact"] == 0.0


@pytest.mark.parametrize(
    ("title", "heading", "kind", "typed"),
    [
        ("Gout (Treatment)", "", "", 1.0),
        ("Gout", "Treatments", "", 1.0),
        ("Gout (Treatment)", "Diagnosis", "", 0.0),
        ("Gout (Treatment)", "", "symptoms", 0.0),
        ("Gout (SAD)", "", "", 0.0),
        ("Treatment of gout", "", "", 0.0),
    ],
)
def test_a_heading_or_the_end_of_a_title_tells_a_kind_that_is_not_given(title, heading, kind, typed):
    given = replace(section(title=title, kind=kind), heading=heading)
    assert of(question("How is gout treated?", "gout"), given)["typed"] == typed


def test_what_something_is_counts_as_asked_only_where_nothing_else_is():
    plain, more = question("What is gout?", "gout"), question("What are the best creams for gout?", "gout")
    assert of(plain, section(kind="information"))["typed"] == 1.0
    assert of(more, section(kind="information"))["typed"] == 0.0
    assert of(more, section(kind="information"))["rest"] == 0.0
    assert of(more, section(text="Creams soothe the joint."))["rest"] == 1.0
    assert of(plain, section())["rest"] == 1.0


@pytest.mark.parametrize(
    ("text", "kind", "told", "silent"),
    [
        ("What are the stages of gout?", "treatment", False, 1.0),
        ("What are the stages of gout?", "treatment", True, 0.0),
        ("What are the stages of gout?", "stages", False, 0.0),
        ("Can I drink beer with gout?", "treatment", False, 0.0),
    ],
)
def test_a_section_is_silent_that_neither_is_of_the_kind_nor_tells_such_things(text, kind, told, silent):
    assert of(question(text, "gout"), section(kind=kind), told)["silent"] == silent


def test_sentences_tell_what_is_asked():
    signs = Signs(question("What causes gout?", "gout"))
    assert signs.told("It is caused by crystals.")
    assert not signs.told("It hurts.")
    assert signs.worded("gout hurts") > signs.worded("asthma hurts")


@pytest.mark.parametrize(
    ("text", "given", "told", "beside"),
    [
        ("How is gout treated?", section(), False, False),
        ("How is gout treated?", section(kind="symptoms"), False, True),
        ("How is gout treated?", section(kind="symptoms"), True, False),
        ("Which cherries treat gout?", section(), True, True),
        ("Which cherries treat gout?", section(text="Cherries may help."), True, False),
        ("I have gout. My toe hurts a lot. How is it treated with cherries?", section(kind="symptoms"), False, False),
    ],
)
def test_a_section_that_comes_near_does_not_answer(text, given, told, beside):
    signs = Signs(question(text, "gout"))
    assert signs.is_near_miss(signs.of(given, 0.9, 0.9, told=told)) is beside


@pytest.mark.parametrize(
    ("named", "title", "answers"),
    [
        ("neurofibromatosis type 2", "Neurofibromatosis type 1", False),
        ("neurofibromatosis type 2", "Neurofibromatosis type II", True),
        ("neurofibromatosis type 2", "Neurofibromatosis", True),
        ("hepatitis b", "Hepatitis C", False),
        ("hepatitis a", "Hepatitis B", False),
        ("hepatitis a", "Hepatitis A", True),
        ("glycogen storage disease type v", "Glycogen storage disease type V", True),
        ("osteogenesis imperfecta", "Osteogenesis imperfecta type VI", True),
    ],
)
def test_a_page_on_another_type_does_not_answer(named, title, answers):
    signs = Signs(question(f"How is {named} treated?", named))
    assert signs.is_near_miss(signs.of(section(title), 0.9, 0.9, told=True)) is not answers


def test_a_page_of_just_that_concept_answers_whatever_its_number():
    signs = Signs(question("How is glycogenosis type 2 treated?", "glycogenosis type 2"))
    pompe = section("Glycogenosis 2a", entities=["glycogenosis type 2"])
    assert not signs.is_near_miss(signs.of(pompe, 0.9, 0.9, told=True))


def test_of_two_numbered_things_either_page_may_answer():
    signs = Signs(question("Can hepatitis C cause type 2 diabetes?", "hepatitis c", "type 2 diabetes"))
    for title in ("Hepatitis C", "Type 2 Diabetes"):
        assert signs.of(section(title), 0.9, 0.9, told=True)["rest"] == 1.0
    assert signs.of(section("Hepatitis B"), 0.9, 0.9, told=True)["rest"] == 0.0


def test_a_page_of_just_that_concept_answers_whatever_else_it_is_called():
    signs = Signs(question("How is diabetes treated in adults?", "diabetes"))
    juvenile = section("Juvenile diabetes", text="Some adults have it, too.")
    assert signs.of(replace(juvenile, entities=["diabetes"]), 0.9, 0.9, told=True)["rest"] == 1.0
    assert signs.of(juvenile, 0.9, 0.9, told=True)["rest"] == 0.0


def test_every_word_of_what_was_typed_counts_for_a_plainer_question_made_of_it():
    plain, typed = question("How is gout treated?", "gout"), question("Which cherries treat and prevent gout?", "gout")
    assert Signs(plain).of(section(), 0.4, 0.6, told=True)["rest"] == 1.0
    assert Signs(plain, typed).of(section(), 0.4, 0.6, told=True)["rest"] == 0.0


def test_misspelt_key_words_are_not_looked_for():
    assert of(question("gout symptms", "gout"), section(kind="symptoms"))["rest"] == 1.0


def test_words_that_tell_more_than_a_kind_are_looked_for():
    asked = question("Is gout contagious?", "gout")
    assert of(asked, section(kind="causes"))["rest"] == 0.0
    assert of(asked, section(kind="causes", text="Gout is not contagious."))["rest"] == 1.0


def test_a_page_is_about_what_has_the_name_as_a_synonym():
    synonym = Alternative("hypotension", "Disease", "hypotension", SYNONYM_SCORE)
    other = Alternative("pressure", "Symptom", "pressure", 0.9)
    asked = Question(
        "How is low pressure treated?",
        words_of("How is low pressure treated?"),
        None,
        lambda _: [
            Mention("low", "Symptom", *["low pressure"] * 3, 1.0, (), 1, start=7, end=19, alternatives=(synonym, other))
        ],
        lambda: None,
    )
    signs = Signs(asked)
    assert [signs.about(section(entities=[name])) for name in ("low", "hypotension", "pressure")] == [True, True, False]


@pytest.mark.parametrize(
    ("text", "title", "rest"),
    [
        ("Is low cholesterol treated?", "High cholesterol", 0.0),
        ("Is low cholesterol treated?", "Hypercholesterolemia", 0.0),
        ("Is low cholesterol treated?", "Low cholesterol", 1.0),
        ("Is low cholesterol treated?", "High and low cholesterol", 1.0),
        ("Is high cholesterol treated with low doses?", "High cholesterol", 1.0),
        ("How is an underactive thyroid treated?", "Overactive thyroid", 0.0),
        ("How is adult-onset cholesterol treated?", "Juvenile cholesterol", 0.0),
        ("How is cholesterol of children treated?", "Cholesterol of adults", 0.0),
        ("How is cholesterol of children treated?", "Cholesterol of children and adults", 1.0),
        ("How is acute cholesterol treated?", "Chronic cholesterol", 0.0),
        ("How is benign cholesterol treated?", "Malignant cholesterol", 0.0),
        ("How is late-onset cholesterol treated?", "Early-onset cholesterol", 0.0),
        ("Is high cholesterol treated?", "Hypocholesterolemia", 0.0),
        ("Is high cholesterol treated?", "Low-density cholesterol", 1.0),
    ],
)
def test_too_much_is_not_too_little(text, title, rest):
    given = section(title=title, text=f"Its text has every word that is asked: {text}")
    assert of(question(text, "cholesterol", "thyroid"), given)["rest"] == rest


def test_a_page_on_what_only_begins_alike_is_not_on_what_is_named():
    asked = question("How is endometriosis diagnosed?", "endometriosis")
    assert of(asked, section(title="Endometrial Cancer", kind="exams and tests"))["names"] == 0.0
    assert of(asked, section(title="Endometriosis", kind="exams and tests"))["names"] == 1.0


def test_a_page_on_a_form_that_is_not_asked_about_is_of_something_else():
    form = section(title="Juvenile arthritis", kind="inheritance")
    asked = question("Is arthritis inherited?", "arthritis")
    assert of(asked, form)["rest"] == 0.0
    assert of(question("Is juvenile arthritis inherited?", "arthritis"), form)["rest"] > 0.5
    assert of(asked, section(title="Juvenile arthritis", kind="inheritance", concepts=["C-arthritis"]))["rest"] > 0.5
    assert of(asked, section(title="Arthritis", kind="inheritance"))["rest"] > 0.5


def test_a_page_without_a_word_of_what_is_named_is_of_something_else():
    signs = Signs(asked := question("How is wilson disease treated?", "wilson disease"))
    other, own = section(title="Gout disease"), section(title="Copper", text="For Wilson's, zinc helps.")
    assert (signs.elsewhere(other), signs.elsewhere(own)) == (True, False)
    assert (of(asked, other, told=True)["rest"], of(asked, own, told=True)["rest"]) == (0.0, 1.0)
    assert not signs.elsewhere(section(title="Copper", entities=["wilson disease"]))
    assert not Signs(question("How are feet treated?")).elsewhere(other)


def test_what_is_quoted_has_a_word_of_what_is_asked_besides():
    signs = Signs(question("What can be done for gout when the usual medicines stop working?", "gout"))
    assert signs.heeds("Where the usual treatments fail, pegloticase may help.")
    assert not signs.heeds("Gout is treated with colchicine.")
    assert Signs(question("How is gout treated?", "gout")).heeds("Gout is treated with colchicine.")
