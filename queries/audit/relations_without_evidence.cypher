// name: relations_without_evidence
// Relations between entities that rest on nothing that the source names.
// :param source => ''
// :param examples => 5
// mends: nothing, where the source gives none
// fault: MATCH ()-[r:IS_A]->() REMOVE r.evidence
// returns: severity, source, keys, what, count, examples
MATCH (a:Entity)-[r]->(b:Entity)
WHERE $source = '' OR r.source = $source
WITH coalesce(r.source, '') AS source, type(r) AS type, count(*) AS total,
     sum(CASE WHEN size(coalesce(r.evidence, [])) = 0 THEN 1 ELSE 0 END) AS count
WHERE count > 0
CALL (source, type) {
  MATCH (a:Entity)-[r]->(b:Entity)
  WHERE type(r) = type AND coalesce(r.source, '') = source AND size(coalesce(r.evidence, [])) = 0
  WITH a, b LIMIT $examples
  RETURN collect(a.id + ' ' + type + ' ' + b.id) AS examples
}
RETURN 'note' AS severity, source, [source, type] AS keys,
       toString(count) + ' of ' + toString(total) + ' relations ' + type + ' name no evidence' AS what, count, examples
ORDER BY source, type
