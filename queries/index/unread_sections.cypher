// name: unread_sections
// The next sections that a model has not read for relations, of a source or all, in the order of their ids, with what their documents are about.
// :param by => 'openai:big@abc'
// :param source => ''
// :param after => ''
// :param limit => 500
// returns: id, text, title, heading, type, focus, about
MATCH (s:Section)
WHERE s.id > $after AND s.chunked IS NOT NULL AND s.source <> 'graph' AND $source IN ['', s.source] AND NOT $by IN coalesce(s.read_by, [])
WITH s ORDER BY s.id LIMIT $limit
MATCH (s)<-[:HAS_SECTION]-(d:Document)
RETURN s.id AS id, s.text AS text, s.title AS title, coalesce(nullIf(s.question, ''), s.heading, '') AS heading, s.type AS type,
       COLLECT { MATCH (d)-[:ABOUT]->(:Entity)-[:MEANS]->(c:Concept) RETURN DISTINCT c.cui AS cui ORDER BY cui } AS focus,
       COLLECT { MATCH (d)-[:ABOUT]->(e:Entity)-[:MEANS]->(c:Concept)
                 RETURN {entity: e.id, concept: c.cui, label: [l IN labels(e) WHERE l <> 'Entity'][0],
                         names: [e.name] + coalesce(e.synonyms, [])[..40] + coalesce(s.aliases, [])} AS one ORDER BY e.id } AS about
ORDER BY id
