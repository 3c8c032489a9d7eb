"""Evidence: documents of one's own that no entity is linked to."""

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
