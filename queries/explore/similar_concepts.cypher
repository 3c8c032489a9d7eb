// name: similar_concepts
// Concepts that stand in like relations as one does, by the vectors of `medgraph index kge`: the nearest first, with what the two are both related to.
// :param concept => 'C0018099'
// :param limit => 15
// returns: similarity, concept, name, label, shared
MATCH (c:Concept {cui: $concept})
MATCH (x:Concept)
WHERE x.kge IS NOT NULL AND x <> c AND c.kge IS NOT NULL
WITH c, x, 2 * vector.similarity.cosine(c.kge, x.kge) - 1 AS similarity
ORDER BY similarity DESC, x.cui LIMIT $limit
RETURN round(similarity, 3) AS similarity, x.cui AS concept, x.name AS name, [l IN labels(x) WHERE l <> 'Concept'][0] AS label,
       COLLECT { MATCH (c)-[r]->(y:Concept)<-[s]-(x)
                 WHERE type(r) = type(s)
                 RETURN DISTINCT y.name AS what ORDER BY what LIMIT 5 } AS shared
ORDER BY similarity DESC, concept
