// name: is_a_members
// The ids of entities that are given by the numbers that the server gives nodes.
// :param nodes => [1, 2]
// returns: id
CYPHER 5
MATCH (e:Entity)
WHERE id(e) IN $nodes
RETURN e.id AS id
ORDER BY id
