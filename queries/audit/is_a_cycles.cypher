// name: is_a_cycles
// What is a kind of what, by the numbers that the server gives nodes: rings are looked for in it, entities that are kinds of
// themselves by way of others.
// :param source => ''
// returns: child, parents
CYPHER 5
MATCH (a:Entity)
WHERE EXISTS { (a)-[r:IS_A]->(:Entity) WHERE $source = '' OR r.source = $source }
RETURN id(a) AS child, COLLECT {
  MATCH (a)-[r:IS_A]->(b:Entity)
  WHERE $source = '' OR r.source = $source
  RETURN id(b)
} AS parents
