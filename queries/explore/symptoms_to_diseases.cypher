// name: symptoms_to_diseases
// Diseases that have the most of some symptoms, by names in lay or clinical words; of those that have as many, what most voices
// and sections say first.
// :param symptoms => ["anemia", "stroke"]
// :param limit => 25
// returns: disease, shared, symptoms, sources, sections
UNWIND $symptoms AS word
CALL db.index.fulltext.queryNodes('concept_name', '"' + replace(replace(word, '\\', ' '), '"', ' ') + '"') YIELD node AS s
WHERE toLower(word) IN s.names
WITH DISTINCT s
MATCH (s:Concept)<-[r:HAS_SYMPTOM]-(d:Concept&Disease)
WITH d, collect(DISTINCT s.name) AS symptoms, sum(r.section_count) AS sections, collect(r.sources) AS sources
RETURN d.name AS disease, size(symptoms) AS shared, symptoms,
       reduce(all = [], part IN sources | all + [x IN part WHERE NOT x IN all]) AS sources, sections
ORDER BY shared DESC, size(sources) DESC, sections DESC, disease LIMIT $limit
