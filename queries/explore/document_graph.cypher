// name: document_graph
// One document as a picture: its sections, their passages in order, its source and what it is about.
// :param document => 'sample:gout'
// returns: path
MATCH (d:Document {id: $document})
MATCH path = (d)-[:HAS_SECTION|HAS_CHUNK|FROM|ABOUT]->*()
RETURN path
LIMIT 200
