// name: relation_states
// What is stored of relations about to be written, and which of their ends are missing.
// :param rows => [{number: 0, subject: 'sample:asthma', type: 'IS_A', object: 'sample:respiratory-disease', source: 'sample', predicate: ''}]
// returns: number, hash, seen, load, missing
CYPHER 25
UNWIND $rows AS row
OPTIONAL MATCH (a:Entity {id: row.subject})
USING INDEX SEEK a:Entity(id)
OPTIONAL MATCH (b:Entity {id: row.object})
USING INDEX SEEK b:Entity(id)
WITH row, a, b,
     head([(a)-[r {source: row.source, predicate: row.predicate}]->(b) WHERE type(r) = row.type | r]) AS old
RETURN row.number AS number, old.hash AS hash, old.seen AS seen, old.load AS load,
       [x IN [CASE WHEN a IS NULL THEN row.subject END, CASE WHEN b IS NULL THEN row.object END] WHERE x IS NOT NULL]
         AS missing
