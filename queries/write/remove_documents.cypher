// name: remove_documents
// Removes documents with their sections, chunks and questions; the relations of what they are about are then stale.
// :param ids => ['medquad:GARD_0000001']
// returns: removed
UNWIND $ids AS id
MATCH (d:Document {id: id})
USING INDEX SEEK d:Document(id)
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
RETURN count(*) AS removed
