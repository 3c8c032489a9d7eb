// name: named_entities
// Entities that a question names, with the concepts that they stand for, and how many documents are about these.
// :param entities => ['DOID:13189']
// returns: id, label, name, concepts, documents, sources
UNWIND $entities AS id
MATCH (e:Entity {id: id})
CALL (e) {
  RETURN e AS same
  UNION
  MATCH (e)-[:MEANS]->(:Concept)<-[:MEANS]-(same:Entity)
  RETURN same
}
WITH e, id, collect(same) AS all
RETURN id, [l IN labels(e) WHERE l <> 'Entity'][0] AS label, coalesce(e.name, id) AS name,
       COLLECT { MATCH (e)-[r:HAS_CUI|MEANS]->(c:Concept)
                 WHERE type(r) = 'MEANS' OR NOT EXISTS { (e)-[:MEANS]->() }
                 RETURN DISTINCT c.cui ORDER BY c.cui } AS concepts,
       COUNT { UNWIND all AS same MATCH (same)<-[:ABOUT]-(d:Document) RETURN DISTINCT d } AS documents,
       coalesce(e.sources, []) AS sources
