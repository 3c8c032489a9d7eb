// name: duplicate_names
// Different entities of one kind that one source calls by the same name; obsolete ones are left out.
// :param source => ''
// :param examples => 5
// :param limit => 10000
// mends: give them one id, or names that tell them apart
// returns: severity, source, keys, what, count, examples
MATCH (s:Source)<-[f:FROM]-(e:Entity)
WITH s, e, CASE WHEN f.name IS NULL THEN e {.name, .obsolete} ELSE f {.name, .obsolete} END AS said,
     coalesce(f.label, [label IN labels(e) WHERE label <> 'Entity'][0], '') AS label
WHERE ($source = '' OR s.id = $source) AND NOT coalesce(said.obsolete, false)
WITH s.id AS source, label, toLower(trim(coalesce(said.name, ''))) AS name, collect(DISTINCT e.id) AS ids
WHERE size(ids) > 1 AND name <> ''
RETURN 'warning' AS severity, source, [source, label, name] AS keys,
       toString(size(ids)) + ' entities :' + label + ' are called "' + name + '"' AS what, size(ids) AS count,
       COLLECT { UNWIND ids AS id RETURN id ORDER BY id LIMIT $examples } AS examples
ORDER BY count DESC, source, label, name LIMIT $limit
