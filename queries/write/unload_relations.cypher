// name: unload_relations
// Removes what a source states of entities, its own and others': their relations and the concepts they stand for.
// :param source => 'medquad'
// returns:
CYPHER 25
MATCH (:Entity)-[r]->()
WHERE r.source = $source
CALL (r) {
  DELETE r
} IN TRANSACTIONS OF 10000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL
