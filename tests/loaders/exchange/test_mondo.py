"""Mondo's graph and its mappings are one source with parts."""

import shutil

from medgraph.loaders import registry
from medgraph.loaders.base import Remark, Row
from medgraph.loaders.commands import load_named
from medgraph.loaders.exchange import mondo
from medgraph.schema.records import SourceInfo
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


def test_another_graph_beside_it_is_not_read_and_each_set_of_mappings_is_a_part(tmp_path):
    shutil.copytree(MONDO, tmp_path, dirs_exist_ok=True)
    (tmp_path / "another_nodes.tsv").write_text("id\tcategory\nMONDO:1\tbiolink:Disease\n")
    said = (MONDO / "mondo.sssom.tsv").read_text().splitlines(keepends=True)
    for name in (f"mondo-{'x' * 60}-{end}" for end in "ab"):
        lines = (line for line in said if not line.startswith(("#mapping_set_id", "# mapping_set_id")))
        (tmp_path / f"{name}.sssom.tsv").write_text("".join(lines))
    found = [item.record for item in mondo.records(tmp_path) if isinstance(item, Row)]
    parts = [record.id for record in found if isinstance(record, SourceInfo)]
    assert len(parts) == len(set(parts)) == 5
    assert not [record for record in found if getattr(record, "id", "") == "MONDO:1"]
