// name: undesigned_relations
// Relations that the design of the graph does not know, by the labels of their ends.
// :param design => [['Document', 'HAS_SECTION', 'Section']]
// :param source => ''
// :param examples => 5
// mends: delete them in Neo4j Browser
// returns: severity, source, keys, what, count, examples
MATCH (a)-[r]->(b)
WHERE $source = '' OR r.source = $source
WITH CASE WHEN a:Entity THEN 'Entity' WHEN a:Concept THEN 'Concept' ELSE coalesce(labels(a)[0], 'none') END AS start, type(r) AS type,
     CASE WHEN b:Entity THEN 'Entity' WHEN b:Concept THEN 'Concept' ELSE coalesce(labels(b)[0], 'none') END AS end, count(*) AS count
WHERE NOT [start, type, end] IN $design
CALL (start, type, end) {
  MATCH (a)-[r]->(b)
  WHERE type(r) = type AND ($source = '' OR r.source = $source)
    AND (start IN labels(a) OR (start = 'none' AND labels(a) = [])) AND (end IN labels(b) OR (end = 'none' AND labels(b) = []))
  WITH a, b LIMIT $examples
  RETURN collect(coalesce(a.id, '?') + ' ' + type + ' ' + coalesce(b.id, b.cui, '?')) AS examples
}
RETURN 'error' AS severity, $source AS source, [start, type, end] AS keys,
       'relations ' + type + ' from :' + start + ' to :' + end + ', which the graph does not have by design' AS what, count, examples
ORDER BY start, type, end
