// name: clear_documents
// Removes sections, chunks, questions and links of documents that are about to be written anew.
// :param ids => ['medquad:GARD_0000001']
// returns:
UNWIND $ids AS id
MATCH (d:Document {id: id})
CALL (d) {
  OPTIONAL MATCH (d)-[:HAS_SECTION]->(s:Section)
  OPTIONAL MATCH (s)-[:HAS_CHUNK]->(c:Chunk)
  OPTIONAL MATCH (s)<-[:ANSWERED_BY]-(answered:Question)
  OPTIONAL MATCH (d)<-[:ANSWERED_AT]-(open:Question)
  DETACH DELETE c, answered, open, s
}
MATCH (d)-[about:ABOUT]->()
DELETE about
