// name: lonely_entities
// Entities that nothing is known about: no relation, no document, no concept; obsolete ones are left out.
// :param source => ''
// :param examples => 5
// returns: severity, source, keys, what, count, examples
MATCH (s:Source)<-[:FROM]-(e:Entity)
WHERE ($source = '' OR s.id = $source) AND NOT coalesce(e.obsolete, false)
  AND NOT EXISTS { (e)--(:Entity|Document|Concept) }
WITH s.id AS source, coalesce([label IN labels(e) WHERE label <> 'Entity'][0], '') AS label, e ORDER BY e.id
RETURN 'note' AS severity, source, [source, label] AS keys,
       'entities :' + label + ' without a relation, document or concept' AS what,
       count(*) AS count, collect(e.id + ': ' + coalesce(e.name, ''))[..$examples] AS examples
