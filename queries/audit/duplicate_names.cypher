// name: duplicate_names
// Different entities of one kind that one source calls by the same name; obsolete ones, and exact matches, are left out.
// :param source => ''
// :param examples => 5
// :param limit => 10000
// mends: give them one id, or names that tell them apart
// returns: severity, source, keys, what, count, examples
MATCH (s:Source)<-[f:FROM]-(e:Entity)
WITH s, e, CASE WHEN f.label IS NULL THEN e {.name, .obsolete} ELSE f {.name, .obsolete} END AS said,
     coalesce(f.label, [label IN labels(e) WHERE label <> 'Entity'][0], '') AS label
WHERE ($source = '' OR s.id = $source) AND NOT coalesce(said.obsolete, e.obsolete, false)
WITH s.id AS source, label, toLower(trim(coalesce(said.name, ''))) AS name, collect(DISTINCT e.id) AS ids
WHERE size(ids) > 1 AND name <> '' AND any(id IN ids WHERE NOT EXISTS {
  MATCH (:Entity {id: id})-[:EXACT_MATCH]-(other:Entity) WHERE other.id IN ids
})
RETURN 'warning' AS severity, source, [source, label, name] AS keys,
       toString(size(ids)) + ' entities :' + label + ' are called "' + name + '"' AS what, size(ids) AS count,
       COLLECT { UNWIND ids AS id RETURN id ORDER BY id LIMIT $examples } AS examples
ORDER BY count DESC, source, label, name LIMIT $limit
