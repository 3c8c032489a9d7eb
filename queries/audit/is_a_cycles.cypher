// name: is_a_cycles
// What is a kind of what, by the numbers that the server gives nodes: rings are looked for in it, entities that are kinds of
// themselves by way of others.
// :param source => ''
// returns: child, parent
CYPHER 5
MATCH (a)-[r:IS_A]->(b)
WHERE $source = '' OR r.source = $source
RETURN id(a) AS child, id(b) AS parent
