// name: stored_joined_concepts
// What concepts are called at which entities were joined, and which ids they have.
// returns: cui, name, label, ids, near
MATCH (c:Concept)
WHERE c.ids IS NOT NULL
RETURN c.cui AS cui, c.title AS name, c.label AS label, c.ids AS ids, c.near AS near
