// name: symptoms_to_conditions
// Conditions that have the most of some symptoms, by what sources state and sections say; ids are those of concepts.
// :param symptoms => ["C0002871", "C0038454"]
// :param limit => 25
// returns: concept, name, shared, symptoms, sections
UNWIND $symptoms AS cui
MATCH (s:Concept {cui: cui})
CALL (s) {
  MATCH (s)<-[r:HAS_SYMPTOM]-(d:Concept)
  RETURN d, r.sections AS sections
  UNION ALL
  MATCH (s)<-[:MEANS]-(:Entity)<-[:HAS_SYMPTOM]-(:Entity)-[:MEANS]->(d:Concept)
  RETURN d, 1 AS sections
}
WITH d, collect(DISTINCT s.name) AS symptoms, sum(sections) AS sections
RETURN d.cui AS concept, d.name AS name, size(symptoms) AS shared, symptoms, sections
ORDER BY shared DESC, sections DESC, name LIMIT $limit
