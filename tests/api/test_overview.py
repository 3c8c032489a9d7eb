"""What the first page shows: looked up once as long as the graph stays the same, and without waiting for others."""

import threading

import pytest

from medgraph.answers.answer import Answer
from medgraph.api.overview import Overviews
from tests.support.graphs import run


@pytest.fixture
def counted(database):
    """An overview of a graph that says of six diseases, and the questions that were asked for it."""
    run(
        database,
        "UNWIND range(1, 6) AS n CREATE (e:Entity:Disease {id: 'd' + n, name: 'Disease' + n}) "
        "CREATE (e)<-[:ABOUT]-(:Document {id: 'd' + n})-[:HAS_SECTION]->(:Section {id: 's' + n, type: 'treatment'})",
    )
    asked = []

    def ask(question):
        asked.append(question)
        return Answer(question, "answered")

    return Overviews(database, ask), asked


def test_it_is_looked_up_again_only_when_the_graph_has_changed(counted, database):
    overviews, asked = counted
    first = overviews.current()
    assert (len(first.examples), first.sources, len(asked)) == (6, (), 6)
    assert overviews.current() is first
    assert len(asked) == 6
    run(database, "CREATE (:Source {id: 'x', title: 'X'})<-[:FROM]-(:Load {id: 1, started: 1, finished: 2})")
    second = overviews.current()
    assert [row["title"] for row in second.sources] == ["X"]
    assert second.choices == {"sources": [], "types": [], "licences": []}
    assert len(asked) == 12


def test_while_one_looks_others_are_given_the_former_one(counted, database):
    overviews, _ = counted
    former = overviews.current()
    looking, go_on = threading.Event(), threading.Event()

    def slow(question):
        looking.set()
        assert go_on.wait(20)
        return Answer(question, "answered")

    overviews._ask = slow
    run(database, "CREATE (:Source {id: 'x'})")
    thread = threading.Thread(target=overviews.current)
    thread.start()
    assert looking.wait(20)
    assert overviews.current() is former
    assert overviews.choices() is former.choices
    go_on.set()
    thread.join(20)
    assert [row["source"] for row in overviews.current().sources] == ["x"]
