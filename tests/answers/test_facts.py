"""Facts are given to questions that ask for a kind of them of one thing, and to no other."""

import re
from dataclasses import replace

import pytest

from medgraph.answers.facts import asked_facts, fact_queries, is_stated, sureness, voices_of, worded
from medgraph.queries.entities import Mention
from medgraph.queries.question import Question, words_of
from medgraph.queries.retriever import Retriever
from medgraph.queries.voices import Backing
from tests.support.examples import examples
from tests.support.graphs import run
from tests.support.joined import joined
from tests.support.linking import names_of


def refuse():
    raise AssertionError("facts need no encoder")


@pytest.fixture
def asking(graph, settings, tmp_path):
    """Takes questions apart over a small graph of three sources."""
    database = joined(graph, settings, tmp_path)
    return Retriever(database, refuse, names_of(database)).question


LABELS = {
    "gout": "Disease", "podagra": "Disease", "kidney disease": "Disease", "nausea": "SideEffect", "fever": "Symptom",
    "allopurinol": "Drug", "alcohol": "Chemical", "beer": "Topic", "tp53": "Gene", "children": "Topic",
}  # fmt: skip


def named(text):
    """A question over names that are known without a graph."""
    mentions = [
        Mention(name, label, name, name, name, 1.0, (name,), 0, found.start(), found.end())
        for name, label in LABELS.items()
        for found in [re.search(rf"\b{name}\b", text.lower())]
        if found
    ]
    return Question(text, words_of(text), None, lambda _: mentions, refuse)


@pytest.mark.parametrize("text", examples("no_questions_of_facts"))
def test_nothing_else_is_asked_of_facts(text):
    assert fact_queries(named(text)) == []


def test_facts_have_two_voices_at_least(asking, graph):
    (fever,) = asked_facts(graph, asking("What are the symptoms of gout?"))
    assert (fever.subject_name, fever.relation, fever.forward, fever.object) == (
        "gout",
        "HAS_SYMPTOM",
        True,
        "C0015967",
    )
    assert fever.text == "Symptoms of gout include fever."
    assert (fever.backing.stated, fever.backing.told, fever.backing.corroborated) == (("doid",), ("pages",), True)
    stated, read = fever.said
    assert (stated.method, stated.sources, stated.score, stated.evidence) == ("stated", ("doid",), 0.5, ("PMID:1",))
    assert (read.method, read.sources, read.score, read.evidence) == ("section", ("pages",), 0.9, ("p1#1",))
    assert (voices_of(fever), sureness(fever), is_stated(fever)) == (2, 0.9, True)
    assert run(graph, fever.cypher)
    (drug,) = asked_facts(graph, asking("How is gout treated?"))
    assert (drug.object_name, sureness(drug)) == ("allopurinol", 1.0)
    assert asked_facts(graph, asking("What causes gout?")) == asked_facts(graph, asking("Is gout bad?")) == []


def test_what_one_source_alone_says_is_said_to_be_its_word(asking, graph):
    (fever,) = asked_facts(graph, asking("What are the symptoms of gout?"))
    read = replace(fever, backing=Backing(told=("pages",), sections=1, who="Pages"))
    assert worded([read]) == "According to texts of Pages alone, symptoms of gout include fever."
    assert worded([read, replace(read, object_name="a cough")], also=True) == (
        "According to texts of Pages alone, symptoms of gout also include fever and a cough."
    )


def test_what_an_uncurated_table_alone_gives_is_no_fact(asking, graph):
    (drug,) = asked_facts(graph, asking("How is gout treated?"))
    listed = replace(drug, backing=Backing(stated=("list",), uncurated=True, who="Clinic list"))
    assert worded([listed]) == "One uncurated table lists allopurinol under treatment for gout."
