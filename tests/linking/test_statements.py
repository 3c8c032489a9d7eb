"""What sentences say of things: causes, risks, complications and treatments, and what only looks like them."""

import pytest

from medgraph.linking.statements import overrules, states
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
