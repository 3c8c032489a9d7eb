// name: count_unembedded
// How many chunks and questions have no vector of this encoder.
// :param model => 'all-MiniLM-L6-v2'
// returns: chunks, questions
CALL () {
  MATCH (c:Chunk)
  WHERE c.embedding_model IS NULL OR c.embedding_model <> $model
  RETURN count(*) AS chunks
}
CALL () {
  MATCH (q:Question)
  WHERE q.embedding_model IS NULL OR q.embedding_model <> $model
  RETURN count(*) AS questions
}
RETURN chunks, questions
