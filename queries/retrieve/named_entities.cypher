// name: named_entities
// Entities whose names resemble words of a question, with all their names, for a closer comparison outside.
// :param lucene => 'name:(asthma^4 asthma~1) synonyms:(asthma^4 asthma~1)'
// :param limit => 60
// returns: id, label, name, synonyms, concepts, documents
CALL db.index.fulltext.queryNodes('entity_name', $lucene, {limit: $limit}) YIELD node AS e, score
WHERE NOT coalesce(e.obsolete, false) OR EXISTS { (e)<-[:ABOUT]-(:Document) }
RETURN e.id AS id, [l IN labels(e) WHERE l <> 'Entity'][0] AS label, coalesce(e.name, e.id) AS name,
       coalesce(e.synonyms, []) AS synonyms, COLLECT { MATCH (e)-[:HAS_CUI]->(c) RETURN c.cui } AS concepts,
       COUNT { (e)<-[:ABOUT]-(:Document) } AS documents
ORDER BY score DESC, id
