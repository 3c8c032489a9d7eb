// name: relation_states
// Which relations about to be written are stored already, and which of their ends are missing.
// :param rows => [{subject: 'sample:asthma', type: 'IS_A', object: 'sample:respiratory-disease'}]
// :param source => 'sample'
// returns: number, stored, missing
UNWIND range(0, size($rows) - 1) AS number
WITH number, $rows[number] AS row
OPTIONAL MATCH (a:Entity {id: row.subject})
OPTIONAL MATCH (b:Entity {id: row.object})
RETURN number,
       EXISTS { (a)-[r WHERE type(r) = row.type AND r.source = $source]->(b) } AS stored,
       [id IN [CASE WHEN a IS NULL THEN row.subject END, CASE WHEN b IS NULL THEN row.object END] WHERE id IS NOT NULL]
         AS missing
