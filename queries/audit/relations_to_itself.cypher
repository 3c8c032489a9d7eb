// name: relations_to_itself
// Entities with a relation to themselves.
// :param source => ''
// :param examples => 5
// mends: take them out of the source
// fault: MATCH (a:Symptom) CREATE (a)-[:IS_A {source: 's'}]->(a)
// returns: severity, source, keys, what, count, examples
MATCH (a:Entity)-[r]->(a)
WHERE $source = '' OR r.source = $source
WITH coalesce(r.source, '') AS source, type(r) AS type, a ORDER BY a.id
WITH source, type, count(*) AS count, collect(a.id + ': ' + coalesce(a.name, ''))[..$examples] AS examples
RETURN CASE type WHEN 'IS_A' THEN 'error' ELSE 'warning' END AS severity, source, [source, type] AS keys,
       'entities with the relation ' + type + ' to themselves' AS what, count, examples
ORDER BY source, type
