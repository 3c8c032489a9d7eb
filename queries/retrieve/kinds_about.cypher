// name: kinds_about
// Which types of section there are about some entities, or about others that mean the same.
// :param entities => ["sample:gout"]
// :param types => ["symptoms", "treatment"]
// returns: entity, types
UNWIND $entities AS id
MATCH (e:Entity {id: id})
CALL (e) {
  RETURN e AS about
  UNION
  MATCH (e)-[:MEANS]->(:Concept)<-[:MEANS]-(about:Entity)
  RETURN about
}
MATCH (about)<-[:ABOUT]-(:Document)-[:HAS_SECTION]->(s:Section)
WHERE s.type IN $types
RETURN id AS entity, collect(DISTINCT s.type) AS types
