// name: unload_entities
// Removes a source's entities, unless another source has them too.
// :param source => 'medquad'
// returns: removed
CYPHER 25
MATCH (:Source {id: $source})<-[from:FROM]-(e:Entity)
CALL (e, from) {
  DELETE from
  SET e.sources = [s IN e.sources WHERE s <> $source]
  WITH e WHERE NOT EXISTS { (e)-[:FROM]->(:Source) }
  DETACH DELETE e
  RETURN count(*) AS gone
} IN TRANSACTIONS OF 1000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL
RETURN sum(gone) AS removed
