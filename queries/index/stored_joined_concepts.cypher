// name: stored_joined_concepts
// What concepts are called at which entities were joined, their category, and which ids they have.
// returns: cui, name, label, names, ids, near
MATCH (c:Concept)
WHERE c.ids IS NOT NULL
RETURN c.cui AS cui, c.name AS name, [l IN labels(c) WHERE l <> 'Concept'][0] AS label, c.names AS names, c.ids AS ids,
       c.near AS near
