// name: unload_entities
// Removes a source's entities, unless another source has them too: then only what this one said of them.
// :param source => 'medquad'
// returns: removed
MATCH (:Source {id: $source})<-[from:FROM]-(e:Entity)
CALL (e, from) {
  MATCH (e)-[r]-()
  WHERE r.source = $source
  DELETE r
  WITH DISTINCT e, from
  DELETE from
  SET e.sources = [s IN e.sources WHERE s <> $source]
  RETURN count(*) AS seen
} IN TRANSACTIONS OF 1000 ROWS
WITH DISTINCT e
CALL (e) {
  WITH e WHERE NOT EXISTS { (e)-[:FROM]->(:Source) }
  DETACH DELETE e
  RETURN count(*) AS gone
} IN TRANSACTIONS OF 1000 ROWS
RETURN sum(gone) AS removed
