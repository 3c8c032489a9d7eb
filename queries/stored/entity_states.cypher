// name: entity_states
// What is stored of entities about to be written: the fingerprint of what this source said, and the load that last saw it.
// :param rows => [{id: 'medquad:asthma', source: 'medquad'}]
// returns: id, source, hash, seen, load
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})-[f:FROM]->(s WHERE s.id = row.source)
USING INDEX SEEK e:Entity(id)
RETURN row.id AS id, row.source AS source, f.hash AS hash, f.seen AS seen, f.load AS load
