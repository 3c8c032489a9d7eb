// name: last_load
// The newest load of a source with what was recorded of both, and how much of it is in the graph now.
// :param source => 'medquad'
// returns: id, status, sha256, reading, medgraph, loader, recorded, replaced, records, lacking, facts, elements
MATCH (s:Source {id: $source})<-[:FROM]-(l:Load)
WHERE l.status <> 'undone'
WITH s, l ORDER BY l.id DESC LIMIT 1
RETURN l.id AS id, l.status AS status, l.sha256 AS sha256, coalesce(l.reading, '') AS reading, l.medgraph AS medgraph, l.loader AS loader, l.elements AS recorded,
       coalesce(l.replace, false) AS replaced,
       l.position - l.rejected - l.remarks AS records,
       CASE size(coalesce(l.lacked, [])) WHEN 0 THEN 0 ELSE l.rejected END AS lacking,
       s {.id, .title, .version, .licence, .url, .citation, .rank, .prefixes, .namespaces, .released, .table} AS facts,
       reduce(sum = 0, of IN COLLECT { MATCH (p:Source) WHERE p.id = s.id OR p.part_of = s.id RETURN COUNT { (p)<-[:FROM]-(:Document|Entity) } } | sum + of) AS elements
