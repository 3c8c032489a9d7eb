"""Messages: what is past, of somebody else, denied or only heard of is not what they ask about."""

import pytest

from medgraph.queries.entities import Mention
from medgraph.queries.question import Question, without_background, words_of

NAMES = {
    "metformin": "Drug", "ibuprofen": "Drug", "gout": "Disease", "migraine": "Disease", "diabetes": "Disease",
    "asthma": "Disease", "heartburn": "Symptom", "breast cancer": "Disease", "rash": "Symptom", "lupus": "Disease",
    "stiff": "Symptom", "constipation": "Symptom", "celiac disease": "Disease", "kidney stones": "Disease",
    "chickenpox": "Disease", "shingles": "Disease", "burn": "Symptom", "acupuncture": "Topic",
}  # fmt: skip


def named(text):
    small = text.lower()
    return [
        Mention(name, label, name, name, name, 1.0, (), 1, small.index(name), small.index(name) + len(name))
        for name, label in NAMES.items()
        if name in small
    ]


def asked(text):
    return without_background(Question(text, words_of(text), None, named, lambda: None)).text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("I used to take metformin. Now my feet burn, what helps?", "Now my feet burn, what helps?"),
        ("My mother has diabetes. What are the symptoms of gout?", "What are the symptoms of gout?"),
        ("I had asthma as a child. What helps against heartburn?", "What helps against heartburn?"),
        ("I stopped taking ibuprofen last year. How do I treat a migraine?", "How do I treat a migraine?"),
        ("I was treated for breast cancer in 2010. I have a rash. Why?", "I have a rash. Why?"),
        ("My doctor said I don't have lupus. So why am I stiff?", "So why am I stiff?"),
        ("I read about lupus because my uncle has it. What helps against constipation?",
         "What helps against constipation?"),
        ("My wife is pregnant. How can I treat my migraine?", "How can I treat my migraine?"),
        ("I tried acupuncture and it did not help. How do I treat a migraine?", "How do I treat a migraine?"),
    ],
)  # fmt: skip
def test_what_is_only_background_is_left_out(text, kept):
    assert asked(text) == kept


@pytest.mark.parametrize(
    "text",
    [
        "My brother had kidney stones two years ago. Can I prevent getting them?",  # nothing else is named
        "My sister has celiac disease. I have a rash. Should I be tested?",
        "My son had chickenpox when he was 3. Can he get shingles?",
        "I had asthma as a child. Can I take ibuprofen?",
        "I had asthma as a child. I have a rash. Will it come back?",
        "I stopped taking metformin because it gave me a rash. What helps against gout?",
        "I stopped taking metformin two weeks ago. Why do I have a rash?",
        "I had an operation for breast cancer in 2010. Why do I have a rash?",
        "My wife is pregnant. How is a migraine treated?",
        "My son is 15 and has a rash. Is ibuprofen safe for teenagers?",
        "I take metformin. What are the symptoms of gout?",
        "What are the symptoms of gout?",
    ],
)
def test_what_may_matter_stays(text):
    assert asked(text) == text
