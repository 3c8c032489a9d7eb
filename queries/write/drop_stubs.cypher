// name: drop_stubs
// Removes, of these entities, those that nobody states and nobody points to any more.
// :param ids => ['medquad:asthma']
// returns: removed
UNWIND $ids AS id
MATCH (e:Stub {id: id})
WHERE NOT EXISTS { (e)-[:FROM]->(:Source) }
SET e.id = id // which locks it
WITH DISTINCT e
WHERE NOT EXISTS { (e)--(:Entity) }
DETACH DELETE e
RETURN count(*) AS removed
