// name: told_vectors
// Vectors of what relations tell, with the document that each is part of.
// :param model => 'all-MiniLM-L6-v2'
// :param after => ''
// :param limit => 1000
// returns: id, document, vector
MATCH (c:Chunk)
WHERE c.id > $after AND c.source = 'graph' AND c.embedding_model = $model
WITH c ORDER BY c.id LIMIT $limit
MATCH (c)<-[:HAS_CHUNK]-(:Section)<-[:HAS_SECTION]-(d:Document)
RETURN c.id AS id, d.id AS document, c.embedding AS vector
ORDER BY id
