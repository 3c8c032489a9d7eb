"""A fact's sentence is supported by the relations that it states, and by nothing else."""

import pytest

from medgraph.answers.answer import CitedFact, Sentence
from medgraph.answers.verify.verifier import DROP, FLAG, verified
from medgraph.queries.voices import PathVoice


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
