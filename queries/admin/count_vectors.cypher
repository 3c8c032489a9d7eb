// name: count_vectors
// What there is to search, and what vector search silently leaves out: sections without chunks or of another cut, chunks and
// questions without a vector of the model, and vectors of another length than the index takes; and sections cut into chunks
// whose sentences have no vectors, which answers then encode.
// :param cut => '1:all-MiniLM-L6-v2:256'
// :param model => 'all-MiniLM-L6-v2'
// :param dimension => 384
// :param sentences => '1:all-MiniLM-L6-v2'
// returns: documents, sections, chunks, questions, uncut, unembedded_chunks, unembedded_questions, unembedded_sections, misfits
CALL () { MATCH (d:Document) RETURN count(*) AS documents }
CALL () { MATCH (s:Section) RETURN count(*) AS sections }
CALL () { MATCH (c:Chunk) RETURN count(*) AS chunks }
CALL () { MATCH (q:Question) RETURN count(*) AS questions }
CALL () {
  MATCH (s:Section)
  WHERE s.chunked IS NULL OR ($cut <> '' AND s.chunked <> $cut)
  RETURN count(*) AS uncut
}
CALL () {
  MATCH (c:Chunk)
  WHERE c.embedding IS NULL OR c.embedding_model IS NULL OR c.embedding_model <> $model
  RETURN count(*) AS unembedded_chunks
}
CALL () {
  MATCH (q:Question)
  WHERE q.embedding IS NULL OR q.embedding_model IS NULL OR q.embedding_model <> $model
  RETURN count(*) AS unembedded_questions
}
CALL () {
  MATCH (n:Chunk|Question)
  WHERE n.embedding IS NOT NULL AND size(n.embedding) <> $dimension
  RETURN count(*) AS misfits
}
CALL () {
  MATCH (s:Section)
  WHERE s.chunked IS NOT NULL AND (s.sentence_model IS NULL OR s.sentence_model <> $sentences)
  RETURN count(*) AS unembedded_sections
}
RETURN documents, sections, chunks, questions, uncut, unembedded_chunks, unembedded_questions, unembedded_sections, misfits
