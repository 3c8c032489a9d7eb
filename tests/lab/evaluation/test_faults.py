"""Faults change what a sentence says, and rewordings do not."""

import random

import pytest

from medgraph.errors import InputError
from medgraph_lab.evaluation.verification import QuotedSentence, faulty, quoted, reworded

SENTENCES = [
    QuotedSentence(f"s{number}", text)
    for number, text in enumerate(
        (
            "Gout is caused by crystals in the joints of the body.",
            "Take 10 mg of it each day for 3 weeks at most.",
            "It does not spread from one person to another one.",
            "Metformin and simvastatin lower the risk of later harm.",
            "Increased pressure (of the blood) damages the heart; it is seen in two of three people.",
        )
    )
]


def test_each_fault_is_one_change_of_its_kind():
    made = faulty(SENTENCES * 4, 20, random.Random(1))
    assert len(made) == 16  # the other drug that is known is in the same sentence
    assert {one.kind for one in made} >= {"negation", "number", "direction", "part"}
    assert all(one.text != one.cited and not one.right for one in made)
    assert faulty(SENTENCES, 3, random.Random(1)) == faulty(SENTENCES, 3, random.Random(1))
    negated = [one for one in made if one.kind == "negation"]
    assert all((" not" in one.text) != (" not" in one.cited) for one in negated)


def test_a_drug_is_replaced_by_another_one():
    sentence = QuotedSentence("s", "Metformin helps some people, and simvastatin helps others.")
    drugs = [one for one in faulty([sentence] * 8, 8, random.Random(1)) if one.kind == "drug"]
    assert drugs == []  # both are in the sentence, and no other drug is known
    other = QuotedSentence("t", "People who took atorvastatin felt better afterwards.")
    drugs = [one for one in faulty([sentence, other] * 8, 16, random.Random(1)) if one.kind == "drug"]
    assert drugs
    assert all("atorvastatin" in one.text for one in drugs if one.cited == sentence.text)


def test_rewordings_say_the_same():
    made = reworded(SENTENCES, 10, random.Random(1))
    assert made
    assert all(one.text != one.cited and one.right for one in made)


@pytest.mark.server
def test_without_medquad_it_is_said_what_to_load(database):
    with pytest.raises(InputError, match="medgraph load medquad"):
        quoted(database, "held", 10)
