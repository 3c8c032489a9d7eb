// name: drop_formers
// Forgets what the loads of a source changed before this one.
// :param load => 2
// returns:
CYPHER 25
MATCH (new:Load {id: $load})-[:FROM]->(s:Source)<-[:FROM]-(old:Load)<-[:BEFORE]-(f:Former)
WHERE old <> new
CALL (f) {
  DETACH DELETE f
} IN TRANSACTIONS OF 5000 ROWS
