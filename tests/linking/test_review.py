"""Equivalences that curators decide on."""

import pytest

from medgraph.errors import InputError
from medgraph.linking.review import MAX_LISTED, STATUSES, Equivalence, decide, listed, undo
from tests.support.joined import joined


@pytest.fixture
def graph_to_review(graph, settings, tmp_path):
    return joined(graph, settings, tmp_path)


def said(database):
    return {pair.id: status for status in STATUSES for pair in listed(database, status)}


def test_what_waits_and_what_was_refused_is_listed_with_what_it_rests_on(graph_to_review):
    (one,) = listed(graph_to_review)
    assert one == Equivalence(
        "DOID:4|MESH:4", "DOID:4", "chilblain", "MESH:4", "Perniosis", "synonyms", "pernio", 0.85, "proposed", []
    )
    (refused,) = listed(graph_to_review, "refused")
    assert (refused.id, refused.method, refused.evidence, refused.score) == ("DOID:4|MESH:1", "xref", "DOID:4", 0.97)
    assert len(refused.chain) == 2
    decide(graph_to_review, "SYMP:1", "SYMP:2", same=False)
    decide(graph_to_review, "SYMP:1", "DOID:2", same=False)
    assert len(listed(graph_to_review, "rejected", limit=1)) == 1
    assert len(listed(graph_to_review, "rejected", limit=MAX_LISTED)) == 2


def test_decisions_are_noted_whichever_comes_first_and_taken_back(graph_to_review):
    before = said(graph_to_review)
    assert decide(graph_to_review, "MESH:4", " DOID:4 ", same=True) == "proposed"
    assert decide(graph_to_review, "DOID:4", "MESH:4", same=False) == "accepted"
    assert decide(graph_to_review, "MESH:1", "DOID:4", same=True) == "refused"
    assert decide(graph_to_review, "SYMP:1", "SYMP:2", same=False) == ""
    assert said(graph_to_review) == {
        "DOID:4|MESH:4": "rejected",
        "DOID:4|MESH:1": "accepted",
        "SYMP:1|SYMP:2": "rejected",
    }
    (made,) = [pair for pair in listed(graph_to_review, "rejected") if pair.one == "SYMP:1"]
    assert (made.method, made.evidence, made.score, made.one_name) == ("curated", "", 1.0, "fever")
    assert undo(graph_to_review, "DOID:4", "MESH:4") == "rejected"
    assert said(graph_to_review)["DOID:4|MESH:4"] == "proposed"
    assert before["DOID:4|MESH:4"] == "proposed"
    with pytest.raises(InputError, match=r"nothing was decided on DOID:4 and MESH:4; see medgraph review list"):
        undo(graph_to_review, "MESH:4", "DOID:4")


@pytest.mark.parametrize(
    ("one", "other", "message"),
    [
        ("DOID:1", "nope:1", "the graph has no entity nope:1; look it up with: medgraph entity NAME"),
        ("", "DOID:1", "the graph has no entity ; look it up"),
        ("\ud800", "DOID:1", "the graph has no entity \\?; look it up"),
        ("DOID:1", " DOID:1", "DOID:1 is one entity; name two"),
    ],
)
def test_what_cannot_be_decided(graph_to_review, one, other, message):
    with pytest.raises(InputError, match=message):
        decide(graph_to_review, one, other, same=True)
    with pytest.raises(InputError):
        undo(graph_to_review, one, other)
