// name: unload_entities
// Removes the entities that no other source states or points to, a thousand a transaction.
// :param sources => ['medquad']
// returns: removed
CYPHER 25
MATCH (s:Source)<-[:FROM]-(e:Entity)
WHERE s.id IN $sources AND NOT EXISTS { (e)-[:FROM]->(other:Source) WHERE NOT other.id IN $sources }
  AND NOT EXISTS { (e)--(:Entity) }
WITH DISTINCT e
CALL (e) {
  DETACH DELETE e
} IN TRANSACTIONS OF 1000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL
RETURN count(*) AS removed
