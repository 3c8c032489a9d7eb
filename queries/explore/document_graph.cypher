// name: document_graph
// One document as a picture: its sections, their chunks in order, its source and what it is about.
// :param document => 'sample:gout'
// returns: path
MATCH (d:Document {id: $document})
CALL (d) {
  MATCH path = (d)-[:FROM|ABOUT|HAS_SECTION]->()
  RETURN path
  UNION ALL
  MATCH path = (d)-[:HAS_SECTION]->()-[:HAS_CHUNK]->()-[:NEXT]->{0,1}()
  RETURN path
}
RETURN path
LIMIT 200
