// name: relations_without_source
// Relations that name no source, or one that the graph does not know.
// :param source => ''
// :param examples => 5
// mends: load the source again, or delete the relations in Neo4j Browser
// returns: severity, source, keys, what, count, examples
MATCH (s:Source)
WITH collect(s.id) AS known
MATCH (a:Entity|Document)-[r]->(b:Entity|Concept)
WHERE NOT type(r) IN ['MEANS', 'ABOUT_CONCEPT'] AND ($source = '' OR r.source = $source) AND NOT coalesce(r.source, '') IN known
WITH coalesce(r.source, '') AS source, type(r) AS type, a.id AS start, coalesce(b.id, b.cui) AS end ORDER BY start, end
WITH source, type, count(*) AS count, collect(start + ' ' + type + ' ' + end)[..$examples] AS examples
RETURN 'error' AS severity, source, [type, source] AS keys,
       'relations ' + type + CASE source WHEN '' THEN ' without a source' ELSE ' of ' + source + ', a source not in the graph' END
         AS what,
       count, examples
