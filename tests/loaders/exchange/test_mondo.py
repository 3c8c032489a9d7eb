"""Mondo's graph and its mappings are one source with parts."""

from medgraph.loaders import registry
from medgraph.loaders.base import Remark
from medgraph.loaders.commands import load_named
from medgraph.loaders.exchange import mondo
from tests.support.graphs import run
from tests.support.paths import FILES

MONDO = FILES / "mondo"


def test_the_graph_and_the_mappings_of_mondo_are_one_source_with_parts(database, settings):
    assert (
        next(name for name, source in registry.SOURCES.items() if source.recognise and source.recognise(MONDO))
        == "mondo"
    )
    assert not [item for item in mondo.records(MONDO) if isinstance(item, Remark)]
    assert load_named(database, settings, "mondo", MONDO).rejected == 0
    parts = run(database, "MATCH (s:Source {part_of: 'mondo'}) RETURN s.id AS id, s.licence AS licence ORDER BY id")
    assert {row["id"] for row in parts} == {"mondo-mondo-json", "mondo-mondo", "mondo-sssom-mondo"}
    assert {row["licence"] for row in parts} == {"CC-BY-4.0"}
    said = (
        "MATCH (:Entity {id: 'MONDO:0004979'})-[r]->(e:Entity) RETURN type(r) AS type, e.id AS id, r.source AS source"
    )
    assert {"type": "EXACT_MATCH", "id": "DOID:2841", "source": "mondo-sssom-mondo"} in run(database, said)
    assert {"type": "IS_A", "id": "MONDO:0005087", "source": "mondo-mondo"} in run(database, said)
