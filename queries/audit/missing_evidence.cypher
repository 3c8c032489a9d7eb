// name: missing_evidence
// Relations that rest on a section or document of a source in the graph, which is not there.
// :param source => ''
// :param examples => 5
// mends: load the source with the sections that it names
// fault: MATCH ()-[r:IS_A]->() SET r.evidence = ['s:d#9']
// returns: severity, source, keys, what, count, examples
MATCH (s:Source)
WITH collect(s.id) AS known
MATCH (a:Entity)-[r]->(b:Entity)
WHERE ($source = '' OR r.source = $source) AND r.evidence IS NOT NULL
UNWIND r.evidence AS id
WITH r, a, b, id
WHERE split(id, ':')[0] IN known AND NOT EXISTS { (:Section {id: id}) } AND NOT EXISTS { (:Document {id: id}) }
WITH coalesce(r.source, '') AS source, a.id + ' ' + type(r) + ' ' + b.id + ' (' + id + ')' AS example ORDER BY example
WITH source, count(*) AS count, collect(example)[..$examples] AS examples
RETURN 'error' AS severity, source, [source] AS keys, 'relations whose evidence is not in the graph' AS what, count, examples
