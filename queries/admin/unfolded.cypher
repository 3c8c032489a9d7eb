// name: unfolded
// How many named entities stand for no concept, and of some thousands of the statements of sources, how many are on no relation
// of their concepts.
// returns: entities, statements
CALL () {
  MATCH (e:Entity)
  WHERE e.name IS NOT NULL AND NOT EXISTS { (e)-[:MEANS]->() }
  RETURN count(e) AS entities
}
CALL () {
  MATCH (e:Entity)-[r]->(o:Entity)
  WHERE NOT coalesce(e.obsolete, false) AND NOT coalesce(o.obsolete, false)
  WITH e, r, o LIMIT 5000
  MATCH (e)-[:MEANS]->(a), (o)-[:MEANS]->(b)
  WHERE a <> b AND NOT EXISTS { MATCH (a)-[held]-(b) WHERE r.source IN held.stated }
  RETURN count(r) AS statements
}
RETURN entities, statements
