// name: who_says_so
// Which sources and sections say that two things go together, and how: what concepts have, in each voice's own word.
// :param head => 'Heart failure'
// :param tail => 'Coronary artery disease'
// returns: relation, source, method, evidence
CALL db.index.fulltext.queryNodes('concept_name', '"' + replace(replace($head, '\\', ' '), '"', ' ') + '"') YIELD node AS h
WHERE toLower($head) IN h.names
CALL db.index.fulltext.queryNodes('concept_name', '"' + replace(replace($tail, '\\', ' '), '"', ' ') + '"') YIELD node AS t
WHERE toLower($tail) IN t.names
MATCH (h:Concept)-[r]-(t:Concept)
CALL (h, r, t) {
  UNWIND r.told AS source
  RETURN type(r) AS relation, source, CASE WHEN r.models IS NULL THEN 'section' ELSE 'model' END AS method, r.sections AS evidence
  UNION
  MATCH (h)<-[:MEANS]-(:Entity)-[s]-(:Entity)-[:MEANS]->(t)
  RETURN type(s) AS relation, s.source AS source,
         CASE s.knowledge_level WHEN 'prediction' THEN 'predicted' ELSE coalesce(s.method, 'stated') END AS method,
         coalesce(s.evidence, []) AS evidence
}
RETURN DISTINCT relation, source, method, evidence
ORDER BY relation, source, method
