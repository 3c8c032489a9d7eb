// name: evidence_about
// How many sections of each type there are about some entities, or about others that mean the same.
// :param entities => ["sample:gout"]
// :param filtered => false
// :param sources => []
// :param collections => []
// :param types => []
// :param since => ''
// :param until => '9999'
// :param within => null
// returns: entity, type, sections
UNWIND $entities AS id
MATCH (e:Entity {id: id})
CALL (e) {
  RETURN e AS about
  UNION
  MATCH (e)-[:MEANS]->(:Concept)<-[:MEANS]-(about:Entity)
  RETURN about
}
MATCH (about)<-[:ABOUT]-(:Document)-[:HAS_SECTION]->(s:Section)
WHERE NOT $filtered
   OR (($within IS NULL OR s.id IN $within)
       AND s.source IN $sources AND s.collection IN $collections AND s.type IN $types
       AND s.published >= $since AND s.published <= $until)
RETURN id AS entity, coalesce(s.type, '') AS type, count(DISTINCT s) AS sections
ORDER BY entity, sections DESC, type
