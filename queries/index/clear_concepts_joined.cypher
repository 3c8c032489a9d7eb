// name: clear_concepts_joined
// Forgets what was noted on concepts at which no entities meet any more.
// returns:
CYPHER 25
MATCH (c:Concept)
WHERE c.ids IS NOT NULL AND NOT EXISTS { (c)<-[:MEANS]-() }
REMOVE c.ids, c.near, c.names, c:$([l IN labels(c) WHERE l <> 'Concept'])
