"""Texts that belong together: what answers what, of whom nothing is learned, and what is drawn."""

from random import Random

import pytest

from medgraph.evaluation.messages import Message
from medgraph.evaluation.pairs import Pair
from medgraph.training import matches
from medgraph.training.matches import Match, topic
from medgraph.training.questions import read_subjects
from tests.support.graphs import run

VANDERSNOOT, HELD = "medquad:vandersnoot-syndrome", "C7000002"


@pytest.fixture
def graph_with_more(medquad_graph):
    """An ontology's diseases with definitions, and questions that were made; one of each is of the half held."""
    made = """
    UNWIND [['C7000003', 'Van syndrome'], [$held, 'Quimbly ague'], ['C9', 'Naïveté Æ']] AS row
    MERGE (c:Concept {cui: row[0]})
    CREATE (e:Entity {id: 'test:' + row[0], name: row[1], synonyms: [row[1] + ' two'], test: 1})
    SET e.definition = 'It is rare.'
    CREATE (e)-[:HAS_CUI]->(c), (e)-[:MEANS]->(c)
    CREATE (d:Document {id: 'graph:' + row[0] + '/symptoms', source: 'graph', title: row[1], test: 1})
    CREATE (s:Section {id: d.id + '#1', position: 1, type: 'symptoms', heading: 'Symptoms', test: 1})
    CREATE (d)-[:HAS_SECTION]->(s)
    CREATE (s)-[:HAS_CHUNK]->(:Chunk {id: d.id + '!', position: 1, text: 'A cough.', source: 'graph', test: 1})
    WITH d, row UNWIND ['What are signs of ' + row[1] + '?', row[1] + ' signs'] AS text
    CREATE (:Question {id: d.id + text, text: text, generated: true, test: 1})-[:ANSWERED_AT]->(d)
    """
    run(medquad_graph, made, held=HELD)
    yield medquad_graph
    run(medquad_graph, "MATCH (n {test: 1}) DETACH DELETE n")
    run(medquad_graph, "MATCH (n:Concept {cui: 'C9'}) DETACH DELETE n")


def test_definitions_and_made_questions_know_their_subject_and_leave_out_the_half_held(graph_with_more):
    known = read_subjects(graph_with_more)
    found = matches.definitions(graph_with_more, known, known.reported)
    assert {one.asked[0] for one in found} == {"Van syndrome", "Naïveté Æ"}
    van = next(one for one in found if one.asked[0] == "Van syndrome")
    assert topic(VANDERSNOOT, "information") in van.tells
    assert van.answers[0] == "Van syndrome\nIt is rare."
    assert "Van syndrome two" in van.asked
    made = matches.made(graph_with_more, known, known.reported)
    assert [min(one.asked) for one in made] == ["Van syndrome signs", "Naïveté Æ signs"]
    assert made[0].tells == {topic(VANDERSNOOT, "symptoms")}
    assert made[0].answers == ("Van syndrome. Symptoms\nA cough.",)
    assert {len(one.asked) for one in made} == {2}
    everyone = set(known.of.values())
    assert [one.asked[0] for one in matches.definitions(graph_with_more, known, everyone)] == ["Naïveté Æ"]


def test_a_graph_without_them_gives_none(medquad_graph):
    known = read_subjects(medquad_graph)
    assert matches.definitions(medquad_graph, known, ()) == matches.made(medquad_graph, known, ()) == []


def test_pairs_that_do_not_entail_are_left_out_and_short_questions_answer_alike():
    given = [Pair("a long one", "gout?", True), Pair("another", "gout?", True), Pair("a third", "gout?", False)]
    first, second = matches.pairs(given)
    assert first.tells == second.tells
    (message,) = matches.messages([Message("1", "I have a toe.", "gout?")])
    assert (message.asked, message.answers, message.tells) == (("I have a toe.",), ("gout?",), first.tells)


def test_a_text_is_never_its_own_answer():
    one, chance = Match(("Gout", "podagra"), ("Gout\nA disease.", "Gout", "podagra"), frozenset("x")), Random(1)
    drawn = {one.drawn(chance) for _ in range(100)}
    assert ("Gout", "podagra") in drawn
    assert all(asked.lower() != answer.lower() for asked, answer in drawn)
