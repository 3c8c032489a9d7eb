// name: sections_about
// Sections of documents about some entities, about others that stand for the same concepts, or about topics whose titles
// name these, in this order; of one type, if given.
// :param entities => ['medquad:asthma']
// :param type => 'symptoms'
// :param filtered => false
// :param sources => []
// :param collections => []
// :param types => []
// :param since => ''
// :param until => '9999'
// :param within => null
// :param limit => 20
// returns: section, entity
UNWIND $entities AS id
MATCH (e:Entity {id: id})
CALL (e) {
  RETURN e AS about, 0 AS far
  UNION
  MATCH (e)-[:HAS_CUI]->(:Concept)<-[:HAS_CUI]-(about:Entity)
  RETURN about, 1 AS far
  UNION
  MATCH (e)-[:MEANS]->(:Concept)<-[:MEANS]-(about:Entity)
  RETURN about, 1 AS far
  UNION
  MATCH (e)-[:MEANS]->(:Concept)<-[:ABOUT_CONCEPT]-(about:Entity&Topic)
  RETURN about, 2 AS far
}
WITH e, id, about, min(far) AS far
MATCH (about)<-[:ABOUT]-(:Document)-[:HAS_SECTION]->(s:Section)
WHERE ($type = '' OR s.type = $type)
  AND (NOT $filtered
       OR (($within IS NULL OR s.id IN $within)
           AND s.source IN $sources AND s.collection IN $collections AND s.type IN $types
           AND s.published >= $since AND s.published <= $until))
WITH s.id AS section, id AS entity, s.position AS position, min(far) AS far
ORDER BY far, position, section LIMIT $limit
RETURN section, entity
