// name: metagraph
// What the graph is made of: nodes by label, entities by category, and relations by type and the labels that they join.
// returns: kind, source_label, relation, target_label, count
CALL () {
  MATCH (n)
  WITH labels(n) AS labels, count(*) AS count
  UNWIND CASE size(labels) WHEN 0 THEN ['(no label)'] ELSE labels END AS label
  WITH label, label <> 'Entity' AND 'Entity' IN labels AS category, sum(count) AS count
  RETURN CASE WHEN category THEN 'category' ELSE 'node' END AS kind,
         CASE WHEN category THEN 'Entity' ELSE label END AS source_label, null AS relation,
         CASE WHEN category THEN label END AS target_label, count
  UNION ALL
  MATCH (a)-[r]->(b)
  WITH labels(a) AS from, type(r) AS relation, labels(b) AS to, count(*) AS count
  RETURN 'relation' AS kind,
         CASE WHEN 'Entity' IN from THEN 'Entity' ELSE coalesce(from[0], '(no label)') END AS source_label, relation,
         CASE WHEN 'Entity' IN to THEN 'Entity' ELSE coalesce(to[0], '(no label)') END AS target_label,
         sum(count) AS count
}
RETURN kind, source_label, relation, target_label, count
ORDER BY kind, count DESC, source_label, relation, target_label
