// name: nearest
// Chunks nearest to a vector: the quantised index gives many near ones, and their vectors in full precision say which are
// the nearest.
// :param vector => [0.1, 0.2]
// :param wide => 100
// :param limit => 10
// returns: chunk, section, cosine
CYPHER 25
MATCH (c)
SEARCH c IN (VECTOR INDEX chunk_embedding FOR $vector LIMIT $wide)
WITH c, c.embedding AS vector
WHERE size(vector) = size($vector)
WITH c, 2 * vector.similarity.cosine(vector, $vector) - 1 AS cosine ORDER BY cosine DESC, c.id LIMIT $limit
MATCH (s:Section)-[:HAS_CHUNK]->(c)
RETURN c.id AS chunk, s.id AS section, cosine
ORDER BY cosine DESC, chunk
