// name: shared_by_two
// What two diseases have in common: kinds above them and concepts.
// :param first => 'Type 1 diabetes'
// :param second => 'Type 2 diabetes'
// returns: shared, by, id
MATCH (a:Disease {name: $first})
MATCH (b:Disease {name: $second})
CALL (a, b) {
  MATCH (a)-[:IS_A*1..6]->(kind:Entity)<-[:IS_A*1..6]-(b)
  RETURN DISTINCT coalesce(kind.name, kind.id) AS shared, 'kind' AS by, kind.id AS id
  UNION
  MATCH (a)-[:HAS_CUI]->(c:Concept)<-[:HAS_CUI]-(b)
  RETURN DISTINCT c.name AS shared, 'concept' AS by, c.cui AS id
}
RETURN DISTINCT shared, by, id
ORDER BY by, shared
