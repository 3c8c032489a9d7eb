// name: subject_names
// Entities that documents of a source are about, with all names of the concept that each stands for.
// :param source => 'medquad'
// returns: id, name, concepts, names
MATCH (e:Entity)
WHERE EXISTS { (e)<-[:ABOUT]-(:Document {source: $source}) }
RETURN e.id AS id, e.name AS name, COLLECT { MATCH (e)-[:HAS_CUI|MEANS]->(c:Concept) RETURN DISTINCT c.cui } AS concepts,
       [e.name] + coalesce(e.synonyms, []) + COLLECT {
         MATCH (e)-[:MEANS]->(:Concept)<-[:MEANS]-(same:Entity)
         UNWIND [same.name] + coalesce(same.synonyms, []) AS name
         RETURN DISTINCT name
       } AS names
ORDER BY id
