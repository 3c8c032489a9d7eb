// name: part_owners
// Which documents have the sections and questions whose ids are about to be written.
// :param ids => ['medquad:GARD_0000001#1']
// returns: id, document
UNWIND $ids AS id
CALL (id) {
  MATCH (x:Section {id: id})<-[:HAS_SECTION]-(d:Document)
  USING INDEX SEEK x:Section(id)
  RETURN d.id AS document
  UNION
  MATCH (x:Question {id: id})-[:ANSWERED_AT]->(d:Document)
  USING INDEX SEEK x:Question(id)
  RETURN d.id AS document
}
RETURN id, document
