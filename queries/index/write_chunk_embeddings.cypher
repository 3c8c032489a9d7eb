// name: write_chunk_embeddings
// Stores the vectors of chunks, in half the room that a list takes.
// :param rows => [{id: 'abc', vector: [0.1, 0.2]}]
// :param model => 'all-MiniLM-L6-v2'
// returns:
CYPHER 25
UNWIND $rows AS row
MATCH (c:Chunk {id: row.id})
SET c.embedding_model = $model
WITH c, row
CALL db.create.setNodeVectorProperty(c, 'embedding', row.vector)
