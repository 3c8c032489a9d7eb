// name: entity_states
// What is stored of entities about to be written: the fingerprint of what their source said, where it is another one, and the
// load that last saw it. Rows are id, source and fingerprint, numbered from 0.
// :param rows => [['medquad:asthma', 'medquad', 1]]
// returns: numbers, same, hash, seen, load
UNWIND range(0, size($rows) - 1) AS number
WITH number, $rows[number] AS row
MATCH (e:Entity {id: row[0]})-[f:FROM]->(s WHERE s.id = row[1])
USING INDEX SEEK e:Entity(id)
WITH number, f, f.hash = row[2] AS same
RETURN collect(number) AS numbers, same, CASE WHEN NOT same THEN f.hash END AS hash, f.seen AS seen, f.load AS load
