// name: write_relations
// Stores anew what a source states of relations that it has stated before otherwise.
// :param rows => [{subject: 'sample:asthma', type: 'IS_A', object: 'sample:respiratory-disease', source: 'sample', predicate: '', hash: 1, statement: {method: 'stated'}}]
// :param load => 1
// returns:
CYPHER 25
UNWIND $rows AS row
MATCH (a:Entity {id: row.subject})
USING INDEX SEEK a:Entity(id)
MATCH (b:Entity {id: row.object})
USING INDEX SEEK b:Entity(id)
CALL (row, a, b) {
  MATCH (a)-[old]->(b)
  WHERE type(old) = row.type AND old.source = row.source AND old.predicate = row.predicate
  DELETE old
}
CREATE (a)-[r:$(row.type)]->(b)
SET r = row.statement, r.source = row.source, r.predicate = row.predicate, r.hash = row.hash,
    r.load = coalesce(row.load, $load), r.seen = coalesce(row.load, $load)
