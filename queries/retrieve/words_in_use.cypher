// name: words_in_use
// The labels and types of relation that the graph has something of.
// returns: word
CYPHER 25
CALL db.labels() YIELD label
WHERE EXISTS { (:$(label)) }
RETURN label AS word
UNION
CALL db.relationshipTypes() YIELD relationshipType
WHERE EXISTS { ()-[:$(relationshipType)]->() }
RETURN relationshipType AS word
