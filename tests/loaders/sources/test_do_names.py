"""The Disease Ontology's names and parents: a small file of their form, and the real one."""

import pytest

from medgraph.loaders.base import Reject, Row
from medgraph.loaders.registry import SOURCES
from medgraph.schema.records import Entity
from tests.support.paths import FILES
from tests.support.sources import read_facts as read


def test_names_and_parents():
    entities, relations, rejects, _ = read(SOURCES["do-names"], FILES / "do" / "HumanDO.tsv")
    assert entities["DOID:2841"] == Entity("DOID:2841", "Disease", "asthma")
    assert entities["DOID:4"].name == "disease"
    assert [(r.subject, r.object) for r in relations if r.type == "IS_A"] == [
        ("DOID:2841", "DOID:1176"),
        ("DOID:1176", "DOID:0050161"),
        ("DOID:0050161", "DOID:4"),
        ("DOID:9360", "DOID:2841"),
        ("DOID:9360", "DOID:1176"),
    ]
    assert [(r.line, "no line has the label" in r.reason) for r in rejects] == [(7, True)]


def test_a_parent_whose_label_several_diseases_have_is_rejected(tmp_path):
    path = tmp_path / "HumanDO.tsv"
    path.write_text("id\tlabel\tsubClassOf\nDOID:1\ta\t\nDOID:2\ta\t\nDOID:3\tb\ta\nDOID:1\tc\tb\nX:1\td\tb\n")
    items = list(SOURCES["do-names"].records(path))
    assert [item.record.name for item in items if isinstance(item, Row) and isinstance(item.record, Entity)] == [
        *"aabc"  # one id with two names is for the writer to judge
    ]
    assert [(item.line, item.reason[:20]) for item in items if isinstance(item, Reject)] == [
        (6, "needs an id such as "),
        (4, "several diseases hav"),
    ]


@pytest.mark.thorough
def test_the_real_names_and_parents(data):
    entities, relations, rejects, remarks = read(SOURCES["do-names"], data / "doid" / "HumanDO.tsv")
    assert (len(entities), len(relations), rejects, remarks) == (12_247, 12_296, [], [])
    assert all(relation.object in entities for relation in relations)
    children = {r.subject for r in relations if r.object == "DOID:4"}
    assert len(children) == 8
    assert entities["DOID:2841"].name == "asthma"
