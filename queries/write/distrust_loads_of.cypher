// name: distrust_loads_of
// Makes the next load of sources read its file again, where what they state of entities goes since no source has these any more.
// :param ids => ['medquad:asthma']
// returns:
UNWIND $ids AS id
MATCH (e:Entity {id: id})-[r]-(:Entity)
USING INDEX SEEK e:Entity(id)
WHERE NOT EXISTS { (e)-[:FROM]->(:Source) }
WITH DISTINCT r.source AS other
MATCH (l:Load)-[:FROM]->(o:Source)
WHERE o.id = other OR EXISTS { MATCH (part:Source {id: other}) WHERE part.part_of = o.id }
SET l.sha256 = ''
