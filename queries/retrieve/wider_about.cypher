// name: wider_about
// What some entities are a kind of, one step up, where it has neither one kind nor many, and a section is about it; that with the fewest kinds first.
// :param entities => ["sample:type-2-diabetes"]
// :param types => ["information", "treatment"]
// :param fewest => 2
// :param most => 15
// returns: entity, wider, name, label, types
UNWIND $entities AS id
MATCH (e:Entity {id: id})
CALL (e) {
  RETURN e AS same
  UNION
  MATCH (e)-[:MEANS]->(:Concept)<-[:MEANS]-(same:Entity)
  RETURN same
}
MATCH (same)-[:IS_A]->(above:Entity)
WITH DISTINCT id, above
WITH id, above, COUNT { (above)<-[:IS_A]-(:Entity) } AS kinds
WHERE $fewest <= kinds <= $most
CALL (above) {
  RETURN above AS about
  UNION
  MATCH (above)-[:MEANS]->(:Concept)<-[:MEANS]-(about:Entity)
  RETURN about
}
MATCH (about)<-[:ABOUT]-(:Document)-[:HAS_SECTION]->(s:Section)
WHERE s.type IN $types
WITH id, about, kinds, count(s) AS sections, collect(DISTINCT s.type) AS types ORDER BY kinds, sections DESC, about.id
RETURN id AS entity, about.id AS wider, about.name AS name,
       coalesce([l IN labels(about) WHERE l <> 'Entity'][0], 'Entity') AS label, types
