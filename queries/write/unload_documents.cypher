// name: unload_documents
// Removes the documents of sources with their sections, chunks and questions, five hundred documents a transaction; the
// relations of what they are about are then stale.
// :param sources => ['medquad']
// returns: removed
CYPHER 25
MATCH (s:Source)<-[:FROM]-(d:Document)
WHERE s.id IN $sources
CALL (d) {
  CALL (d) {
    MATCH (d)-[:ABOUT]->(:Entity)-[:MEANS]->(head:Concept)
    SET head.stale = true
  }
  CALL (d) {
    MATCH (d)-[:HAS_SECTION]->(part:Section)
    RETURN part
    UNION
    MATCH (d)-[:HAS_SECTION]->(:Section)-[:HAS_CHUNK]->(part:Chunk)
    RETURN part
    UNION
    MATCH (d)-[:HAS_SECTION]->(:Section)<-[:ANSWERED_BY]-(part:Question)
    RETURN part
    UNION
    MATCH (d)<-[:ANSWERED_AT]-(part:Question)
    RETURN part
    UNION
    RETURN d AS part
  }
  DETACH DELETE part
  RETURN count(*) AS gone
} IN TRANSACTIONS OF 500 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL
RETURN sum(gone) AS removed
