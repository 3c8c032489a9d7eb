"""A fact's sentence is supported by the relations that it states, and by nothing else."""

from dataclasses import replace

import pytest

from medgraph.answers.answer import CitedFact, Sentence
from medgraph.answers.facts import worded
from medgraph.answers.verify.verifier import DROP, FLAG, verified
from medgraph.queries.paths import PathVoice


def fact(name, text, score=None, method="stated"):
    voice = PathVoice("TREATED_BY", method, ("s",), ("CC0-1.0",), score, ("p#1",))
    return CitedFact("C1", "gout", "TREATED_BY", True, name, name, "Drug", text, (voice,), "RETURN 1")


FACTS = (
    fact("colchicine", "Treatments for gout include colchicine."),
    fact("aspirin 100 mg", "Treatments for gout include aspirin 100 mg.", 0.7, "section"),
)
RIGHT = "Treatments for gout include colchicine and aspirin 100 mg."


def check(text, facts=FACTS, unsupported=FLAG):
    return verified([Sentence(text, (), "no_evidence", facts=facts)], (), unsupported)


def test_what_the_relations_say_is_supported_as_surely_as_they_are():
    (sentence,) = check(RIGHT)
    assert (sentence.verdict, sentence.probability) == ("supported", 0.7)
    assert [(claim.text, claim.verdict, claim.probability) for claim in sentence.claims] == [
        (FACTS[0].text, "supported", 1.0),
        (FACTS[1].text, "supported", 0.7),
    ]


@pytest.mark.parametrize(
    "text",
    [
        RIGHT.replace("100", "200"),
        RIGHT.replace("mg", "g"),
        RIGHT.replace("include", "do not include"),
        RIGHT.replace("colchicine", "allopurinol"),
        RIGHT.replace("colchicine and ", ""),
        RIGHT.replace("gout", "gout of the left knee"),
    ],
)
def test_what_differs_is_not(text):
    (sentence,) = check(text)
    assert sentence.verdict != "supported"
    assert check(text, unsupported=DROP) == ()


def test_relations_that_seem_opposed_are_said_together():
    signs = [f"{kind} of the skin" for kind in ("hyperhidrosis", "hypohidrosis", "hyperpigmentation")]
    facts = tuple(fact(sign, f"Treatments for gout include {sign}.") for sign in signs)
    for text in (worded(facts), worded(facts, also=True)):
        (sentence,) = check(text, facts)
        assert sentence.verdict == "supported"
    (sentence,) = check(worded(facts[1:]).replace("hypohidrosis", "hyperhidrosis"), facts[1:])
    assert sentence.verdict != "supported"


def test_other_words_for_the_same_are_supported_too():
    (sentence,) = check("Include colchicine and aspirin 100 mg for gout.")
    assert sentence.verdict == "supported"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Colchicine is used to treat gout.", "supported"),
        ("Gout is caused by colchicine.", "no_evidence"),
        ("Gout is treated with colchicine and oil.", "no_evidence"),
        ("Treatments for gout include colchicine 100 mg.", "no_evidence"),
        ("Gout: colchicine.", "no_evidence"),
        ("Gout can treat colchicine.", "contradicted"),
    ],
)
def test_how_two_things_are_related_has_to_be_said(text, verdict):
    told = fact("colchicine (100 mg, caused)", "Colchicine (100 mg, caused) can treat gout.")
    (sentence,) = check(text, (told,))
    assert sentence.verdict == verdict


def test_it_stays_as_it_is_beside_quotations():
    (once,) = check(RIGHT)
    assert verified([once], ()) == (replace(once),)
