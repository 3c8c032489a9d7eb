// name: over_represented
// What has more of some concepts than expected, such as diseases of phenotypes or classes of drugs, by counts alone: `hits` of the
// `given` it has, `having` of all in the `background`, which is what has this relation to anything. Predictions and what others
// contradict do not count, nor what has one alone; a relation by which nothing has any stands alone. `medgraph enrich` adds the test.
// :param concepts => ["C0002871", "C0038454"]
// :param relations => []
// :param background => []
// :param symmetric => ["ASSOCIATED_WITH", "COVARIES_WITH", "INTERACTS_WITH", "RESEMBLES"]
// :param limit => 25
// returns: concept, name, label, relation, direction, hits, expected, given, having, background, groups
CYPHER 25
MATCH (m:Concept)-[r]-(g:Concept)
WHERE m.cui IN $concepts AND ($relations = [] OR type(r) IN $relations)
WITH DISTINCT type(r) AS relation, CASE WHEN type(r) IN $symmetric THEN 'either' WHEN startNode(r) = g THEN 'out' ELSE 'in' END AS direction
CALL (relation, direction) {
  MATCH (x:Concept)-[r:$(relation)]-(g:Concept)
  WHERE ($background = [] OR x.cui IN $background) AND (direction = 'either' OR (startNode(r) = g) = (direction = 'out'))
    AND r.polarity <> 'contested' AND size(r.sources) > size(coalesce(r.predicted, []))
  RETURN count(DISTINCT x) AS background, count(DISTINCT CASE WHEN x.cui IN $concepts THEN x END) AS given
}
WITH * WHERE given > 1
CALL (relation, direction) {
  MATCH (x:Concept)-[r:$(relation)]-(g:Concept)
  WHERE ($background = [] OR x.cui IN $background) AND (direction = 'either' OR (startNode(r) = g) = (direction = 'out'))
    AND r.polarity <> 'contested' AND size(r.sources) > size(coalesce(r.predicted, []))
  WITH g, count(DISTINCT x) AS having, count(DISTINCT CASE WHEN x.cui IN $concepts THEN x END) AS hits
  WHERE having > 1
  WITH collect({g: g, having: having, hits: hits}) AS tested
  WITH tested, [row IN tested WHERE row.hits > 0] AS hit
  UNWIND CASE hit WHEN [] THEN [null] ELSE hit END AS row
  RETURN row.g AS g, row.having AS having, row.hits AS hits, size(tested) AS groups
}
WITH *, 1.0 * given * having / background AS chance
RETURN g.cui AS concept, coalesce(g.name, g.cui) AS name, [l IN labels(g) WHERE l <> 'Concept'][0] AS label,
       relation, direction, hits, round(chance, 3) AS expected, given, having, background, groups
ORDER BY coalesce(hits * log(hits / chance), 0) DESC, name, concept LIMIT $limit
