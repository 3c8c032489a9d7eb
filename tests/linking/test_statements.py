"""What sentences say of things: causes, risks, complications and treatments, and what only looks like them."""

import pytest

from medgraph.linking.statements import overrules, states
from medgraph.text import sentences


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


@pytest.mark.parametrize(
    ("relation", "text", "surface"),
    [
        ("CAUSED_BY", "It is due to treatment of head and neck cancers.", "neck cancers"),
        ("CAUSED_BY", "It results from conditions that cause too much clotting.", "clotting"),
        ("CAUSED_BY", "You are at higher risk because of pregnancy.", "pregnancy"),
        ("CAUSED_BY", "No one knows why. Proteinuria is its most common sign.", "Proteinuria"),
        ("HAS_RISK_FACTOR", "A risk factor does not mean that you will get cancer.", "cancer"),
        ("HAS_RISK_FACTOR", "It increases your risk for high blood pressure, diabetes, and stroke.", "stroke"),
        ("HAS_RISK_FACTOR", "It is not clear whether the following affect the risk:  - Diet  - Smoking", "Smoking"),
        ("HAS_COMPLICATION", "Dehydration results in weakness because of diarrhea.", "diarrhea"),
        ("HAS_COMPLICATION", "Signs of dehydration are\n\n- thirst\n- dizziness", "dizziness"),
        ("HAS_COMPLICATION", "Inflammation can lead to ulcers.", "Inflammation"),
        ("HAS_COMPLICATION", "This occurs in people with kidney disease.", "kidney disease"),
        ("TREATED_BY", "You should avoid eating:\n\nRed meat\n\nCoconut oils", "Coconut oils"),
        ("TREATED_BY", "Treatment involves dopamine-like drugs.", "dopamine"),
        ("DIAGNOSED_BY", "However, MRI scans usually appear normal.", "MRI"),
    ],
)
def test_what_only_looks_like_it_is_not_told(relation, text, surface):
    assert not told(relation, text, surface)


@pytest.mark.parametrize(
    ("relation", "text", "surface", "refused"),
    [
        ("CAUSED_BY", "It may come of radiation for treatment of head and neck cancers.", "cancers", True),
        (
            "CAUSED_BY",
            "Drugs that cause it are diuretics used to treat congestive heart failure.",
            "heart failure",
            True,
        ),
        ("CAUSED_BY", "It is caused by treatment with cisplatin.", "cisplatin", False),
        ("HAS_RISK_FACTOR", "Past treatment with radiation therapy for certain cancers.", "cancers", True),
        ("HAS_RISK_FACTOR", "The following do not decrease the risk: Beta carotene", "Beta carotene", True),
        ("CAUSED_BY", "Some people believe stress can cause it.", "stress", True),
        ("TREATED_BY", "A clinical trial of targeted therapy with everolimus.", "everolimus", True),
        ("TREATED_BY", "Targeted therapy with everolimus.", "everolimus", False),
        ("TREATED_BY", "The Iron Disorders Institute gives information on chelation.", "Iron", True),
        ("HAS_RISK_FACTOR", "Breast feeding gives a lower risk.", "Breast feeding", True),
        ("HAS_RISK_FACTOR", "Things you can do about it. They include - exercise - diet", "diet", True),
        ("CAUSED_BY", "It comes of a diet without enough folic acid.", "folic acid", False),
        ("CAUSED_BY", "It comes of a diet that does not have enough folic acid.", "folic acid", True),
        ("HAS_SYMPTOM", "The signs are similar to malaria.", "malaria", True),
        ("HAS_SYMPTOM", "There are flu-like signs.", "flu", True),
        ("DIAGNOSED_BY", "It can be found without a biopsy.", "biopsy", True),
        ("PREVENTED_BY", "When women stop taking estrogen, the risk decreases.", "estrogen", True),
        ("PREVENTED_BY", "When women take estrogen, the risk decreases.", "estrogen", False),
    ],
)
def test_rules_overrule_the_model_where_words_around_say_otherwise(relation, text, surface, refused):
    assert overrules(relation, text, *places(text, surface)) is refused
