"""`medgraph facts`: questions over the graph alone."""

import json
import re

import pytest

from tests.support.joined import joined


@pytest.fixture
def call(medgraph, graph, settings, tmp_path):
    """Runs a command on a small graph of three sources."""
    joined(graph, settings, tmp_path)
    return medgraph


def test_facts_as_a_table_and_as_json(call):
    text = call("facts", "gout", "treated by", "?")
    assert re.match(r"head_name +relation +tail_name +backing +sources +method +score +evidence\n", text)
    assert re.search(
        r"^gout +TREATED_BY +allopurinol +independent sources +mesh +stated +1 +PMID:2$", text, re.MULTILINE
    )
    found = json.loads(call("facts", "?", "TREATED_BY", "allopurinol", "--limit", 1, "--json"))["facts"]
    assert [(fact["head"], fact["tail"]) for fact in found] == [("C0018099", "MESH:3")]
    nothing = call("facts", "chilblain", "?", "?")
    assert nothing == "Nothing was found: the graph has no relation of any type from 'chilblain' to anything.\n"


def test_what_cannot_be_asked(call):
    call("facts", "gout", "treated by", "?")  # joins what was loaded, and says so
    assert call("facts", "?", "?", "?", fails=True).startswith("give a head or a tail")
    assert call("facts", "gout", "nope", "?", fails=True).startswith("there is no relation 'nope'")
    assert "Missing argument 'TAIL'" in call("facts", "gout", "?", fails=True)
