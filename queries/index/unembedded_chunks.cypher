// name: unembedded_chunks
// The next chunks to embed, in the order of their ids, with what stands before them when they are embedded.
// :param model => 'all-MiniLM-L6-v2'
// :param after => ''
// :param limit => 1000
// returns: id, title, question, text
MATCH (c:Chunk)
WHERE c.id > $after AND (c.embedding_model IS NULL OR c.embedding_model <> $model)
WITH c ORDER BY c.id LIMIT $limit
MATCH (s:Section)-[:HAS_CHUNK]->(c)
RETURN c.id AS id, s.title AS title, CASE WHEN s.question <> '' THEN s.question ELSE coalesce(s.heading, '') END AS question,
       c.text AS text
ORDER BY id
