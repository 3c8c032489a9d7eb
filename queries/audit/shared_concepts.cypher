// name: shared_concepts
// Concepts that several entities of one source claim: those that many do are too broad, and join what should be apart.
// :param many => 5
// :param source => ''
// :param examples => 5
// mends: take the concept away from the entities that it is too broad for
// returns: severity, source, keys, what, count, examples
MATCH (e:Entity)-[h:HAS_CUI]->(c:Concept)
WHERE ($source = '' OR h.source = $source) AND NOT coalesce(e.obsolete, false)
WITH coalesce(h.source, '') AS source, c.cui AS cui, count(DISTINCT e) AS claims, min(coalesce(e.name, e.id)) AS first, max(coalesce(e.name, e.id)) AS last
WHERE claims > 1
WITH source, claims >= $many AS broad, cui + ': ' + toString(claims) + ' entities, ' + first + ' to ' + last AS example
ORDER BY claims DESC, cui
WITH source, broad, count(*) AS count, collect(example)[..$examples] AS examples
RETURN CASE WHEN broad THEN 'warning' ELSE 'note' END AS severity, source,
       [source, CASE WHEN broad THEN 'many' ELSE 'few' END] AS keys,
       'concepts that ' + CASE WHEN broad THEN toString($many) + ' or more' ELSE 'fewer than ' + toString($many) END
         + ' entities claim' AS what, count, examples
ORDER BY source, severity
