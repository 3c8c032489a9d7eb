// name: create_relations
// Stores relations that their source has not stated before, and tells the numbers of the other rows with what is stored or
// which ends are missing. No relation stands twice among the rows.
// :param rows => [{number: 0, subject: 'sample:asthma', type: 'IS_A', object: 'sample:respiratory-disease', source: 'sample', predicate: '', hash: 1, statement: {method: 'stated'}}]
// :param load => 1
// returns: numbers, same, hash, seen, load, missing
CYPHER 25
UNWIND $rows AS row
OPTIONAL MATCH (a:Entity {id: row.subject})
USING INDEX SEEK a:Entity(id)
OPTIONAL MATCH (b:Entity {id: row.object})
USING INDEX SEEK b:Entity(id)
WITH row, a, b,
     head([(a)-[r {source: row.source, predicate: row.predicate}]->(b) WHERE type(r) = row.type | r]) AS old
CALL (row, a, b, old) {
  WITH row, a, b, old WHERE old IS NULL AND a IS NOT NULL AND b IS NOT NULL
  CREATE (a)-[r:$(row.type)]->(b)
  SET r = row.statement, r.source = row.source, r.predicate = row.predicate, r.hash = row.hash, r.load = $load,
      r.seen = $load
}
WITH row, a, b, old WHERE old IS NOT NULL OR a IS NULL OR b IS NULL
WITH row.number AS number, old,
     [x IN [CASE WHEN a IS NULL THEN row.subject END, CASE WHEN b IS NULL THEN row.object END] WHERE x IS NOT NULL]
       AS missing
RETURN collect(number) AS numbers, false AS same, old.hash AS hash, old.seen AS seen, old.load AS load, missing
