"""Evidence that is read together with the question."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from medgraph.answers.confidence import ANSWERS, READ
from medgraph.answers.helping import reading
from medgraph.answers.scored_sections import ScoredSection
from medgraph.answers.scored_sentences import ScoredSentence
from medgraph.answers.sentence_reading import NEAR_MISS_READ, read
from medgraph.embeddings.candidate_sentences import CandidateSentence
from tests.support.answers import answerer_of

ICE = "Ice relieves the pain of gout."
GENES = "Gout runs in families."


def section(name, *texts, answers=0.5, **more):
    said = [
        ScoredSentence(
            CandidateSentence(0, place, 0, len(text), text), 0.5, True, 1.0, 0.5, np.ones(3, dtype=np.float32)
        )
        for place, text in enumerate(texts)
    ]
    return ScoredSection(
        SimpleNamespace(section=name, title="Gout", heading="Treatment"), {"exact": 0.0}, answers, 0.9, said, **more
    )


def helpful(*wanted):
    """Read so that sentences with one of some words help, and others do not."""
    asked = []
    _, weights = reading()

    def describe(question, sentences):
        asked.append((question, list(sentences)))
        sign = np.array([1 if any(word in one for word in wanted) else -1 for one in sentences], dtype=np.float32)
        return sign[:, None] * weights * 20 / (weights @ weights)

    return describe, asked


def test_what_helps_decides_whatever_came_first():
    describe, asked = helpful("Ice")
    found = read("What helps?", [section("a", GENES, answers=0.9), section("b", GENES, ICE, answers=0.1)], describe)
    assert [item.section.section for item in found] == ["b", "a"]
    assert found[0].answers > 0.9 > 0.1 > found[1].answers
    assert [said.helps > 0.5 for said in found[0].sentences] == [False, True]
    assert asked == [("What helps?", [f"Gout: Treatment. {text}" for text in (GENES, GENES, ICE)])], "read at once"


@pytest.mark.parametrize(("more", "left"), [({"doubt": 0.25}, 0.25), ({"near_miss": True}, NEAR_MISS_READ)])
def test_what_speaks_against_a_section_is_heeded(more, left):
    describe, _ = helpful("Ice")
    (plain,), (less,) = (read("?", [section("a", ICE, **given)], describe) for given in ({}, more))
    assert less.answers == pytest.approx(left * plain.answers)


@pytest.mark.parametrize(
    ("exact", "rest", "signs", "near_miss", "answers"),
    [
        (1.0, 1.0, ANSWERS["question"], False, READ),
        (1.0, 1.0, 1.0, False, 1.0),
        (1.0, 1.0, 0.5, False, 0),
        (0.0, 1.0, 0.9, False, 0),
        (1.0, 0.9, 0.9, False, 0),
        (1.0, 1.0, 0.9, True, 0),
    ],
)
def test_a_section_of_exactly_the_kind_about_exactly_what_is_named_answers_by_its_signs(
    exact, rest, signs, near_miss, answers
):
    describe, _ = helpful("nothing")
    item = replace(section("a", ICE, answers=signs, near_miss=near_miss), features={"exact": exact, "rest": rest})
    (found,) = read("?", [item], describe)
    assert found.answers == pytest.approx(answers, abs=0.1)


def test_nothing_is_read_where_nothing_can_be_quoted():
    nothing = [section("a")]
    assert read("?", nothing, pytest.fail) == nothing


class Counting:
    """The real reader, with a note of what it was given."""

    def __init__(self, reader):
        self._reader = reader
        self.given = []

    def describe(self, question, sentences):
        self.given.append((question, len(sentences)))
        return self._reader.describe(question, sentences)


def test_what_is_read_decides_what_is_quoted(load, database, encoder, sentence_reader):
    text = (
        "Varicose veins are swollen, twisted veins that you can see just under the skin. Tight clothes around the waist"
        " can make varicose veins worse. Compression stockings create gentle pressure up the leg, which keeps blood"
        " from pooling and eases the swelling of varicose veins."
    )
    load([{"id": "v", "title": "Varicose veins", "sections": [{"heading": "Varicose veins", "text": text}]}])
    reader = Counting(sentence_reader)
    answer = answerer_of(database, encoder, reader).ask("Do compression stockings help against varicose veins?")
    assert answer.status == "answered"
    assert answer.sentences[0].text.startswith("Compression stockings")
    assert reader.given == [("Do compression stockings help against varicose veins?", 3)]


def test_long_messages_are_not_read(load, database, encoder):
    load(
        [{"id": "g", "title": "Gout", "sections": [{"heading": "Treatment", "text": "Ice relieves the pain of gout."}]}]
    )
    story = "My father is 71 and was in hospital last week for his heart. " * 4 + "He has gout. How is gout treated?"
    answerer_of(database, encoder, pytest.fail).ask(story)
    with pytest.raises(AttributeError):
        answerer_of(database, encoder, pytest.fail).ask("How is gout treated?")
