// name: symptoms_by_evidence
// Conditions that go with some symptoms, by names in lay or clinical words: first those that have the most of them, then
// those of which rare symptoms, sources and sections speak the most.
// :param symptoms => ["anemia", "stroke"]
// :param limit => 25
// returns: concept, name, shared, symptoms, weight, sources, sections, evidence
UNWIND $symptoms AS word
MATCH (e:Entity)-[:MEANS]->(s:Concept)
WHERE toLower(e.name) = toLower(word) OR any(name IN e.synonyms WHERE toLower(name) = toLower(word))
WITH word, collect(DISTINCT s) AS meant
UNWIND meant AS s
CALL (s) {
  MATCH (s)<-[r:HAS_SYMPTOM]-(d:Concept)
  RETURN d, r.sections AS sections, r.sources AS sources, r.evidence[..3] AS evidence
  UNION ALL
  MATCH (s)<-[:MEANS]-(:Entity)<-[r:HAS_SYMPTOM]-(:Entity)-[:MEANS]->(d:Concept)
  RETURN d, 0 AS sections, [r.source] AS sources, coalesce(r.evidence, [])[..3] AS evidence
}
WITH word, d, sum(sections) AS sections, reduce(all = [], part IN collect(sources) | all + [x IN part WHERE NOT x IN all]) AS sources,
     reduce(all = [], part IN collect(evidence) | all + [x IN part WHERE NOT x IN all])[..3] AS evidence
WITH word, count(*) AS having, collect({d: d, sections: sections, sources: sources, evidence: evidence}) AS rows
UNWIND rows AS row
WITH row.d AS d, collect(word) AS symptoms, sum(log(1 + row.sections + size(row.sources)) / log(1 + having)) AS weight,
     reduce(all = [], part IN collect(row.sources) | all + [x IN part WHERE NOT x IN all]) AS sources,
     sum(row.sections) AS sections, reduce(all = [], part IN collect(row.evidence) | all + part) AS evidence
RETURN d.cui AS concept, d.name AS name, size(symptoms) AS shared, symptoms, round(weight, 3) AS weight,
       sources, sections, evidence
ORDER BY shared DESC, weight DESC, name LIMIT $limit
