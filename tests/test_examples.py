"""Examples in docstrings give what they say, and the twenty names that people import open with one."""

import doctest
import re
from importlib import import_module

import pytest

from tests.support.tree import MODULES, name_of

ALONE = """
graph.catalogue.get loaders.base.Reject loaders.base.Row loaders.base.Source queries.question.Question
schema.records.Document schema.records.Entity schema.records.Relation schema.records.SourceInfo settings.Settings
""".split()
OVER_A_GRAPH = """
answers.answerer.Answerer client.results.Answer client.client.AsyncMedgraph client.results.FoundEntities
client.results.FoundPaths client.client.Medgraph client.results.SearchResults graph.connect.connect
graph.database.Database queries.retriever.Retriever
""".split()
"""The names that README, tutorials and CONTRIBUTING import, and what these take and give."""


def examples(module):
    """Find the examples of a module, by the name of what has them."""
    found = doctest.DocTestFinder().find(import_module(f"medgraph.{module}"))
    return {test.name.removeprefix("medgraph."): test for test in found if test.examples}


def example_of(name):
    """Find the example of a name, which stands right behind the first sentence of its docstring."""
    test = examples(name.rpartition(".")[0])[name]
    assert re.match(r"[^\n]+(?:\n[^\n]+)*\n\n *Example:\n *>>> ", test.docstring), name
    return test


def run(test):
    said = []
    done = doctest.DocTestRunner().run(test, out=said.append)
    assert done.attempted
    assert not done.failed, "".join(said)


@pytest.mark.parametrize("path", [path for path in MODULES if ">>> " in path.read_text("utf-8")], ids=str)
def test_examples_in_docstrings_give_what_they_say(path):
    found = examples(".".join(name_of(path)))
    assert found
    for name in found.keys() - {*OVER_A_GRAPH}:
        run(found[name])


def test_the_names_that_need_no_graph_open_with_an_example():
    assert len({*ALONE, *OVER_A_GRAPH}) == 20
    for name in ALONE:
        run(example_of(name))


@pytest.mark.usefixtures("sample_graph")
def test_the_names_that_need_a_graph_open_with_an_example(environment, monkeypatch):
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value)
    for name in OVER_A_GRAPH:
        run(example_of(name))
