"""What goes with a condition, on the command line."""

import json

import pytest

from tests.support.joined import joined


@pytest.fixture
def call(medgraph, graph, settings, tmp_path):
    """Runs a command on a small graph of three sources."""
    joined(graph, settings, tmp_path)
    return medgraph


def test_a_subgraph_as_a_text_as_json_and_as_a_picture(call, tmp_path):
    text = call("subgraph", "podagra")
    assert text.startswith(
        "gout  [Disease]  C0018099\n\nSymptoms\n   Symptoms of gout include fever. (Doid, Pages; stated and told)\n"
    )
    assert "   Treatments for gout include allopurinol. (Mesh, Pages; stated and told)\n" in text
    assert "Licences: " in text
    file = tmp_path / "s.svg"
    found = json.loads(call("subgraph", "gout", "--type", "treatment", "--json", "--picture", file))
    assert found["text"] == "Treatments for gout include allopurinol."
    assert [row["tail"]["id"] for row in found["relations"]] == ["MESH:3"]
    assert "Gout and what goes with it" in file.read_text(encoding="utf-8")


def test_where_nothing_is_told_it_is_said(call):
    text = call("subgraph", "gout", "--relation", "PREVENTED_BY")
    assert "Nothing of what was asked for is told of gout, by no source and no section.\n" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nope of no kind"], "nothing is called 'nope of no kind'; look it up with: medgraph entity NAME"),
        (["gout", "--type", "storage"], "no relation tells 'storage'; there are: information"),
        (["gout", "--relation", "x"], "there is no relation 'x'; known are IS_A"),
        (["gout", "--limit", "0"], "a subgraph has from 1 to 200 relations of each type, not 0"),
        (["gout", "--picture", "p.gif"], "p.gif ends in neither .svg nor .png"),
    ],
)
def test_what_cannot_be_asked(call, arguments, message):
    assert call("subgraph", *arguments, fails=True).startswith(message)
