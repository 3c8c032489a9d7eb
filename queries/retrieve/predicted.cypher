// name: predicted
// Concepts ranked by what a model makes of a relation of one, which a vector stands for: the nearest first, or those of
// the largest product; with whether the relation is known. Guesses, no facts.
// :param concept => 'C0018099'
// :param relation => 'TREATED_BY'
// :param vector => [0.1, 0.2]
// :param dimension => 2
// :param by_distance => true
// :param labels => ["Drug"]
// :param limit => 25
// returns: rank, concept, name, label, score, known
CYPHER 25
MATCH (c:Concept {cui: $concept})
WITH c, vector($vector, $dimension, FLOAT32) AS wanted
MATCH (x:Concept)
WHERE x.kge IS NOT NULL AND x <> c AND (size($labels) = 0 OR any(l IN labels(x) WHERE l IN $labels))
WITH c, x, CASE WHEN $by_distance THEN -vector_distance(wanted, vector(x.kge, $dimension, FLOAT32), EUCLIDEAN)
                ELSE coalesce(x.kge_bias, 0.0) - vector_distance(wanted, vector(x.kge, $dimension, FLOAT32), DOT) END AS score
ORDER BY score DESC, x.cui LIMIT $limit
WITH c, collect({x: x, score: score}) AS found
UNWIND range(0, size(found) - 1) AS place
WITH c, place, found[place].x AS x, found[place].score AS score
RETURN place + 1 AS rank, x.cui AS concept, coalesce(x.name, x.cui) AS name, coalesce([l IN labels(x) WHERE l <> 'Concept'][0], '') AS label, score,
       EXISTS { MATCH (c)-[r]->(x) WHERE type(r) = $relation } AS known
ORDER BY rank
