// name: release_entities
// Removes what sources state of entities; `summarise_entities` has to follow.
// :param rows => [{id: 'medquad:asthma', source: 'medquad'}]
// returns:
CYPHER 25
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})-[f:FROM]->(s WHERE s.id = row.source)
USING INDEX SEEK e:Entity(id)
SET e.id = row.id // which locks it
CALL (e, row) {
  MATCH (e)-[h:HAS_CUI {source: row.source}]->()
  DELETE h
}
DELETE f
