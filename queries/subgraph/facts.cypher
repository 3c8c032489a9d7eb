// name: facts
// Facts of the graph, with who says so: what stands in a relation to a concept, or which relations two concepts have. Head,
// tail or both are given; what is empty may be anything.
// :param head => 'C0018099'
// :param relation => 'HAS_SYMPTOM'
// :param tail => ''
// :param limit => 50
// returns: head, head_name, relation, tail, tail_name, sources, method, score, evidence
CALL () {
  MATCH (c:Concept {cui: $head})
  RETURN c, true AS is_head
  UNION ALL
  MATCH (c:Concept {cui: $tail})
  WHERE $head = ''
  RETURN c, false AS is_head
  UNION ALL
  MATCH (c:Term {id: $tail})
  WHERE $head = ''
  RETURN c, false AS is_head
}
CALL (c, is_head) {
  MATCH (c)-[r]-(x:Concept)
  WHERE r.method = 'section' AND (startNode(r) = c) = is_head AND ($relation = '' OR type(r) = $relation)
    AND (NOT is_head OR $tail = '' OR x.cui = $tail)
  RETURN x, type(r) AS relation, r.sources AS sources, r.method AS method, r.score * (1 - 0.5 / r.sections) AS score,
         r.evidence[..5] AS evidence
  UNION ALL
  MATCH (c)-[r {method: 'term'}]-(x:Concept|Term)
  WHERE (startNode(r) = c) = is_head AND ($relation = '' OR type(r) = $relation)
    AND (NOT is_head OR $tail = '' OR x.id = $tail)
  WITH x, type(r) AS relation, collect(DISTINCT r.sources[0]) AS sources, max(r.score) AS score,
       collect(DISTINCT r.evidence[0]) AS evidence
  RETURN x, relation, sources, 'term' AS method, score * (1 - 0.5 / size(evidence)) AS score, evidence[..5] AS evidence
  UNION ALL
  MATCH (c)<-[:MEANS]-(e:Entity)-[r]-(o:Entity)-[:MEANS]->(x:Concept)
  WHERE x <> c AND (startNode(r) = e) = is_head AND ($relation = '' OR type(r) = $relation)
    AND (NOT is_head OR $tail = '' OR x.cui = $tail)
  RETURN x, type(r) AS relation, collect(DISTINCT r.source) AS sources, 'stated' AS method,
         max(coalesce(r.score, 1.0)) AS score,
         reduce(all = [], part IN collect(coalesce(r.evidence, [])) | all + part)[..5] AS evidence
}
WITH CASE WHEN is_head THEN c ELSE x END AS h, CASE WHEN is_head THEN x ELSE c END AS t, relation, sources, method, score, evidence
RETURN h.cui AS head, coalesce(h.title, h.name) AS head_name, relation, coalesce(t.cui, t.id) AS tail, coalesce(t.title, t.name) AS tail_name,
       sources, method, score, evidence
ORDER BY relation, score DESC, tail_name, tail, head
LIMIT $limit
