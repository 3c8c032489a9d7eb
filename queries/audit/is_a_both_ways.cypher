// name: is_a_both_ways
// Pairs of entities of which each is said to be a kind of the other.
// :param source => ''
// :param limit => 10000
// mends: decide which is the broader one, or make them one entity
// fault: MATCH (a)-[:IS_A]->(b) CREATE (b)-[:IS_A {source: 't'}]->(a)
// returns: severity, source, keys, what, count, examples
MATCH (a:Entity)-[r:IS_A]->(b:Entity)-[t:IS_A]->(a)
WHERE elementId(a) < elementId(b) AND ($source = '' OR $source IN [r.source, t.source])
WITH a, b, collect(DISTINCT r.source) + collect(DISTINCT t.source) AS sources
WITH CASE WHEN a.id < b.id THEN [a, b] ELSE [b, a] END AS pair, sources
RETURN 'error' AS severity, coalesce(sources[0], '') AS source, [pair[0].id, pair[1].id] AS keys,
       coalesce(pair[0].name, pair[0].id) + ' and ' + coalesce(pair[1].name, pair[1].id) + ' are each a kind of the other' AS what,
       2 AS count, [pair[0].id + ' IS_A ' + pair[1].id, pair[1].id + ' IS_A ' + pair[0].id] AS examples
ORDER BY keys LIMIT $limit
