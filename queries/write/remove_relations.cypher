// name: remove_relations
// Removes relations that a source no longer states.
// :param rows => [{subject: 'sample:asthma', type: 'IS_A', object: 'sample:respiratory-disease', source: 'sample', predicate: ''}]
// returns:
CYPHER 25
UNWIND $rows AS row
MATCH (a:Entity {id: row.subject})-[r:$(row.type) {source: row.source, predicate: row.predicate}]->(b:Entity {id: row.object})
DELETE r
