"""Entities that a test makes up, written straight into the graph."""

from tests.support.graphs import run

HEART = {
    "id": "DOID:114", "name": "heart disease", "synonyms": ["cardiac disease"], "narrow_synonyms": ["Pump failure"],
    "broad_synonyms": ["thoracic trouble"], "related_synonyms": ["chest complaint"], "xrefs": ["MESH:D006331"],
    "alternative_ids": ["DOID:10"], "concepts": ["C0018799"], "translations": ["Herzkrankheit@de"],
}  # fmt: skip


def write_entities(database, *rows):
    """Write entities, and wait until they can be found."""
    run(
        database,
        "UNWIND $rows AS row CREATE (e:Entity) SET e:$(row.label), e += row.properties "
        "FOREACH (cui IN row.concepts | MERGE (c:Concept {cui: cui}) MERGE (e)-[:HAS_CUI {source: 's'}]->(c)) "
        "FOREACH (name IN row.properties.sources | MERGE (s:Source {id: name}) MERGE (e)-[:FROM]->(s))",
        rows=[
            {
                "label": row.pop("label", "Disease"),
                "concepts": row.pop("concepts", []),
                "properties": {"name": row["id"], "synonyms": [], "sources": ["s"]} | row,
            }
            for row in map(dict, rows)
        ],
    )
    run(database, "CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()")
    return database
