// name: drop_vector_indexes
// Drops the vector index over chunks, for another encoder.
// returns:
DROP INDEX chunk_embedding IF EXISTS
