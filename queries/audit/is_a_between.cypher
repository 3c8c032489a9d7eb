// name: is_a_between
// Which sources say that each entity of a row is a kind of the next; they are given by the numbers that the server gives nodes.
// :param nodes => [1, 2, 1]
// :param source => ''
// returns: child, name, parent, source
CYPHER 5
UNWIND range(0, size($nodes) - 2) AS i
MATCH (a:Entity), (b:Entity)
WHERE id(a) = $nodes[i] AND id(b) = $nodes[i + 1]
RETURN a.id AS child, coalesce(a.name, a.id) AS name, b.id AS parent, COLLECT {
  MATCH (a)-[r:IS_A]->(b)
  WHERE $source = '' OR r.source = $source
  RETURN DISTINCT coalesce(r.source, '') AS source ORDER BY source
}[0] AS source
ORDER BY i
