// name: kinds_among
// Which of some entities are kinds of others among them, up to three steps, by whatever means the same.
// :param entities => ["sample:type-2-diabetes", "sample:diabetes"]
// returns: narrower, broader
UNWIND $entities AS id
MATCH (e:Entity {id: id})
CALL (e) {
  RETURN e AS same
  UNION
  MATCH (e)-[:MEANS]->(:Concept)<-[:MEANS]-(same:Entity)
  RETURN same
}
MATCH (same)-[:IS_A]->{1,3}(above:Entity)
CALL (above) {
  RETURN above AS broader
  UNION
  MATCH (above)-[:MEANS]->(:Concept)<-[:MEANS]-(broader:Entity)
  RETURN broader
}
WITH id, broader WHERE broader.id IN $entities AND broader.id <> id
RETURN DISTINCT id AS narrower, broader.id AS broader ORDER BY narrower, broader
