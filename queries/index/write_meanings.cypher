// name: write_meanings
// Joins entities to the concepts that they stand for, one each, with what that rests on.
// :param rows => [{entity: 'medquad:gout', concept: 'C0018099', method: 'name', score: 0.98, evidence: ['DOID:13189']}]
// returns:
UNWIND $rows AS row
MATCH (e:Entity {id: row.entity})
CALL (e) {
  MATCH (e)-[old:MEANS]->()
  DELETE old
}
MATCH (c:Concept {cui: row.concept})
CREATE (e)-[:MEANS {method: row.method, score: row.score, evidence: row.evidence}]->(c)
