// name: write_entities
// Stores entities with their source and the concepts they stand for.
// :param rows => [{label: 'Disease', properties: {id: 'medquad:asthma', name: 'Asthma'}, hash: 'abc', concepts: ['C0004096'], semantic_types: ['T047']}]
// :param source => 'medquad'
// :param load => 'a load id'
// returns:
CYPHER 25
MATCH (s:Source {id: $source})
UNWIND $rows AS row
MERGE (e:Entity {id: row.properties.id})
SET e += row.properties
SET e.sources = CASE WHEN $source IN coalesce(e.sources, []) THEN e.sources ELSE coalesce(e.sources, []) + $source END
REMOVE e:$(CASE WHEN e.sources = [$source] THEN [label IN labels(e) WHERE label <> 'Entity'] ELSE [] END)
SET e:$(row.label)
MERGE (e)-[f:FROM]->(s)
SET f.hash = row.hash, f.load = $load
WITH e, row
CALL (e, row) {
  MATCH (e)-[old:HAS_CUI {source: $source}]->(c:Concept)
  WHERE NOT c.cui IN row.concepts
  DELETE old
}
CALL (e, row) {
  UNWIND row.concepts AS cui
  MERGE (c:Concept {cui: cui})
  MERGE (e)-[h:HAS_CUI {source: $source}]->(c)
  SET h.semantic_types = row.semantic_types
}
