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
CALL () {
  MATCH (m:Concept)-[r]-(g:Concept)
  WHERE m.cui IN $concepts AND ($background = [] OR m.cui IN $background) AND ($relations = [] OR type(r) IN $relations)
    AND r.polarity <> 'contested' AND size(r.sources) > size(coalesce(r.predicted, []))
  WITH type(r) AS relation, CASE WHEN type(r) IN $symmetric THEN 'either' WHEN startNode(r) = g THEN 'out' ELSE 'in' END AS direction, m
  WITH relation, direction, count(DISTINCT m) AS given WHERE given > 1
  RETURN collect(relation) AS relations, collect(relation + ' ' + direction) AS families
}
MATCH (a:Concept)-[r]->(b:Concept)
WHERE type(r) IN relations AND r.polarity <> 'contested' AND size(r.sources) > size(coalesce(r.predicted, []))
UNWIND CASE WHEN type(r) IN $symmetric THEN [['either', a, b], ['either', b, a]] ELSE [['out', a, b], ['in', b, a]] END AS pair
WITH families, type(r) AS relation, pair[0] AS direction, pair[1] AS g, pair[2] AS x
WHERE relation + ' ' + direction IN families AND ($background = [] OR x.cui IN $background)
WITH relation, direction, x, collect(DISTINCT g) AS groups_of
WITH relation, direction, collect({has: x.cui IN $concepts, groups: groups_of}) AS members
WITH relation, direction, members, size(members) AS background, size([x IN members WHERE x.has]) AS given
UNWIND members AS x
UNWIND x.groups AS g
WITH relation, direction, background, given, g, count(*) AS having, sum(CASE WHEN x.has THEN 1 ELSE 0 END) AS hits
WHERE having > 1
WITH relation, direction, background, given, count(*) AS groups, [row IN collect({g: g, having: having, hits: hits}) WHERE row.hits > 0] AS hit
UNWIND CASE hit WHEN [] THEN [null] ELSE hit END AS row
WITH *, row.g AS g, row.having AS having, row.hits AS hits, 1.0 * given * row.having / background AS chance
RETURN g.cui AS concept, coalesce(g.name, g.cui) AS name, [l IN labels(g) WHERE l <> 'Concept'][0] AS label,
       relation, direction, hits, round(chance, 3) AS expected, given, having, background, groups
ORDER BY coalesce(hits * log(hits / chance), 0) DESC, name, concept LIMIT $limit
