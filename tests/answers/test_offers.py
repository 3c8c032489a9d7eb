"""Questions that are offered: examples that are answered, and what else there is about what a question names."""

from dataclasses import replace

import pytest

from medgraph.answers.answer import Answer, AskBack
from medgraph.answers.answerer import Answerer
from medgraph.answers.graph_facts import GraphFacts
from medgraph.answers.offers import INSTEAD, NEXT, OFFERED, examples, follow_ups
from medgraph.queries.entities import Mention
from medgraph.queries.retriever import Retriever
from tests.support.answers import answerer_of
from tests.support.graphs import run
from tests.support.joined import joined
from tests.support.linking import names_of


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
