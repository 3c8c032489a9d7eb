// name: metagraph
// What the graph is made of: nodes by label, entities by category, and relations by type and the labels that they join.
// returns: kind, source_label, relation, target_label, count
CALL () {
  MATCH (n)
  WITH labels(n) AS labels, count(*) AS count
  UNWIND CASE WHEN 'Concept' IN labels THEN ['Concept'] WHEN labels = [] THEN ['(no label)'] ELSE labels END AS label
  WITH label, label <> 'Entity' AND 'Entity' IN labels AS category, sum(count) AS count
  RETURN CASE WHEN category THEN 'category' ELSE 'node' END AS kind,
         CASE WHEN category THEN 'Entity' ELSE label END AS source_label, null AS relation,
         CASE WHEN category THEN label END AS target_label, count
  UNION ALL
  MATCH (a)-[r]->(b)
  WITH CASE WHEN a:Entity THEN 'Entity' WHEN a:Concept THEN 'Concept' ELSE coalesce(labels(a)[0], '(no label)') END AS from,
       type(r) AS relation,
       CASE WHEN b:Entity THEN 'Entity' WHEN b:Concept THEN 'Concept' ELSE coalesce(labels(b)[0], '(no label)') END AS to
  RETURN 'relation' AS kind, from AS source_label, relation, to AS target_label, count(*) AS count
}
RETURN kind, source_label, relation, target_label, count
ORDER BY kind, count DESC, source_label, relation, target_label
