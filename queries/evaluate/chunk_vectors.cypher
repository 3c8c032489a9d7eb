// name: chunk_vectors
// Chunks that have a vector, with the section that each is part of.
// :param after => ''
// :param limit => 1000
// returns: id, section, vector
MATCH (s:Section)-[:HAS_CHUNK]->(c:Chunk)
WHERE c.id > $after AND c.embedding IS NOT NULL AND c.source <> 'graph'
RETURN c.id AS id, s.id AS section, c.embedding AS vector
ORDER BY id LIMIT $limit
