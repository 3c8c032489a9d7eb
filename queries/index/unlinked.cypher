// name: unlinked
// The next sections to link, in the order of their ids, with their chunks and what their documents are about.
// :param names => '1:abc'
// :param after => ''
// :param limit => 500
// returns: id, linked, text, title, type, called, chunks, focus, conditions, drugs
MATCH (s:Section)
WHERE s.id > $after AND s.chunked IS NOT NULL AND s.source <> 'graph' AND (s.linked IS NULL OR NOT s.linked STARTS WITH $names + ' ')
WITH s ORDER BY s.id LIMIT $limit
RETURN s.id AS id, s.linked AS linked, s.text AS text, s.title AS title, s.type AS type, [s.title] + coalesce(s.aliases, []) AS called,
       COLLECT { MATCH (s)-[:HAS_CHUNK]->(c) RETURN [c.id, c.start, c.end] ORDER BY c.start } AS chunks,
       COLLECT { MATCH (s)<-[:HAS_SECTION]-(:Document)-[:ABOUT]->(:Entity)-[:MEANS]->(c:Concept) RETURN DISTINCT c.cui AS cui ORDER BY cui } AS focus,
       COLLECT { MATCH (s)<-[:HAS_SECTION]-(:Document)-[:ABOUT]->(:Entity&Disease)-[:MEANS]->(c:Concept)
                 WHERE c:Disease|Symptom|Phenotype|SideEffect RETURN DISTINCT c.cui AS cui ORDER BY cui } AS conditions,
       COLLECT { MATCH (s)<-[:HAS_SECTION]-(:Document)-[:ABOUT]->(:Entity&Drug)-[:MEANS]->(c:Concept) RETURN DISTINCT c.cui AS cui ORDER BY cui } AS drugs
ORDER BY id
