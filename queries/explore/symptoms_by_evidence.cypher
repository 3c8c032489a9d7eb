// name: symptoms_by_evidence
// Conditions that go with some symptoms, by names in lay or clinical words: first those that have the most of them, then
// those of which rare symptoms, sources and sections speak the most.
// :param symptoms => ["anemia", "stroke"]
// :param limit => 25
// returns: concept, name, shared, symptoms, weight, sources, sections, evidence
UNWIND $symptoms AS word
CALL db.index.fulltext.queryNodes('concept_name', '"' + replace(replace(word, '\\', ' '), '"', ' ') + '"') YIELD node AS s
WHERE toLower(word) IN s.names
MATCH (s:Concept)<-[r:HAS_SYMPTOM]-(d:Concept)
WITH word, d, collect(r) AS said
WITH word, count(*) AS having, collect({d: d, said: said}) AS rows
UNWIND rows AS row
UNWIND row.said AS r
WITH row.d AS d, word, having, sum(r.section_count) AS sections, collect(r.sources) AS sources, collect(r.sections[..3]) AS evidence
WITH d, word, sections, reduce(all = [], part IN sources | all + [x IN part WHERE NOT x IN all]) AS sources, having,
     reduce(all = [], part IN evidence | all + part)[..3] AS evidence
WITH d, collect(word) AS symptoms, sum(log(1 + sections + size(sources)) / log(1 + having)) AS weight, collect(sources) AS sources,
     sum(sections) AS sections, collect(evidence) AS evidence
RETURN d.cui AS concept, d.name AS name, size(symptoms) AS shared, symptoms, round(weight, 3) AS weight,
       reduce(all = [], part IN sources | all + [x IN part WHERE NOT x IN all]) AS sources, sections,
       reduce(all = [], part IN evidence | all + part) AS evidence
ORDER BY shared DESC, weight DESC, name LIMIT $limit
