// name: chunk_passages
// Chunks that have a vector, with their text and the document and section that each is part of.
// :param after => ''
// :param limit => 1000
// returns: id, section, title, text, vector
MATCH (d:Document)-[:HAS_SECTION]->(s:Section)-[:HAS_CHUNK]->(c:Chunk)
WHERE c.id > $after AND c.embedding IS NOT NULL AND c.source <> 'graph'
RETURN c.id AS id, s.id AS section, d.title AS title, c.text AS text, c.embedding AS vector
ORDER BY id LIMIT $limit
