// name: remove_relations
// Removes relations that a source no longer states.
// :param rows => [{subject: 'sample:asthma', type: 'IS_A', object: 'sample:respiratory-disease', source: 'sample', predicate: ''}]
// returns:
CYPHER 25
UNWIND $rows AS row
MATCH (a:Entity {id: row.subject})-[r]->(b:Entity {id: row.object})
USING INDEX SEEK a:Entity(id)
USING INDEX SEEK b:Entity(id)
WHERE type(r) = row.type AND r.source = row.source AND r.predicate = row.predicate
DELETE r
