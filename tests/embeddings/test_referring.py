"""Sentences that cannot be read without the one before them."""

import pytest

from medgraph.embeddings.candidate_sentences import CandidateSentence
from medgraph.embeddings.referring import leans, refers

LEANING = [
    "It hurts.",
    "Most often, they go away.",
    "In humans, it lasts longer.",
    "Eventually, this vessel may burst.",
    "Another common myth is that it spreads.",
    "Some other foods have it added.",
    "Some of the most common are headaches.",
    "Some scientists, therefore, suspect that crystals form.",
    "Genetic testing can then be ordered.",
    "The result is a buildup of fat.",
    "When this happens, blood cannot flow.",
    "Still, rest may help.",
    "Examples include infections.",
    "Consequently, levels rise.",
    "You usually take it by mouth.",
    "If you are sick or taking antibiotics, it can multiply.",
    "Nor does mild pain mean that it is mild.",
    "In the same way, narrowed vessels raise the pressure.",
    "After that, you may eat again.",
]
STANDING = [
    "Gout hurts.",
    "If the aneurysm ruptures, it may cause pain.",
    "In general, it is important to rest.",
    "Most often, this condition goes away.",
    "If you are ill, then rest.",
    "If you are ill, it is important to rest.",
    "If you have gout, it may hurt.",
    "Still water is safe.",
    "Examples of such drugs are aspirin and heparin.",
    "Some people lose hair.",
    "Some of the most feared diseases are rare.",
    "When this disease lasts, rest.",
]


@pytest.mark.parametrize("text", LEANING)
def test_what_begins_with_what_stands_for_something_leans(text):
    assert leans(text)
    assert CandidateSentence(0, 0, 0, len(text), text).needs


@pytest.mark.parametrize("text", STANDING)
def test_what_names_what_it_is_about_stands_alone(text):
    assert not leans(text)
    assert not refers(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Rarely you may need this procedure.", True),
        ("In a few cases this finding is a risk.", True),
        ("A procedure is done, and this procedure hurts.", False),
        ("People may be infected with this parasite by eating pork.", True),
        ("The buildup of this waste product leads to jaundice.", True),
        ("Eat a diet that meets these food goals: less salt.", False),
        ("Symptoms of this disease last.", False),
        ("Your doctor may use these tests.", True),
        ("Tests are done, and these tests hurt.", False),
        ("This procedure hurts.", False),
        ("You usually get them on your elbows.", True),
        ("Warts come and go, and you get them often.", False),
        ("Anyone may feel that they are ill.", False),
        ("Does your child know what they want?", False),
        ("If you do eat them, brush your teeth.", True),
        ("Because they are small, canals are hard to see.", True),
    ],
)
def test_what_stands_for_something_within_a_sentence_needs_it_before(text, told):
    assert refers(text) == told
    candidate = CandidateSentence(0, 1, 0, len(text), text)
    assert candidate.needs == (told or candidate.leans)
    # Of a section's first sentence the title names it.
    assert CandidateSentence(0, 0, 0, len(text), text).needs == leans(text)
