// name: touch_relations
// Notes that a load has seen relations unchanged.
// :param rows => [{subject: 'sample:asthma', type: 'IS_A', object: 'sample:respiratory-disease', source: 'sample', predicate: ''}]
// :param load => 1
// returns:
CYPHER 25
UNWIND $rows AS row
MATCH (a:Entity {id: row.subject})-[r:$(row.type) {source: row.source, predicate: row.predicate}]->(b:Entity {id: row.object})
SET r.seen = $load
