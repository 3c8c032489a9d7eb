"""The command for a first try."""

import json
import re

from tests.support.graphs import state_of


def test_quickstart_again_answers_at_once(medgraph, sample_graph):
    before = state_of(sample_graph)
    data = json.loads(medgraph("quickstart", "--json"))
    assert data["status"] == "answered"
    text = medgraph("quickstart")
    assert re.search(r"\nType 2 diabetes \(sample[,)].*\n    \[1\] symptoms, section sample:type-2-diabetes#", text)
    assert "Try next:" in text
    assert state_of(sample_graph) == before
