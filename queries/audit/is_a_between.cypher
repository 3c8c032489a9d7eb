// name: is_a_between
// The kind-of relations between some entities, which are given by the numbers that the server gives nodes.
// :param nodes => [1, 2]
// :param source => ''
// returns: child, child_name, parent, parent_name, source
CYPHER 5
MATCH (a:Entity)
WHERE id(a) IN $nodes
MATCH (a)-[r:IS_A]->(b:Entity)
WHERE id(b) IN $nodes AND ($source = '' OR r.source = $source)
RETURN a.id AS child, coalesce(a.name, a.id) AS child_name, b.id AS parent, coalesce(b.name, b.id) AS parent_name, r.source AS source
ORDER BY child, parent, source
