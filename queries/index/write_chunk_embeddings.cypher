// name: write_chunk_embeddings
// Stores the vectors of chunks, in half the room that a list takes; without a vector, that of a chunk which says the same.
// :param rows => [{id: 'abc', vector: [0.1, 0.2], twin: null}]
// :param model => 'all-MiniLM-L6-v2'
// returns:
CYPHER 25
UNWIND $rows AS row
MATCH (c:Chunk {id: row.id})
OPTIONAL MATCH (twin:Chunk {id: row.twin}) WHERE twin.embedding_model = $model
WITH c, coalesce(row.vector, twin.embedding) AS vector WHERE vector IS NOT NULL
SET c.embedding_model = $model
WITH c, vector
CALL db.create.setNodeVectorProperty(c, 'embedding', vector)
