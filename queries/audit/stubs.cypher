// name: stubs
// Entities that no source names: others point to them, or add to them, by who does.
// :param source => ''
// :param examples => 5
// mends: load the source that names them
// returns: severity, source, keys, what, count, examples
MATCH (e:Stub)
CALL (e) {
  MATCH (e)-[r]-(:Entity) RETURN r.source AS source
  UNION
  MATCH (e)-[:FROM]->(s:Source) RETURN s.id AS source
}
WITH coalesce(source, '') AS source, e ORDER BY e.id
WHERE $source = '' OR source = $source
WITH source, split(e.id, ':')[0] AS prefix, count(DISTINCT e) AS count, collect(DISTINCT e.id)[..$examples] AS examples
RETURN 'note' AS severity, source, [source, prefix] AS keys,
       'entities of the prefix ' + prefix + ' that no source names' AS what, count, examples
ORDER BY source, count DESC, prefix
