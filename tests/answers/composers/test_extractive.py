"""Extractive answers: quoted word for word, whatever stands in text and ids."""

import json

import pytest

from medgraph.answers.answer import NOTICE
from medgraph.answers.selecting import MAX_SENTENCES
from medgraph.answers.signs import ANSWERS
from medgraph.cli import answered
from tests.support.answers import check_citations
from tests.support.graphs import run, state_of

ANSWERED = {
    "What are the symptoms of asthma?": "sample:asthma#2",
    "How is gout treated?": "sample:gout#6",
    "diabetis type 2 symptoms": "sample:type-2-diabetes#2",
    "What causes type 1 diabetes?": "sample:type-1-diabetes#3",
    "alzheimers diagnosis": "sample:alzheimer-disease#5",
    "can I do anything to prevent kidny stones??": "sample:kidney-stones#7",
    "What is hepatitis B?": "sample:hepatitis-b#1",
    "(who gets) osteoporosis!": "sample:osteoporosis#4",
}


@pytest.mark.parametrize("question", ANSWERED)
def test_answers_quote_their_sections_word_for_word(answerer, sample_graph, question):
    answer = answerer.ask(question)
    assert answer.status == "answered"
    assert 1 <= len(answer.sentences) <= MAX_SENTENCES
    assert answer.sentences[0].citations[0].section == ANSWERED[question]
    assert answer.evidence[0].section == ANSWERED[question]
    assert answer.confidence >= ANSWERS["question"]
    assert (answer.question, answer.notice) == (question, NOTICE)
    check_citations(sample_graph, answer)


HOSTILE_IDS = [
    "a'b",
    "a\\",
    "a\\'b",
    '"',
    "\\u0027}) RETURN 1 //",
    "$section",
    "`",
    "{x}",
    "'}) DETACH DELETE n //",
    "é\u200b喘",
]


MARKUP = "Zorblatt disease is cured by <script>alert('x')</script> & <b>'}) DETACH DELETE n //</b> twice a day."


@pytest.mark.parametrize("section", HOSTILE_IDS)
def test_hostile_text_and_ids_come_back_as_they_are(load, database, capsys, section):
    parts = [{"id": section, "type": "treatment", "question": "How is Zorblatt disease treated?", "text": MARKUP}]
    answer = load([{"id": "d", "title": "Zorblatt disease", "url": "javascript:alert(1)", "sections": parts}]).ask(
        "How is Zorblatt disease treated?"
    )
    assert [sentence.text for sentence in answer.sentences] == [MARKUP]
    before = state_of(database)
    check_citations(database, answer)
    (row,) = run(database, answer.sentences[0].citations[0].cypher)
    assert row["cited"][0]["id"] == section
    assert state_of(database) == before
    answered.answer(answer)
    assert "<script>alert('x')</script> & <b>'}) DETACH DELETE n //</b>" in " ".join(capsys.readouterr().out.split())
    assert MARKUP in json.dumps(answer.as_dict(), ensure_ascii=False)


FORM = "There is no cure for the condition, but a diet of raw starch helps to keep the sugar of the blood up."


@pytest.mark.parametrize(
    ("title", "text", "about"),
    [
        ("Zorblatt disease", FORM, ""),
        ("Zorblatt disease type 1B", FORM, "Zorblatt disease type 1B"),
        ("Zorblatt disease type 1B", f"Zorblatt disease type 1B has no cure. {FORM}", ""),
    ],
)
def test_a_sentence_of_a_form_of_what_is_asked_about_comes_with_its_name(load, capsys, title, text, about):
    general = {"id": "general", "title": "Zorblatt disease", "sections": []}
    form = [{"id": "t", "type": "treatment", "question": f"How is {title} treated?", "text": text}]
    answerer = load([general, {"id": "form", "title": title, "sections": form}])
    answer = answerer.ask("How is Zorblatt disease treated?")
    assert answer.sentences[0].about == about
    answered.answer(answer)
    assert (f"{title}: {answer.sentences[0].text}"[:60] in capsys.readouterr().out) is bool(about)
