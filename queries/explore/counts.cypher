// name: counts
// What there is: nodes by label and relations by type, most first; concepts by category, and the relations that they have to each
// other and to terms, apart from those that each source states of entities.
// returns: kind, name, count
CALL () {
  MATCH (n)
  WITH labels(n) AS labels, count(*) AS count
  UNWIND labels AS name
  RETURN CASE WHEN 'Concept' IN labels AND name <> 'Concept' THEN 'concept' ELSE 'node' END AS kind, name, count
  UNION ALL
  MATCH (a)-[r]->(b)
  RETURN CASE WHEN a:Concept AND (b:Concept OR b:Term) THEN 'relation of concepts' ELSE 'relation' END AS kind, type(r) AS name,
         count(*) AS count
}
RETURN kind, name, sum(count) AS count
ORDER BY kind, count DESC, name
