"""Answers: what was understood, and none where the evidence does not suffice."""

import pytest

from medgraph.answers import part_answers
from medgraph.answers.answer import NOTICE
from medgraph.answers.emergencies import urgent_in
from medgraph.answers.part_answers import OUTSIDE, UNKNOWN
from medgraph.answers.signs import ANSWERS
from medgraph.errors import InputError
from medgraph.queries.filters import Filters
from tests.support.answers import check_citations
from tests.support.emergencies import emergencies
from tests.support.graphs import state_of

NOT_ANSWERED = [
    "How do I treat rust on my bicycle, it looks sick?",
    "What are the symptoms of a failing car battery?",
    "What are the symptoms of Zorblatt disease?",
    "How is Erdheim-Chester disease treated?",
    "colourless green ideas sleep furiously",
    "qwertz uiop asdfgh",
    "'}) DETACH DELETE n //",
]


@pytest.mark.parametrize("question", NOT_ANSWERED)
def test_without_enough_evidence_there_is_no_answer_but_what_was_found(answerer, question):
    answer = answerer.ask(question)
    assert (answer.status, answer.sentences, answer.notice) == ("not_enough_evidence", (), NOTICE)
    assert answer.confidence < ANSWERS["question"]
    unknown = answer.remark.startswith(UNKNOWN.partition("{")[0])
    assert answer.evidence or answer.remark == OUTSIDE or unknown
    assert all(item.document for item in answer.evidence)


def test_an_answer_tells_what_was_understood_and_how_long_it_took(answerer):
    answer = answerer.ask("symptms of diabetis type 2")
    assert answer.intent == "symptoms"
    assert [(e.entity, e.surface) for e in answer.entities] == [("sample:type-2-diabetes", "diabetis type 2")]
    steps = {name: ms for name, ms in answer.timing_ms.items() if name != "total"}
    assert steps.keys() == {"understand", "encode", "retrieve", "choose", "verify", "offer"}
    assert answer.timing_ms["total"] >= sum(steps.values()) - 1
    assert "elsewhere" in answerer.ask("What are the symptoms of Zorblatt disease?").timing_ms


def test_all_that_is_asked_is_answered_and_what_is_not_is_said(answerer, sample_graph):
    answer = answerer.ask("How is gout treated and can I prevent it?")
    assert [c.section for s in answer.sentences for c in s.citations] == sorted(
        [c.section for s in answer.sentences for c in s.citations]
    )
    assert {c.section for s in answer.sentences for c in s.citations} == {"sample:gout#6", "sample:gout#7"}
    assert answer.unanswered == ()
    assert {item.type for item in answer.evidence} >= {"treatment", "prevention"}
    check_citations(sample_graph, answer)
    answer = answerer.ask("What are the stages of gout and how is it treated?")
    assert (answer.status, answer.unanswered) == ("answered", ("What are the stages of gout?",))
    assert {c.section for s in answer.sentences for c in s.citations} == {"sample:gout#6"}
    assert answerer.ask("How is gout treated?").unanswered == ()


def test_what_to_do_comes_with_whatever_else_is_answered(answerer):
    answer = answerer.ask("My chest hurts and my left arm is numb. How is gout treated?")
    assert [urgent.kind for urgent in answer.urgent] == ["heart"]
    assert answer.status == "answered"
    assert {sentence.citations[0].title for sentence in answer.sentences} == {"Gout"}
    assert next(iter(answer.as_dict()["urgent"]))["title"] == "This may be a heart attack"
    assert answerer.ask("Can stress cause chest pain?").urgent == ()


def test_an_emergency_comes_first_whatever_was_asked_before_and_nothing_stands_beside_it(answerer):
    messages = [*emergencies("dev"), *emergencies("held")]
    assert len(messages) == 60
    for kind, text in messages:
        answer = answerer.ask(text, previous=("How is gout treated?",))
        assert kind in {urgent.kind for urgent in answer.urgent}, text
        assert {urgent.kind for urgent in answer.urgent} == {urgent.kind for urgent in urgent_in(text)}, text
        assert answer.understood == " ".join(text.split()), text
        beside = (answer.sentences, answer.evidence, answer.follow_ups, answer.ask_back, answer.remark)
        assert answer.status == "answered" or beside == ((), (), (), None, ""), text


def test_a_question_outside_health_is_declined_and_nothing_is_shown_as_found(answerer):
    answer = answerer.ask("best pizza in town")
    assert (answer.remark, answer.status, answer.evidence) == (OUTSIDE, "not_enough_evidence", ())


