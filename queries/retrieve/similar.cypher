// name: similar
// Concepts whose vectors, learned from relations, are nearest to that of one, of any kind or of some.
// :param concept => 'C0018099'
// :param labels => ["Disease"]
// :param reach => 200
// :param limit => 10
// returns: concept, name, label, entity, similarity
MATCH (c:Concept {cui: $concept})
CALL db.index.vector.queryNodes('concept_kge', $reach, c.kge) YIELD node AS x, score
WITH c, x, score
WHERE x <> c AND (size($labels) = 0 OR any(l IN labels(x) WHERE l IN $labels))
WITH x, 2 * score - 1 AS similarity
ORDER BY similarity DESC, x.cui LIMIT $limit
RETURN x.cui AS concept, coalesce(x.name, x.cui) AS name, coalesce([l IN labels(x) WHERE l <> 'Concept'][0], '') AS label,
       coalesce(COLLECT { MATCH (x)<-[:MEANS]-(e:Entity)
                          RETURN e.id ORDER BY toLower(e.name) <> toLower(x.name), e.id LIMIT 1 }[0], '') AS entity,
       similarity
ORDER BY similarity DESC, concept
