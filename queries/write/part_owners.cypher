// name: part_owners
// Which documents have the sections and questions whose ids are about to be written.
// :param ids => ['medquad:GARD_0000001#1']
// returns: id, document
UNWIND $ids AS id
CALL (id) {
  MATCH (:Section {id: id})<-[:HAS_SECTION]-(d:Document)
  RETURN d.id AS document
  UNION
  MATCH (:Question {id: id})-[:ANSWERED_AT]->(d:Document)
  RETURN d.id AS document
}
RETURN id, document
