// name: nodes_without_source
// Entities and documents that no source states, and sections, chunks and questions of a source that the graph does not know.
// :param source => ''
// :param examples => 5
// mends: load the source that states them, or `medgraph unload` what is left of it
// returns: severity, source, keys, what, count, examples
MATCH (s:Source)
WITH collect(s.id) AS known
CALL (known) {
  MATCH (n:Entity|Document)
  WHERE $source = '' AND NOT EXISTS { (n)-[:FROM]->(:Source) } AND NOT (n:Stub AND EXISTS { (n)--(:Entity) })
  RETURN n, '' AS source
  UNION ALL
  MATCH (n:Section|Chunk|Question)
  WHERE ($source = '' OR n.source = $source) AND NOT coalesce(n.source, '') IN known
  RETURN n, coalesce(n.source, '') AS source
}
WITH n, source, CASE WHEN n:Entity THEN 'Entity' ELSE labels(n)[0] END AS label ORDER BY n.id
WITH source, label, count(*) AS count, collect(n.id)[..$examples] AS examples
RETURN 'error' AS severity, source, [label, source] AS keys,
       'nodes :' + label + ' without a source' + CASE source WHEN '' THEN '' ELSE ' (they name ' + source + ')' END AS what,
       count, examples
