"""Evidence: documents of one's own that no entity is linked to."""

import pytest

from medgraph.answers.scored_sentences import CHOSEN, EACH, NEAR_MISS
from tests.support.answers import check_citations

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
    assert sum(len(item.sentences) for item in evidence) == CHOSEN
    assert sum(len(item.other_sentences) for item in evidence) > CHOSEN
    assert sum(bool(item.sentences) for item in evidence) >= EACH
    assert evidence[0].section.section == "trial#2"
    assert {item.answers for item in evidence if not item.sentences} <= {0.0}


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
    assert found["typed"].answers == pytest.approx(NEAR_MISS * found["plain"].answers)
    assert found["typed"].related == pytest.approx(NEAR_MISS * found["plain"].related)
