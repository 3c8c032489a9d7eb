"""One question back where a question is too open, and none where it is not."""

import pytest

from medgraph.answers.dialogue import understood
from medgraph.answers.offers import MOST_REPLIES, ask_back
from medgraph.answers.parts import PLAINEST
from medgraph.queries.entities import Alternative, Mention
from medgraph.queries.filters import Filters
from medgraph.queries.question import Question, words_of
from tests.support.answers import answerer_of


class Evidence:
    """What counts sections: id of the entity → type → sections."""

    def __init__(self, counts):
        self.counts = counts

    def kinds(self, question, entities):
        return [
            {"entity": name, "type": kind, "sections": number}
            for name in entities
            for kind, number in self.counts.get(name, {}).items()
        ]


def asked(text, counts, *others):
    start = text.index("ALS")
    alternatives = tuple(Alternative(name, "Disease", name, 1.0) for name in others)
    mention = Mention("ALS", "Disease", "ALS", "ALS", "als", 1.0, (), 1, start, start + 3, alternatives=alternatives)
    question = Question(text, words_of(text), None, lambda _: [mention], lambda: None)
    return ask_back(Evidence(counts), question)


def test_what_is_only_named_is_asked_back_and_each_reply_completes_it(sample_graph, encoder):
    answerer = answerer_of(sample_graph, encoder)
    for said in ("gout", "I have gout.", "gout?"):
        back = answerer.ask(said).ask_back
        assert back.question.startswith("What would you like to know of gout: ")
        assert 2 <= len(back.replies) <= MOST_REPLIES
        for reply in back.replies:
            answer = answerer.ask(reply.text, previous=[said])
            assert answer.status == "answered"
            assert answer.ask_back is None
            assert answer.intents == answerer.ask(reply.question).intents


def test_a_question_that_says_enough_is_not_asked_back(sample_graph, encoder):
    answerer = answerer_of(sample_graph, encoder)
    said_enough = ("How is gout treated?", "gout treatment", "What is gout?", "is gout bad")
    for said in (*said_enough, "zorblatt", "gout and asthma"):
        assert answerer.ask(said).ask_back is None, said
    assert answerer.ask("gout", Filters(types=("treatment",))).ask_back is None


@pytest.mark.parametrize("kind", [kind for kind in PLAINEST if kind != "information"])
def test_replies_in_plain_words_are_understood(kind):
    back = asked("ALS", {"ALS": {"symptoms": 1, "causes": 1} | {kind: 2}})
    reply = back.replies[0]
    whole = understood(reply.text, ["ALS"], lambda text: [])
    question = Question(whole, words_of(whole), None, lambda _: [], lambda: None)
    assert question.intents == (kind,)
