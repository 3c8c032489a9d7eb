"""Beside an answer: questions that are offered, pages elsewhere, and where a symptom comes from."""

from dataclasses import replace

import pytest

from medgraph.answers.answer import Answer, AskBack, FoundPage
from medgraph.answers.answerer import Answerer
from medgraph.answers.graph_facts import GraphFacts, asks_of_symptom
from medgraph.answers.offers import INSTEAD, NEXT, OFFERED, examples, follow_ups
from medgraph.cli import printing
from medgraph.embeddings.index import index
from medgraph.linking.names import index_names
from medgraph.loaders.commands import load_named
from medgraph.queries.entities import Mention
from medgraph.queries.filters import Filters
from medgraph.queries.question import Question, words_of
from medgraph.queries.retriever import Retriever
from tests.support.answers import answerer_of
from tests.support.entities import write_entities
from tests.support.graphs import prepared, run
from tests.support.joined import joined
from tests.support.linking import names_of
from tests.support.paths import FILES


@pytest.fixture
def described(database):
    """Fill the graph with documents: name, id of the entity, and a section type each."""

    def fill(*rows, label="Disease"):
        run(
            database,
            f"UNWIND $rows AS row MERGE (e:Entity:{label} {{id: row[0]}}) SET e.name = row[1] "
            "CREATE (e)<-[:ABOUT]-(:Document)-[:HAS_SECTION]->(:Section {id: row[0] + row[2] + rand(), type: row[2]})",
            rows=[list(row) for row in rows],
        )
        return database

    return fill


def test_examples_of_the_sample_are_six_of_different_kinds_and_are_answered(sample_graph, encoder):
    answerer = answerer_of(sample_graph, encoder)
    offered = examples(sample_graph, answerer.ask)
    assert len(set(offered)) == OFFERED == 6
    answers = [answerer.ask(question) for question in offered]
    assert {answer.status for answer in answers} == {"answered"}
    assert len({answer.intents for answer in answers}) == 6
    assert len({answer.entities[0].entity for answer in answers}) == 6


def test_what_to_ask_next_is_what_else_there_is_about_what_is_named(sample_graph, encoder):
    answer = answerer_of(sample_graph, encoder).ask("How is gout treated?")
    offered = follow_ups(sample_graph, answer)
    assert "What are the symptoms of gout?" in offered
    assert not any("treatment" in question for question in offered)
    assert len(offered) <= NEXT
    answerer = answerer_of(sample_graph, encoder)
    assert {answerer.ask(question).status for question in offered} == {"answered"}
    assert follow_ups(sample_graph, replace(answer, entities=())) == ()
    assert follow_ups(sample_graph, replace(answer, ask_back=AskBack("What?", ()))) == ()


def test_what_facts_answer_is_offered_where_they_list_two_at_least_and_answered_from_them(graph, settings, tmp_path):
    database = joined(graph, settings, tmp_path)
    retriever = Retriever(database, refuse, names_of(database))
    answerer = Answerer(retriever, refuse, facts=GraphFacts(database))
    run(
        database,
        "MATCH (d:Entity {id: 'DOID:1'}), (m:Entity {id: 'MESH:1'}), (page:Entity {id: 'pages:gout'}) "
        "CREATE (page)<-[:ABOUT]-(:Document)-[:HAS_SECTION]->(:Section {type: 'causes'}) "
        "CREATE (drug:Entity:Drug {id: 'x:colchicine', name: 'colchicine'}) "
        "CREATE (drug)-[:MEANS]->(:Concept:Drug {id: 'x:colchicine', name: 'colchicine'}) "
        "CREATE (d)-[:TREATED_BY {source: 'doid'}]->(drug), (m)-[:TREATED_BY {source: 'mesh'}]->(drug)",
    )
    given = answerer.ask("Which drugs treat gout?")
    assert (given.status, given.evidence) == ("answered", ())
    assert [fact.object_name for sentence in given.sentences for fact in sentence.facts] == [
        "allopurinol",
        "colchicine",
    ]
    asked = replace(given, understood="How is gout treated?")
    assert follow_ups(database, asked)[-1] == "Which drugs treat gout?"
    assert "What causes gout?" in follow_ups(database, given)
    assert "Which drugs treat gout?" not in follow_ups(database, given)
    unsure = replace(given.entities[0], similarity=0.5)
    assert "Which drugs treat gout?" not in follow_ups(database, replace(asked, entities=(unsure,)))
    run(database, "MATCH (drug:Entity {id: 'x:colchicine'}) DETACH DELETE drug")
    assert "Which drugs treat gout?" not in follow_ups(database, asked)


def unanswered(text, *named, status="related", **more):
    places = ((name, label, text.lower().index(name)) for name, label in named)
    mentions = [
        Mention(name, label, name.title(), name, name, more.get("similarity", 1.0), (), 1, at, at + len(name))
        for name, label, at in places
    ]
    evidence = tuple(more.get("evidence", ()))
    return Answer(text, status, (), tuple(mentions), "", evidence, intents=more.get("intents", ()), understood=text)


