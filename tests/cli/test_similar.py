"""`medgraph similar` and `medgraph predict`: what was learned from relations, told as guesses."""

import json
import re

import pytest

from medgraph.queries import paths
from tests.support.joined import joined
from tests.support.kge import with_vectors, without_vectors


@pytest.fixture
def call(medgraph, graph, settings, tmp_path, monkeypatch):
    """Runs a command on a small graph of three sources with vectors made by hand."""
    monkeypatch.setattr(paths, "TIME_LIMIT", 60.0)
    joined(graph, settings, tmp_path)
    with_vectors(graph, near=[("C0018099", "DOID:2")])
    yield medgraph
    without_vectors(graph)


def test_what_is_similar_as_a_table_and_as_json(call):
    text = call("similar", "podagra", "--limit", 2)
    assert text.startswith("gout  [Disease]  C0018099, by TransE\n")
    assert re.search(r"^ +(1|0\.99\d*)  asthma +Disease  DOID:2$", text, re.MULTILINE)
    found = json.loads(call("similar", "gout", "--label", "Drug", "--json"))
    assert [one["name"] for one in found["similar"]] == ["allopurinol"]


def test_predictions_say_what_is_known_what_is_a_guess_and_what_speaks_for_it(call):
    text = call("predict", "asthma", "has_symptom")
    assert "asthma HAS_SYMPTOM …  DOID:2, guessed by TransE; no source states what is not marked as known\n" in text
    assert re.search(r"^ *\d\. known +-\d+\.\d{3}  cough  \[Symptom\]  C0010200$", text, re.MULTILINE)
    line = r"^ *\d\. guess +-\d+\.\d{3}  gout  \[Disease\]  C0018099\n {12}asthma \u2013 HAS_SYMPTOM → cough ← .* gout$"
    assert re.search(line, text, re.MULTILINE)
    bare = json.loads(call("predict", "asthma", "HAS_SYMPTOM", "--no-paths", "--json", "--limit", 1))
    assert [one["paths"] for one in bare["predictions"]] == [[]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["similar", "nope of no kind"], "nothing is called 'nope of no kind'; look it up with: medgraph entity NAME"),
        (["similar", "gout", "--limit", "0"], "from 1 to 50 concepts are given, not 0"),
        (["similar", "gout", "--label", "Ill"], "there is no category 'Ill'; known are Disease"),
        (["predict", "gout", "CURED_BY"], "TransE knows no relation 'CURED_BY'; known are HAS_SYMPTOM, TREATED_BY"),
        (["predict", "gout", "HAS_SYMPTOM", "--limit", "51"], "from 1 to 50 concepts are given, not 51"),
        (["predict", "chilblain", "HAS_SYMPTOM"], "'chilblain' has no vector"),
    ],
)
def test_what_cannot_be_asked(call, arguments, message):
    assert call(*arguments, fails=True).startswith(message)
