"""`medgraph paths`: how things go together."""

import json
import re

import pytest

from tests.support.joined import joined


@pytest.fixture
def call(medgraph, graph, settings, tmp_path):
    """Runs a command on a small graph of three sources."""
    joined(graph, settings, tmp_path)
    return medgraph


def test_paths_as_a_table_as_json_and_as_a_picture(call, tmp_path):
    text = call("paths", "podagra", "asthma")
    assert "gout  [Disease]  C0018099\n" in text
    assert re.search(
        r"^ *0\.\d+  gout \u2013 HAS_SYMPTOM → cough ← HAS_SYMPTOM \u2013 asthma  pages, doid$", text, re.MULTILINE
    )
    file = tmp_path / "p.svg"
    (pair,) = json.loads(call("paths", "gout", "asthma", "--json", "--picture", file))["pairs"]
    assert [node["id"] for node in pair["paths"][0]["nodes"]] == ["C0018099", "C0010200", "DOID:2"]
    assert pair["paths"][0]["similarity"] is None
    assert "How these go together: gout, asthma" in file.read_text(encoding="utf-8")


def test_a_question_says_how_near_paths_come(call):
    text = call("paths", "gout", "asthma", "--question", "Why do I cough at night?")
    assert re.search(r"^nearness +rank +path +sources$", text, re.MULTILINE)


def test_where_there_is_none_it_is_said_what_was_searched(call):
    text = call("paths", "gout", "chilblain", "--hops", 1)
    assert "No path of at most 1 hop was found between gout (4 relations) and chilblain (0 relations).\n" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gout", "Podagra"], "'gout' and 'Podagra' are the same thing, C0018099; name two that differ"),
        (["gout", "nope of no kind"], "nothing is called 'nope of no kind'; look it up with: medgraph entity NAME"),
        (["gout"], "paths are between two things or more, at most 5; 1 named"),
        (["gout", "asthma", "--hops", "0"], "paths take from 1 to 3 hops, not 0"),
        (["gout", "asthma", "--hops", "9"], "paths take from 1 to 3 hops, not 9"),
        (["gout", "asthma", "--limit", "51"], "a pair has from 1 to 50 paths, not 51"),
        (["gout", "asthma", "--picture", "p.gif"], "p.gif ends in neither .svg nor .png"),
    ],
)
def test_what_cannot_be_asked(call, arguments, message):
    assert call("paths", *arguments, fails=True).startswith(message)
