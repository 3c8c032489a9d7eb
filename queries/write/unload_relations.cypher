// name: unload_relations
// Removes what sources state of entities, their own and others': their relations and the concepts they stand for.
// :param sources => ['medquad']
// returns:
CYPHER 25
MATCH (:Entity)-[r]->()
WHERE r.source IN $sources
CALL (r) {
  DELETE r
} IN TRANSACTIONS OF 10000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL
