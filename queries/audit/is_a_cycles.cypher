// name: is_a_cycles
// What is a kind of what, by the numbers that the server gives nodes: rings are looked for in it, entities that are kinds of
// themselves by way of others. A few thousand relations a row, since rows cost more than numbers.
// :param source => ''
// mends: take out the relation of the ring that is wrong
// returns: children, parents
CYPHER 5
MATCH (a)-[r:IS_A]->(b)
WHERE $source = '' OR r.source = $source
WITH id(a) / 10000 AS part, collect(id(a)) AS children, collect(id(b)) AS parents
RETURN children, parents
