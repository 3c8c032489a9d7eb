"""How sure an answer is: every sign counts, and another number is another disease."""

from medgraph.answers.confidence import THRESHOLD, confidence, features_of
from medgraph.queries.question import Question, words_of
from medgraph.queries.retriever import SectionText

ROW = SectionText(
    "s", "d", "Type 2 diabetes", ["NIDDM"], "", "sample", "CC0-1.0", "symptoms", "", "What is it?", "Sugar.", 0.8,
    ["e"], [],
)  # fmt: skip


def question(text):
    return Question(text, words_of(text), None, lambda words: (), None)


def test_confidence_rises_with_each_sign():
    full = features_of(question("symptoms of type 2 diabetes"), ROW, about=True)
    assert full == {"cosine": 0.8, "about": 1.0, "typed": 1.0, "explained": 1.0, "numbered": 1.0}
    assert confidence(full) > THRESHOLD
    for name in full:
        assert confidence(full | {name: 0.0}) < confidence(full)
    other = features_of(question("symptoms of type 3 diabetes"), ROW, about=True)
    assert other["numbered"] == 0.0
    assert confidence(other) < THRESHOLD
    aged = features_of(question("diabetes type 2 in a man of 62 years on 5 mg"), ROW, about=True)
    assert aged["numbered"] == 1.0
