"""Evidence: documents of one's own that no entity is linked to, and pages that answer elsewhere."""

import pytest

from medgraph.answers.answer import FoundPage, FoundSection
from medgraph.answers.comparing import BESIDE, CHOSEN, EACH
from medgraph.cli import answered
from medgraph.embeddings.index import index
from medgraph.loaders.commands import load_named
from medgraph.queries.filters import Filters
from tests.support.answers import answerer_of, check_citations
from tests.support.graphs import prepared
from tests.support.paths import FILES


@pytest.fixture
def answerer(graph, encoder, settings):
    """Answers from MedQuAD's forms of files, some of whose pages answer elsewhere."""

    def fill():
        load_named(graph, settings, "medquad", FILES / "medquad")
        index(graph, encoder, "all")

    return answerer_of(prepared(graph, "medquad files", fill), encoder)


def test_a_question_that_a_page_answers_is_pointed_there(answerer, capsys):
    answer = answerer.ask("What causes alkaptonuria?", Filters(sources=("ADAM",)))
    assert (answer.status, answer.sentences) == ("not_enough_evidence", ())
    page = answer.evidence[0]
    assert (page.answered_at, page.question) == ("https://example.org/adam/1", "What causes ALKAPTONURIA ?")
    assert (page.document, page.type, page.source) == ("medquad:ADAM_0000001", "causes", "medquad")
    assert isinstance(page, FoundPage)
    answered.answer(answer)
    assert "What causes ALKAPTONURIA ?\n    answered at https://example.org/adam/1" in capsys.readouterr().out
    misspelt = answerer.ask("outlook for alkaptonurea", Filters(sources=("ADAM",)))
    assert misspelt.evidence[0].answered_at == "https://example.org/adam/1"
    off = answerer.ask("Who won the football world cup in 2010?")
    assert not any(isinstance(item, FoundPage) for item in off.evidence)
    other = answerer.ask("What causes alkaptonuria?", Filters(sources=("CDC",)))
    assert not any(isinstance(item, FoundPage) for item in other.evidence)


def test_a_page_is_pointed_to_beside_an_answer_that_is_not_of_the_kind_asked_for(answerer, capsys):
    answer = answerer.ask("Is alkaptonuria inherited?")
    assert answer.sentences[0].citations[0].section.startswith("medquad:GARD_0000001#")
    pages = [item.answered_at for item in answer.evidence if isinstance(item, FoundPage)]
    assert pages == ["https://example.org/gard/1"]
    assert isinstance(answer.evidence[0], FoundSection)
    answered.answer(answer)
    assert capsys.readouterr().out.count("answered at https://example.org/gard/1") == 1
    typed = answerer.ask("What are the symptoms of alkaptonuria?")
    assert typed.sentences[0].citations[0].section == "medquad:GARD_0000001#3"
    assert not any(isinstance(item, FoundPage) for item in typed.evidence)


TRIAL = {
    "id": "trial",
    "title": "Effects of a daily glass of tart cherry juice on flares: a randomised trial of 112 adults",
    "sections": [
        {"heading": "Methods", "text": "We gave 112 adults with gout a glass of tart cherry juice or water every day."},
        {
            "heading": "Results",
            "text": "Tart cherry juice reduced gout flares by a third within six months of the trial.",
        },
    ],
}


def test_documents_of_ones_own_are_cited(load, database):
    answerer = load([TRIAL])
    answer = answerer.ask("Does tart cherry juice reduce gout flares?")
    assert answer.status == "answered"
    assert {c.document for s in answer.sentences for c in s.citations} == {"trial"}
    check_citations(database, answer)
    # What is only near is quoted as such, and what is not even that is not.
    for question in [
        "Does grapefruit juice reduce gout flares in dogs?",
        "Does tart cherry juice prevent sunburn on long journeys?",
    ]:
        assert answerer.ask(question).status == "related"
    assert answerer.ask("best pizza in town").status == "not_enough_evidence"


def test_only_sentences_that_promise_most_are_compared(load):
    told = (
        "Cherry juice is sold in many shops. Many people with gout drink it. It is red, sour and cold. It costs little."
    )
    others = [
        {"id": f"shop {number}", "title": f"Shop {number}", "sections": [{"heading": "Juice", "text": told}]}
        for number in range(9)
    ]
    evidence = load([*others, TRIAL]).evidence("Does tart cherry juice reduce gout flares?")
    assert sum(len(item.said) for item in evidence) == CHOSEN
    assert sum(len(item.unsaid) for item in evidence) > CHOSEN
    assert sum(bool(item.said) for item in evidence) >= EACH
    assert evidence[0].section.section == "trial#2"
    assert {item.answers for item in evidence if not item.said} <= {0.0}


def test_how_a_study_was_done_answers_nothing(load):
    text = "We gave 112 adults with gout a glass of tart cherry juice or water every day."
    typed, plain = (
        {"id": name, "title": "Tart cherry juice for gout", "sections": [{"text": text} | more]}
        for name, more in (("typed", {"type": "methods"}), ("plain", {}))
    )
    found = {
        item.section.document: item for item in load([typed, plain]).evidence("Does tart cherry juice help with gout?")
    }
    assert found["typed"].section.type == "methods"
    assert found["typed"].answers == pytest.approx(BESIDE * found["plain"].answers)
    assert found["typed"].related == pytest.approx(BESIDE * found["plain"].related)
