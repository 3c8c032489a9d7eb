"""Entities that nothing joins, and whose names are near to each other by their vectors."""

import csv

import numpy as np
import pytest

from medgraph.linking.joining import join
from medgraph.linking.nearest import UnknownPairs, nearest, still_near, tell_apart
from medgraph.linking.pairing import Member
from tests.support.paths import FILES

LUNG = Member("DOID:1", "Disease", "Abscess of the lung", ("Vomica",))
PAGE = Member("pages:1", "Disease", "Pulmonary abscesses and such", ("Empyema",))
SIGN = Member("HP:1", "Phenotype", "Festering lungs")
VECTORS = {
    "abscess of the lung": (1.0, 0.0, 0.0),
    "vomica": (0.0, 0.0, 1.0),
    "pulmonary abscesses and such": (0.96, 0.28, 0.0),
    "empyema": (0.0, 0.0, 1.0),
    "festering lungs": (0.936, 0.352, 0.0),
}


def vectors(names):
    return np.array([VECTORS.get(name, (0.0, 1.0, 0.0)) for name in names], np.float32)


def found(*members, decisions=None):
    by_id = {member.id: member for member in members}
    untold = UnknownPairs(by_id, join(members, decisions), decisions or {})
    return nearest(by_id, untold, vectors)


def ids(pairs):
    return [(pair.one, pair.other) for pair in pairs]


def test_the_nearest_names_of_two_sources_wait_with_both_and_their_cosine():
    assert ids(found(LUNG)) == []
    (pair,) = found(LUNG, SIGN)
    assert (pair.one, pair.other, pair.method, pair.score) == ("DOID:1", "HP:1", "embedding", 0.936)
    assert pair.evidence == "Abscess of the lung ~ Festering lungs"
    # The page is nearer to the sign than the term is, so the term's nearest is not its own.
    assert ids(found(LUNG, PAGE, SIGN)) == [("HP:1", "pages:1")]


@pytest.mark.parametrize(
    ("members", "decisions"),
    [
        ((LUNG, Member("DOID:2", "Disease", "Festering lungs")), None),
        ((LUNG, Member("HP:1", "Gene", "Festering lungs")), None),
        ((LUNG, Member("HP:1", "Phenotype", "Festering lungs", obsolete=True)), None),
        ((LUNG, Member("HP:1", "Phenotype", "Sore", ("Festering lungs", "Vomica"))), None),
        ((LUNG, SIGN), {("DOID:1", "HP:1"): False}),
        ((LUNG, SIGN), {("DOID:1", "HP:1"): True}),
        ((LUNG, SIGN, Member("DOID:3", "Disease", "festering lungs")), None),
        # A list's synonyms are those of broader and narrower things, too.
        ((Member("DOID:4", "Disease", "Vomica"), PAGE), None),
    ],
    ids=["one source", "category", "given up", "something else says so", "rejected", "accepted", "two terms", "list"],
)
def test_what_does_not_wait(members, decisions):
    assert ids(found(*members, decisions=decisions)) == []


def test_what_was_found_before_waits_as_long_as_it_holds():
    (pair,) = found(LUNG, SIGN)
    noted = [{"one": pair.one, "other": pair.other, "evidence": pair.evidence, "score": pair.score}]

    def still(*members, decisions=None):
        by_id = {member.id: member for member in members}
        return still_near(by_id, UnknownPairs(by_id, join(members, decisions), decisions or {}), noted)

    assert still(LUNG, SIGN) == [pair]
    assert still(LUNG) == []
    assert still(LUNG, Member("HP:1", "Phenotype", "Healthy lungs")) == []
    assert still(LUNG, Member("HP:1", "Phenotype", "Festering lungs", obsolete=True)) == []
    assert still(LUNG, Member("HP:1", "Phenotype", "Festering lungs", xrefs=("DOID:1",))) == []
    assert still(LUNG, SIGN, decisions={("DOID:1", "HP:1"): False}) == []


def test_rules_spare_what_was_labelled_as_the_same():
    with (FILES / "linking" / "nearest.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    apart = {
        same: [r for r in rows if r["same"] == same and tell_apart(*r["names"].split(" ~ "))] for same in ("yes", "no")
    }
    assert len(rows) == 197
    assert len(apart["yes"]) <= 4
    assert len(apart["no"]) >= 20
