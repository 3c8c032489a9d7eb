// name: touch_relations
// Notes that a load has seen relations unchanged. Rows are subject, type, object, source and predicate.
// :param rows => [['sample:asthma', 'IS_A', 'sample:respiratory-disease', 'sample', '']]
// :param load => 1
// returns:
CYPHER 25
UNWIND $rows AS row
MATCH (a:Entity {id: row[0]})-[r]->(b:Entity {id: row[2]})
USING INDEX SEEK a:Entity(id)
USING INDEX SEEK b:Entity(id)
WHERE type(r) = row[1] AND r.source = row[3] AND r.predicate = row[4]
SET r.seen = $load
