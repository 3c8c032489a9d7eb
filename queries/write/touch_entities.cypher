// name: touch_entities
// Notes that a load has seen entities unchanged. Rows are id and source.
// :param rows => [['medquad:asthma', 'medquad']]
// :param load => 1
// returns:
UNWIND $rows AS row
MATCH (e:Entity {id: row[0]})-[f:FROM]->(s WHERE s.id = row[1])
USING INDEX SEEK e:Entity(id)
SET f.seen = $load
