// name: defined_names
// Entities with a definition, with all names of the concepts that each stands for.
// :param after => ''
// :param limit => 1000
// returns: id, name, definition, concepts, names
MATCH (e:Entity)
WHERE e.id > $after AND e.definition <> ''
WITH e ORDER BY e.id LIMIT $limit
RETURN e.id AS id, e.name AS name, e.definition AS definition,
       COLLECT { MATCH (e)-[:HAS_CUI|MEANS]->(c:Concept) RETURN DISTINCT c.cui ORDER BY c.cui } AS concepts,
       coalesce(e.synonyms, []) + COLLECT {
         MATCH (e)-[:MEANS]->(:Concept)<-[:MEANS]-(same:Entity)
         UNWIND [same.name] + coalesce(same.synonyms, []) AS name
         RETURN DISTINCT name ORDER BY name
       } AS names
ORDER BY id
