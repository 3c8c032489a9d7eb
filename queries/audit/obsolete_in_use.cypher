// name: obsolete_in_use
// Relations and documents that point to an entity which its source has given up.
// :param source => ''
// :param examples => 5
// mends: point them to what replaced it
// returns: severity, source, keys, what, count, examples
MATCH (b:Entity)
WHERE b.obsolete
MATCH (a:Entity|Document)-[r]->(b)
WHERE ($source = '' OR r.source = $source) AND NOT coalesce(a.obsolete, false) AND NOT type(r) ENDS WITH '_MATCH'
WITH coalesce(r.source, '') AS source, type(r) AS type,
     a.id + ' ' + type(r) + ' ' + b.id + ' ' + coalesce(b.name, '')
       + CASE size(coalesce(b.replaced_by, [])) WHEN 0 THEN '' ELSE ' (now ' + b.replaced_by[0] + ')' END AS example
ORDER BY example
WITH source, type, count(*) AS count, collect(example)[..$examples] AS examples
RETURN 'warning' AS severity, source, [source, type] AS keys, 'relations ' + type + ' to obsolete entities' AS what, count, examples
ORDER BY source, type
