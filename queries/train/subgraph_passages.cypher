// name: subgraph_passages
// What relations tell, passage by passage, with the concept and the kind that each is about.
// :param after => ''
// :param limit => 1000
// returns: id, document, section, kind, concept, title, question, text
MATCH (d:Document {source: 'graph'})-[:HAS_SECTION]->(s:Section)-[:HAS_CHUNK]->(c:Chunk)
WHERE c.id > $after
RETURN c.id AS id, d.id AS document, s.id AS section, s.type AS kind,
       substring(d.id, size('graph:'), size(d.id) - size('graph:') - size(split(d.id, '/')[-1]) - 1) AS concept,
       d.title AS title, CASE WHEN s.question <> '' THEN s.question ELSE coalesce(s.heading, '') END AS question,
       c.text AS text
ORDER BY id LIMIT $limit
