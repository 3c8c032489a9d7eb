// name: disease_subgraph
// Everything that goes with a condition, with who says so: relations that sources state of any entity of its concept, and
// those that sections about it state, also in words that no vocabulary has; with topics whose titles name it; all types, or some.
// :param concept => 'C0018099'
// :param types => ["HAS_SYMPTOM", "TREATED_BY"]
// :param limit => 100
// returns: relation, direction, concept, name, label, sources, method, score, evidence
MATCH (c:Concept {cui: $concept})
CALL (c) {
  MATCH (c)<-[:MEANS]-(e:Entity)-[r]-(o:Entity)-[:MEANS]->(x:Concept)
  WHERE x <> c AND (size($types) = 0 OR type(r) IN $types)
  RETURN type(r) AS relation, CASE WHEN startNode(r) = e THEN 'out' ELSE 'in' END AS direction, x,
         collect(DISTINCT r.source) AS sources, 'stated' AS method, max(coalesce(r.score, 1.0)) AS score,
         reduce(all = [], part IN collect(coalesce(r.evidence, [])) | all + part)[..5] AS evidence
  UNION ALL
  MATCH (c)-[r]->(x:Concept)
  WHERE r.method = 'section' AND (size($types) = 0 OR type(r) IN $types)
  RETURN type(r) AS relation, 'out' AS direction, x, r.sources AS sources, r.method AS method,
         r.score * (1 - 0.5 / r.sections) AS score, r.evidence[..5] AS evidence
  UNION ALL
  MATCH (c)-[r]->(x:Term)
  WHERE size($types) = 0 OR type(r) IN $types
  WITH type(r) AS relation, x, collect(DISTINCT r.sources[0]) AS sources, r.method AS method, max(r.score) AS score,
       collect(DISTINCT r.evidence[0]) AS evidence
  RETURN relation, 'out' AS direction, x, sources, method, score * (1 - 0.5 / size(evidence)) AS score,
         evidence[..5] AS evidence
  UNION ALL
  MATCH (c)<-[r:ABOUT_CONCEPT]-(t:Topic)-[:MEANS]->(x:Concept)
  WHERE x <> c AND (size($types) = 0 OR type(r) IN $types)
  RETURN type(r) AS relation, 'in' AS direction, x, t.sources AS sources, r.method AS method, r.score AS score,
         COLLECT { MATCH (t)<-[:ABOUT]-(d:Document) RETURN d.id ORDER BY d.id LIMIT 5 } AS evidence
}
RETURN relation, direction, coalesce(x.cui, x.id) AS concept, coalesce(x.title, x.name) AS name,
       coalesce(x.label, labels(x)[0]) AS label, sources, method, score, evidence
ORDER BY relation, direction, method DESC, score DESC, name, concept
LIMIT $limit
