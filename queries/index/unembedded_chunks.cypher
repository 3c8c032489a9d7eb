// name: unembedded_chunks
// The next chunks to embed, in the order of their ids, with what stands before them when they are embedded,
// and one that has the vector already, because another label says the same.
// :param model => 'all-MiniLM-L6-v2'
// :param after => ''
// :param limit => 1000
// returns: id, title, question, text, twin
MATCH (c:Chunk)
WHERE c.id > $after AND (c.embedding_model IS NULL OR c.embedding_model <> $model)
WITH c ORDER BY c.id LIMIT $limit
MATCH (s:Section)-[:HAS_CHUNK]->(c)
RETURN c.id AS id, s.title AS title, CASE WHEN s.question <> '' THEN s.question ELSE coalesce(s.heading, '') END AS question,
       c.text AS text,
       COLLECT { MATCH (t:Section {voice: s.voice})-[:HAS_CHUNK]->(same:Chunk {position: c.position})
                 WHERE same.embedding_model = $model AND same.text = c.text AND t.title = s.title
                   AND coalesce(t.question, '') = coalesce(s.question, '') AND coalesce(t.heading, '') = coalesce(s.heading, '')
                 RETURN same.id LIMIT 1 }[0] AS twin
ORDER BY id
