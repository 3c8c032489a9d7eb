// name: likely_by_similar
// What concepts with vectors like one's are related to, and it is not known to be: a guess that no source states, with who is like it. `medgraph predict` asks the model itself.
// :param concept => 'C0018099'
// :param relation => 'TREATED_BY'
// :param limit => 15
// returns: weight, concept, name, label, like
CYPHER 25
MATCH (c:Concept {cui: $concept})
MATCH (x:Concept)
WHERE x.kge IS NOT NULL AND x <> c AND c.kge IS NOT NULL
WITH c, x, 2 * vector.similarity.cosine(c.kge, x.kge) - 1 AS similarity
ORDER BY similarity DESC, x.cui LIMIT 50
MATCH (x)-[:$($relation)]->(y:Concept)
WHERE y <> c AND NOT EXISTS { (c)-[:$($relation)]->(y) }
WITH y, sum(similarity) AS weight, collect(x.name)[..5] AS like
RETURN round(weight, 3) AS weight, y.cui AS concept, y.name AS name, [l IN labels(y) WHERE l <> 'Concept'][0] AS label, like
ORDER BY weight DESC, concept LIMIT $limit
