"""What is shown is on what is asked about: its page is about it, or its sentences name it."""

import pytest

from medgraph.answers.signs import Signs
from medgraph.queries.entities import Mention
from medgraph.queries.question import Question, words_of
from medgraph.queries.retriever import SectionText

PLACE = dict.fromkeys(
    ("url", "source", "collection", "licence", "type", "heading", "question", "sentence_model", "sentence_vectors"), ""
)


def asked(text, name, label):
    place = text.index(name)
    mention = Mention(f"s:{name}", label, name, name, name, 1.0, (), 1, place, place + len(name))
    return Question(text, words_of(text), None, lambda _: [mention], lambda: None)


def section(title, text, entities=()):
    return SectionText(
        section="s",
        document="d",
        title=title,
        aliases=(),
        text=text,
        entities=entities,
        concepts=(),
        notices=(),
        **PLACE,
    )


EPILEPSY = asked("Is epilepsy inherited?", "epilepsy", "Disease")


@pytest.mark.parametrize(
    ("question", "page", "texts", "on"),
    [
        (EPILEPSY, section("Nocturnal epilepsy", ""), ["This condition is inherited."], False),
        (EPILEPSY, section("Nocturnal epilepsy", ""), ["Epilepsy is seldom inherited."], True),
        (EPILEPSY, section("Seizures", "", ["s:epilepsy"]), ["This condition is seldom inherited."], True),
        (asked("Is itching inherited?", "itching", "Symptom"), section("Eczema", ""), ["It is inherited."], True),
        (
            asked("My sister has epilepsy. Is it inherited?", "epilepsy", "Disease"),
            section("Eczema", ""),
            ["It is."],
            True,
        ),
    ],
)
def test_what_is_on_the_thing_asked_about(question, page, texts, on):
    assert Signs(question).is_on_thing(page, texts) == on
