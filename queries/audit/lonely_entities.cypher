// name: lonely_entities
// Entities that nothing is known about: no relation, no document, no concept; obsolete ones are left out.
// :param source => ''
// :param examples => 5
// mends: nothing, where more is to come; else unload them
// returns: severity, source, keys, what, count, examples
MATCH (s:Source)<-[:FROM]-(e:Entity)
WHERE ($source = '' OR s.id = $source) AND NOT coalesce(e.obsolete, false)
WITH s.id AS source, e, EXISTS { (e)--(:Entity|Document|Concept) } AS known ORDER BY e.id
WITH source, count(*) AS total, sum(CASE WHEN known THEN 0 ELSE 1 END) AS count,
     collect(CASE WHEN NOT known THEN e.id + ': ' + coalesce(e.name, '') END)[..$examples] AS examples
WHERE count > 0
RETURN 'note' AS severity, source, [source] AS keys,
       toString(count) + ' of ' + toString(total) + ' entities have no relation, document or concept' AS what, count, examples
ORDER BY source
