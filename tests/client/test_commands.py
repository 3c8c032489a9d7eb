"""`medgraph ask` and `search` by a service: what they print is what they print by themselves, without the graph."""

from dataclasses import replace

import pytest
from click.testing import CliRunner

from medgraph.cli.main import main
from tests.support.service import running

NOWHERE = "bolt://127.0.0.1:1"
QUESTION = "How is gout treated?"


@pytest.fixture
def address(service):
    with running(service) as server:
        yield f"http://127.0.0.1:{server.port}"


@pytest.mark.parametrize(
    "words",
    [
        ("ask", QUESTION),
        ("ask", QUESTION, "--source", "nowhere"),
        ("search", QUESTION, "--top-k", "2", "--explain", "--evidence"),
        ("search", QUESTION, "--type", "symptoms", "--concept", "gout"),
        ("search", "Was sind die Symptome von Gicht?", "--mode", "lexical"),
    ],
)
def test_a_service_says_what_the_graph_says(address, sample_graph, here, words):
    one = CliRunner().invoke(main, words, obj=here)
    other = CliRunner().invoke(main, words, obj=replace(here, service=address, neo4j_uri=NOWHERE))
    assert (one.exit_code, one.stdout) == (other.exit_code, other.stdout)
    assert one.stdout or one.exit_code


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("ask",), "ask one QUESTION"),
        (("search",), "give a QUESTION"),
        (("search", "x", "--mode", "none"), "none"),
    ],
)
def test_what_is_asked_is_checked_before_the_graph_is_opened(here, words, told):
    done = CliRunner().invoke(main, words, obj=replace(here, neo4j_uri=NOWHERE))
    assert done.exit_code == 1
    assert told in done.output
    assert "no answer" not in done.output


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("ask", "x", "--keep"), "takes no --keep"),
        (("ask", "x"), "no answer from the service at http://127.0.0.1:1"),
        (("search", "x"), "(medgraph serve)"),
    ],
)
def test_a_service_that_does_not_answer_is_told_of(here, words, told):
    done = CliRunner().invoke(main, words, obj=replace(here, service="http://127.0.0.1:1", neo4j_uri=NOWHERE))
    assert done.exit_code == 1
    assert told in done.output
