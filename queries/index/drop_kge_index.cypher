// name: drop_kge_index
// Drops the vector index of concepts, for a model of another dimension.
// returns:
DROP INDEX concept_kge IF EXISTS
