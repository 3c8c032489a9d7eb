// name: concept_called
// The concept or the term that has an id, or the concept that the entity of this id stands for.
// :param id => 'DOID:13189'
// returns: concept
MATCH (c:Concept {cui: $id})
RETURN c.cui AS concept
UNION
MATCH (t:Term {id: $id})
RETURN t.id AS concept
UNION
MATCH (:Entity {id: $id})-[:MEANS]->(c:Concept)
RETURN c.cui AS concept
