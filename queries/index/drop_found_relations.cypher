// name: drop_found_relations
// Forgets the relations between concepts that were found in texts.
// returns: dropped
CYPHER 25
MATCH (:Concept)-[r]->(:Concept)
WHERE r.method = 'section'
CALL (r) {
  DELETE r
} IN TRANSACTIONS OF 10000 ROWS
RETURN count(*) AS dropped
