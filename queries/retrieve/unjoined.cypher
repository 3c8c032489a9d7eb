// name: unjoined
// An entity with a name that was joined at no concept yet: that of an id; or one for a CUI at which nothing was joined.
// :param id => 'DOID:13189'
// returns: entity
MATCH (e:Entity {id: $id})
WHERE e.name IS NOT NULL AND NOT EXISTS { (e)-[:MEANS]->() }
RETURN e.id AS entity
UNION
MATCH (c:Concept {cui: $id})
WHERE NOT EXISTS { (c)<-[:MEANS]-() }
MATCH (c)<-[:HAS_CUI]-(e:Entity)
WHERE e.name IS NOT NULL AND NOT EXISTS { (e)-[:MEANS]->() }
RETURN e.id AS entity LIMIT 1
