"""The Disease Ontology's cross-references: a small file of their form, and the real one."""

from collections import Counter

import pytest

from medgraph.loaders.registry import SOURCES
from medgraph.schema.records import Entity
from tests.support.paths import FILES
from tests.support.sources import read_facts as read


def test_cross_references_and_concepts():
    entities, _, rejects, remarks = read(SOURCES["do-xrefs"], FILES / "do" / "allXREFinDO.tsv")
    assert list(entities.values()) == [
        Entity(
            "DOID:2841",
            "Disease",
            "asthma",
            concepts=("C0004096",),
            xrefs=("MESH:D001249", "UMLS:C0004096", "OMIM:600807", "NOSUCH:1"),
        ),
        Entity(
            "DOID:9360",
            "Disease",
            "exercise-induced bronchoconstriction",
            xrefs=("SNOMEDCT:31387002", "NOSUCH:2"),
        ),
    ]
    assert [(r.line, "is no cross-reference" in r.reason) for r in rejects] == [(8, True)]
    assert remarks == []


@pytest.mark.thorough
def test_the_real_cross_references(data):
    entities, _, rejects, remarks = read(SOURCES["do-xrefs"], data / "doid" / "allXREFinDO.tsv")
    assert (len(entities), rejects, remarks) == (11_559, [], [])
    assert sum(len(entity.concepts) for entity in entities.values()) == 7126
    # 39,264 lines, of which one repeats another under a later release of SNOMED CT.
    assert sum(len(entity.xrefs) for entity in entities.values()) == 39_263
    assert Counter(x.partition(":")[0] for e in entities.values() for x in e.xrefs)["SNOMEDCT"] == 5357
