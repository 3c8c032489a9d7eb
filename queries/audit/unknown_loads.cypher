// name: unknown_loads
// Statements of a source that name no load of it, so that nobody can tell when they came, and from which file.
// :param source => ''
// :param examples => 5
// mends: load the source again
// fault: MATCH (:Document)-[f:FROM]->() SET f.load = 8
// returns: severity, source, keys, what, count, examples
CALL () {
  MATCH (l:Load)
  RETURN collect(l.id) AS loads
}
MATCH (s:Source)<-[f:FROM]-(n:Entity|Document)
WHERE ($source = '' OR s.id = $source) AND (f.load IS NULL OR NOT f.load IN loads)
WITH s.id AS source, CASE WHEN n:Entity THEN 'Entity' ELSE 'Document' END AS label, n.id AS id ORDER BY id
WITH source, label, count(*) AS count, collect(id)[..$examples] AS examples
RETURN 'warning' AS severity, source, [source, label] AS keys,
       'nodes :' + label + ' whose load is not recorded' AS what, count, examples
