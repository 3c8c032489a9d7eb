// name: joined_by
// By what entities of different sources came to stand for the same concept.
// returns: method, entities, example, concept
MATCH (e:Entity)-[m:MEANS]->(c:Concept)
WITH m.method AS method, count(*) AS entities, min(e.id) AS example
MATCH (x:Entity {id: example})-[:MEANS]->(c:Concept)
RETURN method, entities, example, c.name AS concept
ORDER BY entities DESC, method
