// name: metagraph
// What the graph is made of: nodes by label, entities by category, and relations by type and the labels that they join.
// returns: kind, source_label, relation, target_label, count
CALL () {
  MATCH (n)
  WITH labels(n) AS labels, count(*) AS count
  WITH CASE WHEN 'Entity' IN labels THEN 'Entity' ELSE coalesce(labels[0], '(no label)') END AS label, labels, count
  CALL (label, labels, count) {
    RETURN 'node' AS kind, label AS source_label, null AS target_label, count AS part
    UNION ALL
    WITH label, labels, count WHERE label = 'Entity'
    UNWIND [name IN labels WHERE name <> 'Entity'] AS category
    RETURN 'category' AS kind, label AS source_label, category AS target_label, count AS part
  }
  RETURN kind, source_label, null AS relation, target_label, sum(part) AS count
  UNION ALL
  MATCH (a)-[r]->(b)
  WITH labels(a) AS from, type(r) AS relation, labels(b) AS to, count(*) AS count
  RETURN 'relation' AS kind, CASE WHEN 'Entity' IN from THEN 'Entity' ELSE coalesce(from[0], '(no label)') END AS source_label, relation,
         CASE WHEN 'Entity' IN to THEN 'Entity' ELSE coalesce(to[0], '(no label)') END AS target_label, sum(count) AS count
}
RETURN kind, source_label, relation, target_label, count
ORDER BY kind, count DESC, source_label, relation, target_label
