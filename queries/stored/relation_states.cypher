// name: relation_states
// What is stored of relations about to be written: the fingerprint, where it is another one, the load that last saw them, and
// which of their ends are missing. Rows are subject, type, object, source, predicate and fingerprint, numbered from 0.
// :param rows => [['sample:asthma', 'IS_A', 'sample:respiratory-disease', 'sample', '', 1]]
// returns: numbers, same, hash, seen, load, missing
CYPHER 25
UNWIND range(0, size($rows) - 1) AS number
WITH number, $rows[number] AS row
OPTIONAL MATCH (a:Entity {id: row[0]})
USING INDEX SEEK a:Entity(id)
OPTIONAL MATCH (b:Entity {id: row[2]})
USING INDEX SEEK b:Entity(id)
WITH number, row, a, b, head([(a)-[r {source: row[3], predicate: row[4]}]->(b) WHERE type(r) = row[1] | r]) AS old
WITH number, old, coalesce(old.hash = row[5], false) AS same,
     [x IN [CASE WHEN a IS NULL THEN row[0] END, CASE WHEN b IS NULL THEN row[2] END] WHERE x IS NOT NULL] AS missing
RETURN collect(number) AS numbers, same, CASE WHEN NOT same THEN old.hash END AS hash, old.seen AS seen,
       old.load AS load, missing