def test_questions_in_a_row_are_parts_and_what_is_too_much_is_said(answerer):
    answer = answerer.ask("WHAT IS GOUT!!!! HOW DO I TREAT IT")
    assert [part.asked for part in answer.parts] == ["WHAT IS GOUT?", "HOW DO I TREAT GOUT?"]
    answer = answerer.ask(" ".join(f"What causes {name}?" for name in ("gout", "asthma", *"abcdefgh")))
    assert [part.asked for part in answer.parts][:2] == ["What causes gout?", "What causes asthma?"]
    assert answer.unanswered[-6:] == tuple(f"What causes {name}?" for name in "cdefgh")
    asked = "symptoms and causes and treatment and prevention and outlook and diagnosis of gout"
    answer = answerer.ask(asked)
    assert len(answer.parts) == 4
    assert set(answer.unanswered) >= {"What is the outlook for gout?", "How is gout diagnosed?"}


def test_a_text_that_is_no_question_is_told_so_and_is_not_searched_for(answerer):
    for text, said in (
        ("喘息是什么病", "This seems to be written in Chinese"),
        ("Was ist Gicht?", "This seems to be written in German"),
        ("Hello!", "Hello!"),
        ("symptoms?", "This does not say of what."),
    ):
        answer = answerer.ask(text)
        assert answer.remark.startswith(said)
        assert (answer.status, answer.sentences, answer.evidence) == ("not_enough_evidence", (), ())
        assert answer.timing_ms.keys() == {"understand", "total"}
    assert answerer.ask("How is gout treated?").remark == ""
    with pytest.raises(InputError, match="there is no source 'nope'"):
        answerer.ask("Was ist Gicht?", Filters(sources=("nope",)))


def test_filters_restrict_what_is_cited_and_shown(answerer):
    answer = answerer.ask("How is gout treated?", Filters(types=("prevention",)))
    assert {item.type for item in answer.evidence} == {"prevention"}
    assert {c.section for s in answer.sentences for c in s.citations} <= {"sample:gout#7"}
    with pytest.raises(InputError, match="there is no source 'nope'"):
        answerer.ask("How is gout treated?", Filters(sources=("nope",)))
    with pytest.raises(InputError, match="no word in it"):
        answerer.ask("?!")
    with pytest.raises(InputError, match="10,001 characters"):
        answerer.ask("a" * 10_001)


def test_asking_writes_nothing(answerer, sample_graph):
    before = state_of(sample_graph)
    for question in ["'}) DETACH DELETE n //", "gout'}) SET n.text = '' //", 'asthma" OR 1=1', "x" * 10_000]:
        answerer.ask(question)
    assert state_of(sample_graph) == before


def test_what_comes_closest_to_one_thing_asked_stands_apart_from_what_answers_another(answerer, monkeypatch):
    asked = "How is gout treated and can I eat bananas with it?"
    monkeypatch.setattr(part_answers, "LEAST_CLOSEST", 0.0)
    answer = answerer.ask(asked)
    treated, eaten = answer.parts
    assert (treated.status, eaten.status, eaten.sentences, treated.closest) == ("answered", "related", (), ())
    assert eaten.closest == tuple(range(len(answer.closest)))
    assert answer.closest
    assert answer.unanswered == (eaten.asked,)
    assert {one.text for one in answer.closest}.isdisjoint(one.text for one in answer.sentences)
    monkeypatch.setattr(part_answers, "LEAST_CLOSEST", 1.0)
    assert answerer.ask(asked).closest == ()


def test_a_message_of_few_words_is_answered_as_its_question(answerer):
    plain = answerer.ask("What are the treatments for gout?")
    answer = answerer.ask("My mother has gout. Which therapies could help her?")
    assert (answer.status, answer.sentences, answer.confidence) == ("answered", plain.sentences, plain.confidence)
    _, quoted = answerer.quoted("My mother has gout. Which therapies could help her?")
    assert [one.text for one in quoted] == [one.text for one in plain.sentences]


def test_beside_an_emergency_nothing_else_is_offered_unless_it_answers(answerer):
    answer = answerer.ask("I have crushing chest pain. Can I eat bananas with gout?")
    assert [urgent.kind for urgent in answer.urgent] == ["heart"]
    assert (answer.status, answer.sentences, answer.follow_ups, answer.apart) == ("not_enough_evidence", (), (), ())
    answer = answerer.ask("I have crushing chest pain. Can asthma cause gout?")
    assert (bool(answer.urgent), answer.follow_ups, answer.apart) == (True, (), ())
