"""The Disease Ontology's symptoms of diseases: a small file of their form, and the real one."""

from collections import Counter

import pytest

from medgraph.loaders.registry import SOURCES
from medgraph.schema.records import Relation
from tests.support.paths import FILES
from tests.support.sources import read_facts as read


def test_symptoms_of_diseases():
    entities, relations, rejects, _ = read(SOURCES["do-symptoms"], FILES / "do" / "disease-symptom.tsv")
    assert Counter(entity.label for entity in entities.values()) == {"Disease": 2, "Symptom": 2}
    assert relations[0] == Relation("DOID:2841", "HAS_SYMPTOM", "SYMP:0000614")
    assert len(relations) == 3
    assert [(r.line, "is no id of a symptom" in r.reason) for r in rejects] == [(5, True)]


@pytest.mark.thorough
def test_the_real_symptoms_of_diseases(data):
    entities, relations, rejects, remarks = read(SOURCES["do-symptoms"], data / "doid" / "disease-symptom.tsv")
    assert (len(relations), rejects, remarks) == (2222, [], [])
    assert Counter(entity.label for entity in entities.values()) == {"Disease": 863, "Symptom": 300}
    assert {(r.subject, r.object) for r in relations} >= {("DOID:0050012", "SYMP:0000613")}
