// name: made_pairs
// Questions that medgraph made of what relations tell, with what their documents say first.
// :param after => ''
// :param limit => 1000
// returns: id, asked, kind, concept, title, question, text
MATCH (q:Question {generated: true})-[:ANSWERED_AT]->(d:Document {source: 'graph'})
WHERE q.id > $after
WITH q, d ORDER BY q.id LIMIT $limit
MATCH (d)-[:HAS_SECTION]->(s:Section {position: 1})
RETURN q.id AS id, q.text AS asked, s.type AS kind,
       substring(d.id, size('graph:'), size(d.id) - size('graph:') - size(split(d.id, '/')[-1]) - 1) AS concept,
       d.title AS title, CASE WHEN s.question <> '' THEN s.question ELSE coalesce(s.heading, '') END AS question,
       COLLECT { MATCH (s)-[:HAS_CHUNK]->(c:Chunk) RETURN c.text ORDER BY c.position LIMIT 1 }[0] AS text
ORDER BY id
