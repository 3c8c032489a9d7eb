// name: clear_concepts_joined
// Forgets what was noted on concepts at which no entities meet any more.
// returns:
MATCH (c:Concept)
WHERE c.ids IS NOT NULL AND NOT EXISTS { (c)<-[:MEANS]-() }
REMOVE c.ids, c.near, c.label, c.title
