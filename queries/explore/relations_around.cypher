// name: relations_around
// How an entity is related to others: each kind of relation in each direction, how often, and who says so.
// :param name => 'Type 2 diabetes'
// returns: relation, direction, count, examples, sources
MATCH (e:Entity)-[r]-(o:Entity)
WHERE e.name IN [$name, toLower($name), toUpper($name), toUpper(left($name, 1)) + toLower(substring($name, 1))]
WITH type(r) AS relation, CASE startNode(r) WHEN e THEN 'out' ELSE 'in' END AS direction, r, o ORDER BY coalesce(o.name, o.id)
RETURN relation, direction, count(DISTINCT o) AS count, collect(DISTINCT coalesce(o.name, o.id))[..5] AS examples,
       collect(DISTINCT r.source) AS sources
ORDER BY direction DESC, count DESC, relation
