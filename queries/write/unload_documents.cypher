// name: unload_documents
// Removes a source's documents with their sections, chunks and questions, five hundred documents a transaction.
// :param source => 'medquad'
// returns: removed
MATCH (:Source {id: $source})<-[:FROM]-(d:Document)
CALL (d) {
  CALL (d) {
    OPTIONAL MATCH (d)-[:HAS_SECTION]->(s:Section)
    OPTIONAL MATCH (s)-[:HAS_CHUNK]->(c:Chunk)
    OPTIONAL MATCH (s)<-[:ANSWERED_BY]-(answered:Question)
    RETURN collect(DISTINCT s) + collect(DISTINCT c) + collect(DISTINCT answered) AS parts
  }
  OPTIONAL MATCH (d)<-[:ANSWERED_AT]-(open:Question)
  WITH d, parts + collect(open) + [d] AS parts
  UNWIND parts AS part
  DETACH DELETE part
  RETURN count(*) AS gone
} IN TRANSACTIONS OF 500 ROWS
RETURN sum(gone) AS removed
