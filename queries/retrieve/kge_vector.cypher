// name: kge_vector
// A concept with the vector that was learned from its relations, if it has one.
// :param concept => 'C0018099'
// returns: concept, name, label, vector
MATCH (c:Concept {cui: $concept})
RETURN c.cui AS concept, coalesce(c.name, c.cui) AS name, coalesce([l IN labels(c) WHERE l <> 'Concept'][0], '') AS label, c.kge AS vector
