"""The audit: of all sources or one, with as many examples and findings as asked for, whatever fails."""

import pytest

from medgraph.audit.run import audit
from medgraph.errors import UnknownSourceError
from tests.support.audits import SOUND, findings_of
from tests.support.graphs import run


def test_an_empty_graph_has_no_fault(database):
    assert audit(database).findings == []
    assert audit(database).counts() == {"error": 0, "warning": 0, "note": 0, "failed": 0}


def test_sources_are_looked_at_one_by_one(sound):
    run(sound, SOUND.replace("'s", "'t").replace("'C00", "'C11").replace("'c'", "'d'").replace("7", "8"))
    run(sound, "MATCH (n:Entity) WHERE n.name = 'Pain' SET n.name = '?'")
    both = [finding.source for finding in audit(sound).findings]
    assert sorted(both) == ["s", "t"]
    assert [finding.source for finding in audit(sound, "t").findings] == ["t"]
    with pytest.raises(UnknownSourceError, match="the graph holds no source 'nope'; medgraph sources lists"):
        audit(sound, "nope")


def test_examples_are_as_many_as_asked_for_and_counts_are_whole(sound):
    run(sound, "UNWIND range(1, 30) AS n CREATE (:Entity:Disease {id: 'x:' + n, name: 'X' + n})")
    (few,), (many,) = (
        findings_of(sound, "nodes_without_source"),
        findings_of(sound, "nodes_without_source", examples=20),
    )
    assert (few.count, len(few.examples), many.count, len(many.examples)) == (30, 5, 30, 20)
    assert few.id == many.id


def test_the_sample_is_sound(sample_graph):
    assert [finding for finding in audit(sample_graph).findings if finding.severity != "note"] == []
