// name: clear_embeddings
// Forgets every vector, for another encoder.
// returns:
MATCH (n:Chunk|Question|Section)
WHERE n.embedding_model IS NOT NULL OR n.sentence_model IS NOT NULL
CALL (n) {
  REMOVE n.embedding, n.embedding_model, n.sentence_model, n.sentence_vectors
} IN TRANSACTIONS OF 2000 ROWS
