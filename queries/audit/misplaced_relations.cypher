// name: misplaced_relations
// Relations between kinds of entities that they do not hold between; inverted where they would hold the other way round.
// :param ends => [{type: 'HAS_SYMPTOM', subjects: ['Disease'], objects: ['Symptom', 'Phenotype', 'Disease']}]
// :param source => ''
// :param examples => 5
// mends: turn the relation round in the source or its loader, or correct the kind of its entities
// returns: severity, source, keys, what, count, examples
MATCH (a:Entity)-[r]->(b:Entity)
WHERE $source = '' OR r.source = $source
WITH type(r) AS type, labels(a) AS subject, labels(b) AS object, coalesce(r.source, '') AS source, count(*) AS count
UNWIND [rule IN $ends WHERE rule.type = type] AS rule
WITH *, [label IN subject WHERE label <> 'Entity'] AS subjects, [label IN object WHERE label <> 'Entity'] AS objects
WHERE subjects <> [] AND objects <> [] AND none(label IN subjects + objects WHERE label IN ['Topic', 'Stub'])
WITH *, any(label IN subjects WHERE label IN rule.subjects) AS starts, any(label IN objects WHERE label IN rule.objects) AS ends,
     any(label IN objects WHERE label IN rule.subjects) AND any(label IN subjects WHERE label IN rule.objects) AS inverted
WHERE NOT (starts AND ends)
CALL (type, subject, object, source) {
  MATCH (a:Entity)-[r]->(b:Entity)
  WHERE type(r) = type AND coalesce(r.source, '') = source AND labels(a) = subject AND labels(b) = object
  WITH a, b LIMIT $examples
  RETURN collect(a.id + ' ' + coalesce(a.name, '') + ' ' + type + ' ' + b.id + ' ' + coalesce(b.name, '')) AS examples
}
WITH *, subjects[0] + ' ' + type + ' ' + objects[0] AS shape
RETURN CASE WHEN inverted THEN 'error' ELSE 'warning' END AS severity, source, [shape, source] AS keys,
       shape + CASE WHEN inverted THEN ' stands the wrong way round' ELSE ' joins what it cannot join' END AS what, count, examples
ORDER BY shape, source
