"""The picture of the graph: what it may hold, and what it does hold."""

from medgraph.graph import catalogue
from medgraph.pictures import relations, svg
from medgraph.schema.vocabulary import METAGRAPH, NODE_LABELS
from tests.support.graphs import run
from tests.support.pictures import SVG, parsed


def test_what_the_sample_holds_is_in_the_design(sample_graph):
    rows = sample_graph.read(catalogue.get("metagraph"))
    counts = {
        (r["source_label"], r["relation"], r["target_label"]): r["count"] for r in rows if r["kind"] == "relation"
    }
    assert counts.keys() <= set(METAGRAPH)
    assert counts.keys() >= {("Entity", "IS_A", "Entity"), ("Section", "HAS_CHUNK", "Chunk")}
    nodes = {row["source_label"]: row["count"] for row in rows if row["kind"] == "node"}
    assert nodes.keys() <= set(NODE_LABELS)
    counted = {row["name"]: row["count"] for row in sample_graph.read(catalogue.get("counts")) if row["kind"] == "node"}
    assert nodes == {label: counted[label] for label in nodes}
    categories = {row["target_label"]: row["count"] for row in rows if row["kind"] == "category"}
    assert categories == {label: counted[label] for label in ("Disease", "Drug", "Gene", "SideEffect", "Symptom")}
    assert counts["Document", "HAS_SECTION", "Section"] == 480
    description = parsed(svg.draw(relations.picture_of_contents(rows))).find(f"{SVG}desc").text
    assert "Section (480)" in description
    assert "Document HAS_SECTION Section 480" in description
    assert f"Entity ({counted['Entity']}, Disease {counted['Disease']}" in description


def test_an_empty_graph_and_labels_of_others_are_drawn(database):
    rows = [
        row for row in database.read(catalogue.get("metagraph")) if row["source_label"] not in {"Migration", "Encoder"}
    ]
    assert rows == []
    empty = svg.draw(relations.picture_of_contents(rows))
    assert "There is nothing to show yet." in parsed(empty).find(f"{SVG}desc").text
    assert svg.rasterise(empty).startswith(b"\x89PNG")
    run(database, "CREATE (:`My <own> label` {id: 1})-[:`KNOWS \"it\"`]->(:Entity:Odd:Disease {id: 'x'}), ()")
    try:
        rows = database.read(catalogue.get("metagraph"))
        parsed(svg.draw(relations.picture_of_contents(rows)))
    finally:
        run(database, "MATCH (n) WHERE n:`My <own> label` OR n:Odd OR size(labels(n)) = 0 DETACH DELETE n")
    assert ("My <own> label", 'KNOWS "it"', "Entity", 1) in [
        (row["source_label"], row["relation"], row["target_label"], row["count"]) for row in rows
    ]
    assert {row["target_label"] for row in rows if row["kind"] == "category"} == {"Odd", "Disease"}
