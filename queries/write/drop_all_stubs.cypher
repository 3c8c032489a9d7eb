// name: drop_all_stubs
// Removes entities that nobody states and nobody points to any more.
// returns: removed
CYPHER 25
MATCH (e:Stub)
WHERE NOT EXISTS { (e)-[:FROM]->(:Source) } AND NOT EXISTS { (e)--(:Entity) }
CALL (e) {
  DETACH DELETE e
} IN TRANSACTIONS OF 1000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL
RETURN count(*) AS removed
