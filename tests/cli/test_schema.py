"""The commands on the schema, and the list of sources."""

import json

from medgraph.loaders import registry


def test_schema_and_sources(medgraph, sample_graph):
    data = json.loads(medgraph("schema", "status", "--json"))
    assert all(row["applied"] for row in data["migrations"])
    assert {row["state"] for row in data["indexes"]} == {"ONLINE"}
    assert "V003" in medgraph("schema", "status") or "vector_indexes" in medgraph("schema", "status")
    assert medgraph("schema", "apply").startswith("0 applied; the schema is complete")
    rows = {row["source"]: row for row in json.loads(medgraph("sources", "--json"))["sources"]}
    assert rows.keys() == registry.SOURCES.keys()
    assert (rows["sample"]["loaded"], rows["sample"]["documents"]) == (True, 60)
    assert rows["medquad"]["loaded"] is False
    assert "CC-BY-4.0" in medgraph("sources")
