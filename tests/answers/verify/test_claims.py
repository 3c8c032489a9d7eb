"""Sentences in claims: clauses that can be checked alone, and nothing cut that cannot."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medgraph.answers.verify.claims import claims_of


@pytest.mark.parametrize(
    ("sentence", "claims"),
    [
        (
            "Gout is caused by urate crystals; it often affects the big toe.",
            ["Gout is caused by urate crystals", "it often affects the big toe."],
        ),
        (
            "The drug reduces the pain, but it does not cure the disease.",
            ["The drug reduces the pain", "it does not cure the disease."],
        ),
        (
            "Some types are inherited, and other types are caused by drugs.",
            ["Some types are inherited", "other types are caused by drugs."],
        ),
    ],
)
def test_clauses_with_a_verb_each_are_claims_of_their_own(sentence, claims):
    assert [claim.text for claim in claims_of(sentence)] == claims


@pytest.mark.parametrize(
    "sentence",
    [
        "Pain, swelling, and redness are common.",
        "Symptoms include: fever; chills; a cough that is dry.",
        "It is rare (about one in ten cases; others are not known to be so).",
        "Rest helps, but slowly.",
        "It is seen in people who smoke, and in their children.",
    ],
)
def test_what_cannot_stand_alone_is_not_cut_off(sentence):
    assert [claim.text for claim in claims_of(sentence)] == [sentence]


def test_of_nothing_there_is_no_claim():
    assert claims_of("") == claims_of(" \n ") == ()


@given(st.text(alphabet=st.sampled_from("ab ,;.()\"'\n is but and was")))
def test_claims_stand_in_their_sentence_in_order(text):
    at = 0
    for claim in claims_of(text):
        assert at <= claim.start
        assert text[claim.start : claim.end] == claim.text == claim.text.strip()
        at = claim.end
