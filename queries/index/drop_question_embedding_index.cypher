// name: drop_question_embedding_index
// Drops the vector index of questions, for an encoder of another dimension.
// returns:
DROP INDEX question_embedding IF EXISTS
