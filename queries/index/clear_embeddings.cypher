// name: clear_embeddings
// Forgets every vector, for another encoder.
// returns:
MATCH (n:Chunk|Question)
WHERE n.embedding_model IS NOT NULL
CALL (n) {
  REMOVE n.embedding, n.embedding_model
} IN TRANSACTIONS OF 2000 ROWS
