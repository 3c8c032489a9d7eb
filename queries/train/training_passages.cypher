// name: training_passages
// Chunks of a source that have a vector, with what they are embedded with.
// :param source => 'medquad'
// :param after => ''
// :param limit => 1000
// returns: id, section, title, question, text, vector
MATCH (d:Document {source: $source})-[:HAS_SECTION]->(s:Section)-[:HAS_CHUNK]->(c:Chunk)
WHERE c.id > $after AND c.embedding IS NOT NULL
RETURN c.id AS id, s.id AS section, d.title AS title,
       CASE WHEN s.question <> '' THEN s.question ELSE coalesce(s.heading, '') END AS question, c.text AS text, c.embedding AS vector
ORDER BY id LIMIT $limit
