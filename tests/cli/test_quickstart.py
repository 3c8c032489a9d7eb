"""The command for a first try."""

import json
import re

from tests.support.graphs import state_of


def test_quickstart_again_answers_at_once(medgraph, sample_graph):
    before = state_of(sample_graph)
    data = json.loads(medgraph("quickstart", "--json"))
    assert data["status"] == "answered"
    text = medgraph("quickstart")
    assert re.search(r"\[1\] Type 2 diabetes \(sample[,)]", text)
    assert "Try next:" in text
    assert state_of(sample_graph) == before
