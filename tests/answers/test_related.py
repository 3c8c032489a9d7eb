"""How things asked about are related, as facts that can be cited."""

import itertools

from medgraph.answers.related import asked_paths
from medgraph.queries.retriever import Retriever
from tests.support.joined import joined
from tests.support.linking import names_of


def test_a_path_is_the_facts_on_its_way(graph, settings, tmp_path):
    database = joined(graph, settings, tmp_path)
    names = names_of(database)
    retriever = Retriever(database, lambda: None, names)
    paths = asked_paths(database, names, retriever.question("Does gout cause fever?"))
    assert [fact.text for fact in paths[0]] == [
        "Conditions that have fever as a symptom include gout (Doid, Pages; stated and told)."
    ]
    long = asked_paths(database, names, retriever.question("Do asthma and fever go together?"))
    assert all(first.object == second.subject for path in long for first, second in itertools.pairwise(path))
    assert asked_paths(database, names, retriever.question("What is gout?")) == []
