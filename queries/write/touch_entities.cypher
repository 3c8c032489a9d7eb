// name: touch_entities
// Notes that a load has seen entities unchanged.
// :param rows => [{id: 'medquad:asthma', source: 'medquad'}]
// :param load => 1
// returns:
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})-[f:FROM]->(s WHERE s.id = row.source)
USING INDEX SEEK e:Entity(id)
SET f.seen = $load
