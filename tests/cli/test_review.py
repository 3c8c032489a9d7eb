"""`medgraph review`: equivalences that curators decide on."""

import json
import re

import pytest

from tests.support.exchange import mappings
from tests.support.joined import joined


@pytest.fixture
def call(medgraph, graph, settings, tmp_path):
    """Runs a command on a small graph of three sources."""
    joined(graph, settings, tmp_path)
    return medgraph


def test_equivalences_are_listed_decided_exported_and_taken_back(call, tmp_path):
    assert re.search(
        r"^DOID:4 +chilblain +MESH:4 +Perniosis +synonyms +pernio +0.85 +proposed", call("review", "list"), re.MULTILINE
    )
    (refused,) = json.loads(call("review", "list", "--status", "refused", "--json"))["equivalences"]
    assert refused["chain"] == ["DOID:4 = MESH:1 (xref: DOID:4)", "DOID:1 = MESH:1 (xref: MESH:1)"]
    assert "DOID:4 = MESH:1 (xref: DOID:4); DOID:1 = MESH:1" in call("review", "list", "--status", "refused")
    assert call("review", "accept", "MESH:4", "DOID:4") == (
        "accepted (was proposed); medgraph index concepts puts it into effect\n"
    )
    assert call("review", "reject", "DOID:1", "DOID:2") == "rejected; medgraph index concepts puts it into effect\n"
    path = tmp_path / "review.sssom.tsv"
    assert call("review", "export", path) == f"written: {path}\n"
    assert [(found.subject, found.object) for found in mappings(path)] == [("DOID:4", "MESH:4")]
    assert "is there already" in call("review", "export", path, fails=True)
    call("review", "export", path, "--force", "--proposed")
    assert (
        call("review", "undo", "DOID:4", "MESH:4") == "accepted no more; medgraph index concepts puts it into effect\n"
    )
    assert call("review", "list", "--status", "accepted") == "Nothing was found.\n"


def test_what_cannot_be_decided(call):
    assert call("review", "accept", "nope:1", "DOID:1", fails=True).startswith("the graph has no entity nope:1")
    assert call("review", "undo", "DOID:1", "DOID:2", fails=True).startswith("nothing was decided on DOID:1 and DOID:2")
    assert "is not one of" in call("review", "list", "--status", "nope", fails=True)


def test_all_evidence_of_one_is_shown(call):
    shown = call("review", "show", "DOID:4", "MESH:4")
    for said in (
        "chilblain = Perniosis?",
        "proposed; found by synonyms: pernio",
        "both have: pernio",
        "these two alone",
    ):
        assert said in shown
    refused = call("review", "show", "DOID:4|MESH:1")
    assert "refused for: DOID:1 = MESH:1 (xref: MESH:1)" in refused
    assert "accepting would join both, and with them DOID:1, pages:gout" in refused
    assert "DOID tells apart what would be one: DOID:4, DOID:1" in refused
    data = json.loads(call("review", "show", "DOID:4|MESH:4", "--json"))
    assert [side["name"] for side in data["sides"]] == ["chilblain", "Perniosis"]
    assert call("review", "show", "DOID:4", fails=True).startswith("name two entities")
