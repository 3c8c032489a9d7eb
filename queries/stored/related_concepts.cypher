// name: related_concepts
// Concepts whose entities have relations, or that have some themselves, with how much hangs on these entities.
// returns: concept, weight
MATCH (c:Concept)
WHERE EXISTS { (c)<-[:MEANS]-(:Entity)--(:Entity) } OR EXISTS { (c)-->(:Concept) }
RETURN c.cui AS concept, 1 + reduce(n = 0, degree IN COLLECT { MATCH (c)<-[:MEANS]-(e) RETURN COUNT { (e)--() } } | n + degree) AS weight
