"""The commands on the schema."""

import json


def test_the_schema(medgraph, sample_graph):
    data = json.loads(medgraph("schema", "status", "--json"))
    assert all(row["applied"] for row in data["migrations"])
    assert {row["state"] for row in data["indexes"]} == {"ONLINE"}
    assert "V003" in medgraph("schema", "status") or "vector_indexes" in medgraph("schema", "status")
    assert medgraph("schema", "apply").startswith("0 applied; the schema is complete")
