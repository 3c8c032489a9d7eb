// name: kge_vector
// A concept with the vector that was learned from its relations, if it has one.
// :param concept => 'C0018099'
// returns: concept, name, label, vector
MATCH (c:Concept {cui: $concept})
RETURN c.cui AS concept, coalesce(c.title, c.name, c.cui) AS name, coalesce(c.label, '') AS label, c.kge AS vector
