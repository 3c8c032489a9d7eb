// name: pointed_at
// Of entities, those that only some sources state, with the other sources whose relations point to each.
// :param ids => ['medquad:asthma']
// :param sources => ['medquad']
// returns: id, others
CYPHER 25
UNWIND $ids AS id
MATCH (e:Entity {id: id})
WHERE NOT EXISTS { (e)-[:FROM]->(s:Source) WHERE NOT s.id IN $sources }
RETURN id, COLLECT {
  MATCH (e)-[r]-(:Entity) WHERE NOT r.source IN $sources
  WITH DISTINCT r.source AS other RETURN other ORDER BY other
} AS others
