"""What sentences say of things: causes, risks, complications and treatments, and what only looks like them."""

import pytest

from medgraph.linking.statements import overrules, states, tells_of_another
from medgraph.text import sentences
from tests.support.examples import examples


def places(text, surface):
    start = text.rindex(surface)
    sentence = next(span for span in sentences(text) if span[0] <= start < span[1])
    return sentence, (start, start + len(surface))


def told(relation, text, surface):
    return states(relation, text, *places(text, surface))


@pytest.mark.parametrize(
    ("relation", "text", "surface"),
    [
        ("CAUSED_BY", "Nephrotic syndrome can be caused by membranous nephropathy.", "membranous nephropathy"),
        ("CAUSED_BY", "Causes are:\n\n- gout\n- malaria", "malaria"),
        ("HAS_RISK_FACTOR", "Women are at higher risk because of blood loss.", "blood loss"),
        (
            "HAS_RISK_FACTOR",
            "Factors raise your risk for varicose veins, including family history, obesity.",
            "obesity",
        ),
        ("HAS_RISK_FACTOR", "Risk factors include the following:\n\nCystic fibrosis.", "Cystic fibrosis"),
        ("HAS_COMPLICATION", "In rare cases, it may lead to kidney failure.", "kidney failure"),
        ("HAS_COMPLICATION", "Complications\n\nSteatorrhea. The body cannot absorb fat.", "Steatorrhea"),
        ("TREATED_BY", "Relaxing drugs such as diazepam may be prescribed.", "diazepam"),
        ("DIAGNOSED_BY", "The diagnosis is made by a biopsy.", "biopsy"),
    ],
)
def test_a_sentence_tells_what_its_section_is_about(relation, text, surface):
    assert told(relation, text, surface)


@pytest.mark.parametrize(("relation", "text", "surface"), examples("statements_not_told"))
def test_what_only_looks_like_it_is_not_told(relation, text, surface):
    assert not told(relation, text, surface)


@pytest.mark.parametrize(("relation", "text", "surface", "refused"), examples("statements_refused"))
def test_rules_overrule_the_model_where_words_around_say_otherwise(relation, text, surface, refused):
    assert overrules(relation, text, *places(text, surface)) is refused


@pytest.mark.parametrize(
    ("behind", "refused"), [(" or hormone therapies", True), (" pills", True), (" drugs", True), (" or injury", False)]
)
def test_a_drug_for_a_condition_is_not_the_condition(behind, refused):
    text = f"It can be caused by medicines such as asthma{behind}."
    assert overrules("CAUSED_BY", text, *places(text, "asthma"), condition=True) is refused


@pytest.mark.parametrize(
    ("text", "is_another", "refused"),
    [
        ("Common signs and symptoms of heart failure include fatigue.", True, True),
        ("The symptoms of a heart failure are:\n\n- swelling\n- fatigue", True, True),
        ("Signs of heart failure, such as swelling and fatigue.", True, True),
        ("Common signs and symptoms of heart failure include fatigue.", False, False),
        ("Common signs and symptoms of heart failure include fatigue.", None, False),
        ("It may lead to heart failure. Symptoms include fatigue.", True, False),
        ("Like heart failure, it causes fatigue.", True, False),
    ],
)
def test_symptoms_of_another_condition_are_not_those_of_the_page(text, is_another, refused):
    sentence, (start, _) = places(text, "fatigue")
    names = [(text.index("heart failure"), is_another), (start, None)]
    assert tells_of_another(text, sentence, start, names) is refused


def test_a_sentence_that_names_its_own_condition_first_tells_of_that():
    text = "People with gout may have symptoms of heart failure such as fatigue."
    sentence, (start, _) = places(text, "fatigue")
    names = [(text.index("gout"), False), (text.index("heart failure"), True)]
    assert not tells_of_another(text, sentence, start, names)
    assert tells_of_another(text, sentence, start, names[1:])
