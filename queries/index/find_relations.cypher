// name: find_relations
// Relations that sections tell: what pages about a condition name in a role, with evidence; sections speak independently.
// :param relations => {symptom: 'HAS_SYMPTOM'}
// :param labels => {symptom: ['Symptom', 'Phenotype']}
// :param vague => ['rare disease']
// :param least => 0.5
// :param enough => 0.9
// returns: found
CYPHER 25
MATCH (s:Section)-[:HAS_CHUNK]->(:Chunk)-[m:MENTIONS]->(tail:Concept)
WHERE m.role_score >= $least AND tail.label IN $labels[m.role] AND NOT toLower(m.surface) IN $vague
WITH s, tail, m.role AS role, max(m.role_score) AS score, collect(DISTINCT m.surface)[..5] AS surfaces
MATCH (s)<-[:HAS_SECTION]-(:Document)-[:ABOUT]->(:Disease)-[:MEANS]->(head:Concept)
WHERE head.label IN ['Disease', 'Symptom', 'Phenotype', 'SideEffect'] AND head <> tail
WITH DISTINCT head, role, tail, s, score, surfaces
WITH head, role, tail, collect(s.id) AS sections, collect(DISTINCT s.source) AS sources, collect(surfaces) AS named,
     1 - reduce(doubt = 1.0, one IN collect(score) | doubt * (1 - one)) AS score
WHERE score >= $enough AND NOT EXISTS { (head)<-[:MEANS]-(:Entity)-[:IS_A*1..3]->(:Entity)-[:MEANS]->(tail) }
WITH head, $relations[role] AS relation, tail, sections, sources, score,
     reduce(all = [], part IN named | all + [x IN part WHERE NOT x IN all])[..5] AS surfaces
CREATE (head)-[:$(relation) {method: 'section', evidence: sections[..25], sections: size(sections), sources: sources,
                             surfaces: surfaces, score: round(score, 3)}]->(tail)
RETURN count(*) AS found
