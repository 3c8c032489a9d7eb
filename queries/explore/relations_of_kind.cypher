// name: relations_of_kind
// Relations of one kind, the surest first, with who says so and on what evidence.
// :param relation => 'IS_A'
// returns: subject, object, source, predicate, evidence, score
CYPHER 25
MATCH (a:Entity)-[r:$($relation)]->(b:Entity)
RETURN coalesce(a.name, a.id) AS subject, coalesce(b.name, b.id) AS object, r.source AS source, r.predicate AS predicate, r.evidence AS evidence,
       r.score AS score
ORDER BY coalesce(score, -1) DESC, subject, object, source
LIMIT 100