def test_instead_of_what_is_not_answered_the_same_is_offered_plainly_and_what_is_near(described):
    kinds = ("information", "treatment", "outlook", "symptoms", "inheritance")
    graph = described(*(("gout", "Gout", kind) for kind in kinds), ("hives", "Hives", "information"))
    described(("stress", "Stress", "information"), label="Topic")
    asked = "What is the best diet treatment for gout after a stroke?"
    near = ("What are the treatments for gout?", "What is the outlook for gout?", "What is gout?")
    assert follow_ups(graph, unanswered(asked, ("gout", "Disease"), intents=("treatment",))) == near
    assert follow_ups(graph, unanswered(asked, ("gout", "Disease"), intents=("treatment",), similarity=0.85)) == ()
    asked = "What are the treatments for gout and hives?"
    both = unanswered(asked, ("gout", "Disease"), ("hives", "Symptom"), intents=("treatment",))
    assert follow_ups(graph, both) == ("What are the treatments for gout?", "What are hives?", near[1])
    assert len(near) == INSTEAD
    # What was asked is not offered again; a topic only where nothing else is said; and no part of the body.
    asked = "What are the treatments for gout"
    assert follow_ups(graph, unanswered(asked, ("gout", "Disease"), intents=("treatment",))) == near[1:]
    assert follow_ups(graph, unanswered("How long does stress last?", ("stress", "Topic"))) == ("What is stress?",)
    assert follow_ups(graph, unanswered("Does stress harm hens?", ("stress", "Topic"))) == ()
    assert follow_ups(graph, unanswered("Can gout be seen?", ("gout", "Anatomy"))) == ()
    asked = "Which syndrome has wide eyes, round teeth, gout, brown hair and blue nails?"
    assert follow_ups(graph, unanswered(asked, ("gout", "Disease"))) == ()


def test_what_is_offered_instead_is_answered(sample_graph, encoder):
    answerer = answerer_of(sample_graph, encoder)
    offered = {}
    for text in ("What is the outlook of gout in horses?", "Which creams do people with psoriasis buy in Japan?"):
        answer = answerer.ask(text)
        assert answer.status != "answered"
        offered |= dict.fromkeys(follow_ups(sample_graph, answer))
    assert offered
    assert {answerer.ask(question).status for question in offered} == {"answered"}


def refuse():
    raise AssertionError("facts need no encoder")


@pytest.fixture
def answerer(graph, encoder, settings):
    """Answers from MedQuAD's forms of files, some of whose pages answer elsewhere."""

    def fill():
        load_named(graph, settings, "medquad", FILES / "medquad")
        index(graph, encoder, "all")

    return answerer_of(prepared(graph, "medquad files", fill), encoder)


def test_a_condition_that_is_misspelt_is_asked_back_where_nothing_answers(sample_graph, encoder):
    answerer = answerer_of(sample_graph, encoder)
    assert answerer.ask("treatment of asthmma").ask_back is None
    answer = answerer.ask("do pilots fly with asthmma over the sea?")
    assert (answer.status, answer.follow_ups) == ("not_enough_evidence", ())
    assert answer.ask_back.question == "Did you mean Asthma?"
    assert [reply.question for reply in answer.ask_back.replies] == ["do pilots fly with Asthma over the sea?"]
    assert answerer.ask(answer.ask_back.replies[0].question).ask_back is None


def test_a_question_that_a_page_answers_is_pointed_there(answerer, capsys):
    answer = answerer.ask("What causes alkaptonuria?", Filters(sources=("ADAM",)))
    assert (answer.status, answer.sentences) == ("not_enough_evidence", ())
    page = answer.evidence[0]
    assert (page.answered_at, page.question) == ("https://example.org/adam/1", "What causes ALKAPTONURIA ?")
    assert (page.document, page.type, page.source) == ("medquad:ADAM_0000001", "causes", "medquad")
    assert isinstance(page, FoundPage)
    printing.answer(answer)
    assert "What causes ALKAPTONURIA?\n    https://example.org/adam/1" in capsys.readouterr().out
    misspelt = answerer.ask("outlook for alkaptonurea", Filters(sources=("ADAM",)))
    assert misspelt.evidence[0].answered_at == "https://example.org/adam/1"
    off = answerer.ask("Who won the football world cup in 2010?")
    assert not any(isinstance(item, FoundPage) for item in off.evidence)
    other = answerer.ask("What causes alkaptonuria?", Filters(sources=("CDC",)))
    assert not any(isinstance(item, FoundPage) for item in other.evidence)


def test_a_page_about_what_is_named_is_found_by_another_name_and_under_filters_alone(answerer):
    def found(text, **filters):
        answer = answerer.ask(text, Filters(**filters) if filters else None)
        return [item.answered_at for item in answer.evidence if isinstance(item, FoundPage)]

    text = "My son was told at school that he is said to have AKU, where do we go from here?"
    assert "https://example.org/adam/1" in found(text)
    assert found(text, sources=("ADAM",)) == ["https://example.org/adam/1"]
    assert found(text, sources=("CDC",)) == []
    assert found(text, sources=("ADAM",), since="2400") == []


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
