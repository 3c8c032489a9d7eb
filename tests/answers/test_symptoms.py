"""Where a symptom comes from: pages on it answer, or a list of conditions; never the page of one disease."""

import pytest

from medgraph.answers.answerer import Answerer
from medgraph.answers.graph_facts import GraphFacts, asks_of_symptom
from medgraph.linking.names import index_names
from medgraph.queries.entities import Mention
from medgraph.queries.question import Question, words_of
from medgraph.queries.retriever import Retriever
from tests.support.entities import write_entities
from tests.support.graphs import run
from tests.support.linking import names_of

DISEASES = ("shingles", "multiple sclerosis", "carpal tunnel syndrome", "gonorrhea")

RARE = {
    "id": "rare",
    "title": "Neurofibromatosis",
    "sections": [
        {"heading": "Overview", "text": "Some people develop numbness, tingling, or weakness in the fingers and toes."}
    ],
}
SYMPTOM = {
    "id": "symptom",
    "title": "Paresthesia and Numbness",
    "sections": [
        {
            "type": "causes",
            "heading": "What causes numb fingers?",
            "text": "Numb fingers are caused by pressure on a nerve, diabetes, or too little vitamin B12.",
        }
    ],
}


@pytest.fixture
def answers(load, database, settings, encoder):
    """Gives what answers from pages, and relations that so many diseases have with paresthesia."""

    def made(pages, diseases=DISEASES):
        write_entities(
            database,
            {"id": "s:paresthesia", "label": "Symptom", "name": "paresthesia"},
            *({"id": f"d:{name}", "name": name} for name in diseases),
        )
        load(pages)
        index_names(settings, database)
        run(
            database,
            "MATCH (c:Concept)<-[:MEANS]-({id: 's:paresthesia'}) UNWIND $diseases AS name "
            "MATCH (x:Concept)<-[:MEANS]-({id: 'd:' + name}) "
            "CREATE (x)-[:HAS_SYMPTOM {stated: ['table'], told: CASE name WHEN 'gonorrhea' THEN [] ELSE ['pages'] END, "
            "told_score: 0.9, section_count: 1, sections: ['pages:1#1']}]->(c)",
            diseases=list(diseases),
        )
        retriever = Retriever(database, lambda: encoder, names_of(database))
        return Answerer(retriever, lambda: encoder, facts=GraphFacts(database))

    return made


def test_one_disease_is_no_answer_where_a_list_is_given(answers):
    answer = answers([RARE]).ask("What causes numb fingers?")
    assert [sentence.text for sentence in answer.sentences] == [
        "Conditions that have paresthesia as a symptom include carpal tunnel syndrome, multiple sclerosis and shingles."
    ]
    # What no text tells is not named.
    assert [fact.object_name for fact in answer.sentences[0].facts] == sorted({*DISEASES} - {"gonorrhea"})
    assert [found.title for found in answer.evidence] == ["Neurofibromatosis"]


def test_where_few_conditions_are_known_nothing_is_said(answers):
    answer = answers([RARE], DISEASES[:2]).ask("Why do my fingers tingle?")
    assert (answer.status, answer.sentences) == ("not_enough_evidence", ())
    assert [found.title for found in answer.evidence] == ["Neurofibromatosis"]


def test_where_more_is_told_than_the_symptom_no_list_is_given(answers):
    answerer = answers([RARE])
    assert answerer.ask("Why are my fingers numb?").sentences
    assert answerer.ask("Why are my fingers numb when I skip breakfast?").sentences == ()


def test_a_page_on_the_symptom_answers(answers):
    answer = answers([RARE, SYMPTOM]).ask("What causes numb fingers?")
    assert {citation.document for sentence in answer.sentences for citation in sentence.citations} == {"symptom"}


BURNS = {"id": "burns", "title": "Burns", "sections": [{"text": "Why do burns hurt? A burn is caused by heat."}]}


def test_a_page_on_a_namesake_is_none_on_the_symptom(answers):
    answer = answers([BURNS], ()).ask("Why do my feet burn?")
    assert (answer.sentences, [found.title for found in answer.evidence]) == ((), ["Burns"])


def asked(text, *labels):
    mentions = [Mention(label, label, "x", "x", "x", 1.0, (), 1) for label in labels]
    return Question(text, words_of(text), None, lambda _: mentions, lambda: None)


@pytest.mark.parametrize(
    ("question", "of_symptom"),
    [
        (asked("What causes hiccups?", "Symptom"), True),
        (asked("My feet burn", "Phenotype", "Anatomy"), True),
        (asked("Why does my jaw click?"), True),
        (asked("Why does my jaw click in lupus?", "Disease"), False),
        (asked("Can metformin cause hiccups?", "Drug", "Symptom"), False),
        (asked("How are hiccups treated?", "Symptom"), False),
        (asked("Why is milk white?"), False),
        (asked("x and y what is it?", "Symptom"), True),
        (asked("What is vertigo?", "Phenotype"), False),
        (asked("What helps against hiccups?", "Symptom"), False),
    ],
)
def test_what_asks_where_a_symptom_comes_from(question, of_symptom):
    assert asks_of_symptom(question) == of_symptom
