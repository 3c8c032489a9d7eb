// name: kinds_mixed
// Entities that are said to be a kind of, or the same as, something of quite another kind.
// :param kin => [['Disease', 'Symptom', 'Phenotype'], ['Drug', 'Chemical']]
// :param source => ''
// :param examples => 5
// mends: correct the kind of one of the two
// returns: severity, source, keys, what, count, examples
MATCH (a:Entity)-[r:IS_A|EXACT_MATCH]->(b:Entity)
WHERE $source = '' OR r.source = $source
WITH type(r) AS type, labels(a) AS subject, labels(b) AS object, coalesce(r.source, '') AS source, count(*) AS count
WITH *, [label IN subject WHERE label <> 'Entity'] AS subjects, [label IN object WHERE label <> 'Entity'] AS objects
WHERE subjects <> [] AND objects <> [] AND none(label IN subjects + objects WHERE label IN ['Topic', 'Stub'])
  AND none(label IN subjects WHERE label IN objects)
  AND none(group IN $kin WHERE any(label IN subjects WHERE label IN group) AND any(label IN objects WHERE label IN group))
CALL (type, subject, object, source) {
  MATCH (a:Entity)-[r]->(b:Entity)
  WHERE type(r) = type AND coalesce(r.source, '') = source AND labels(a) = subject AND labels(b) = object
  WITH a, b LIMIT $examples
  RETURN collect(a.id + ' ' + coalesce(a.name, '') + ' ' + type + ' ' + b.id + ' ' + coalesce(b.name, '')) AS examples
}
WITH *, subjects[0] + ' ' + type + ' ' + objects[0] AS shape
RETURN 'warning' AS severity, source, [shape, source] AS keys, shape + ' joins different kinds' AS what, count, examples
ORDER BY shape, source
