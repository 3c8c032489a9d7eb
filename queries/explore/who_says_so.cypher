// name: who_says_so
// Which sources and sections say that two things go together, and how.
// :param head => 'Atrial fibrillation'
// :param tail => 'Heart failure'
// returns: relation, source, method, evidence
MATCH (he:Entity)-[:MEANS]->(h:Concept), (te:Entity)-[:MEANS]->(t:Concept)
WHERE toLower(he.name) = toLower($head) AND toLower(te.name) = toLower($tail)
WITH DISTINCT h, t
CALL (h, t) {
  MATCH (h)-[r]-(t)
  WHERE r.method = 'section'
  UNWIND r.sources AS source
  RETURN type(r) AS relation, source, r.method AS method, r.evidence AS evidence
  UNION
  MATCH (h)<-[:MEANS]-(a:Entity)-[r]-(b:Entity)-[:MEANS]->(t)
  RETURN type(r) AS relation, r.source AS source, coalesce(r.method, 'stated') AS method, coalesce(r.evidence, []) AS evidence
}
RETURN relation, source, method, evidence
ORDER BY relation, source, method
