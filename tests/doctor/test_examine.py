"""The whole examination: all is looked at, nothing is changed, and one fault hides no other."""

from dataclasses import replace

from medgraph.doctor import examine as graph_checks
from medgraph.doctor.examine import examine
from medgraph.errors import QueryError
from tests.support.doctor import only
from tests.support.graphs import run, state_of


def test_a_sound_installation(sample_graph, settings):
    findings = examine(settings)
    assert [f for f in findings if f.level != "ok"] == []
    looked_at = {f.id for f in findings}
    assert looked_at >= {"python", "packages", "java", "server-files", "disk:data", "disk:cache", "encoder"}
    assert looked_at >= {"ports", "server", "version", "memory", "schema", "vectors", "loads", "transaction-log"}


def test_a_group_that_cannot_be_looked_at_leaves_the_others(sample_graph, settings, monkeypatch):
    def fails(database):
        raise QueryError("no", "x")

    monkeypatch.setattr(graph_checks, "schema", lambda database: (fails(database) for _ in [1]))
    findings = examine(settings)
    assert only(findings, "broken").what == "this could not be looked at: query x: no"
    assert {"vectors", "loads"} <= {f.id for f in findings}


def test_nothing_is_changed(sample_graph, settings):
    before = (
        state_of(sample_graph),
        run(sample_graph, "SHOW INDEXES YIELD name, state RETURN name, state ORDER BY name"),
    )
    examine(settings)
    after = state_of(sample_graph), run(sample_graph, "SHOW INDEXES YIELD name, state RETURN name, state ORDER BY name")
    assert after == before


def test_settings_are_not_shown(settings, server):
    own = replace(
        settings, neo4j_uri="bolt://127.0.0.1:1", neo4j_password="a-secret-password", api_key="a-secret-key-of-mine"
    )
    assert "a-secret" not in repr(examine(own))
