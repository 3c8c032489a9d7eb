// name: several_concepts
// Entities that stand for more than one concept, of which one is probably meant.
// :param source => ''
// :param examples => 5
// mends: leave the concept that means the same, and make the others relations
// returns: severity, source, keys, what, count, examples
MATCH (e:Entity)-[h:HAS_CUI]->(c:Concept)
WHERE ($source = '' OR h.source = $source) AND NOT coalesce(e.obsolete, false)
WITH coalesce(h.source, '') AS source, e, count(DISTINCT c) AS concepts, min(c.cui) AS first, max(c.cui) AS last
WHERE concepts > 1
WITH source, e.id + ': ' + coalesce(e.name, '') + ' (' + toString(concepts) + ', ' + first + ' to ' + last + ')' AS example
ORDER BY concepts DESC, e.id
RETURN 'note' AS severity, source, [source] AS keys, 'entities with more than one concept' AS what, count(*) AS count,
       collect(example)[..$examples] AS examples
