// name: drop_chunk_embedding_index
// Drops the vector index of chunks, for an encoder of another dimension.
// returns:
DROP INDEX chunk_embedding IF EXISTS
