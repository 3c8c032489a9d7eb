// name: symptoms_to_conditions
// Conditions that have the most of some symptoms, by what sources state and sections say; ids are those of concepts.
// :param symptoms => ["C0002871", "C0038454"]
// :param limit => 25
// returns: concept, name, shared, symptoms, sections
MATCH (s:Concept)<-[r:HAS_SYMPTOM]-(d:Concept)
WHERE s.cui IN $symptoms
WITH d, collect(DISTINCT s.name) AS symptoms, sum(r.section_count + size(r.stated)) AS sections
RETURN d.cui AS concept, d.name AS name, size(symptoms) AS shared, symptoms, sections
ORDER BY shared DESC, sections DESC, name LIMIT $limit
