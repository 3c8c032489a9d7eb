// name: stored_relations
// What a source states of relations, whole.
// :param rows => [{subject: 'sample:asthma', type: 'IS_A', object: 'sample:respiratory-disease', source: 'sample', predicate: ''}]
// returns: subject, type, object, source, predicate, statement, hash, load
CYPHER 25
UNWIND $rows AS row
MATCH (a:Entity {id: row.subject})-[r]->(b:Entity {id: row.object})
USING INDEX SEEK a:Entity(id)
USING INDEX SEEK b:Entity(id)
WHERE type(r) = row.type AND r.source = row.source AND r.predicate = row.predicate
RETURN row.subject AS subject, row.type AS type, row.object AS object, row.source AS source, row.predicate AS predicate,
       r {.*, source: null, predicate: null, hash: null, load: null, seen: null} AS statement, r.hash AS hash, r.load AS load
