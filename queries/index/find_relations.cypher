// name: find_relations
// Relations that sections of one type state: what a page about a condition says there that goes with it, with evidence.
// :param section_type => 'symptoms'
// :param relation => 'HAS_SYMPTOM'
// :param labels => ['Symptom', 'Phenotype']
// :param vague => ['rare disease']
// :param trust => 0.94
// returns: found
CYPHER 25
MATCH (s:Section {type: $section_type})<-[:HAS_SECTION]-(d:Document)
CALL (s, d) {
  MATCH (d)-[:ABOUT]->(f:Entity)-[:MEANS]->(head:Concept)
  WHERE f:Disease AND head.label IN ['Disease', 'Symptom', 'Phenotype', 'SideEffect']
  MATCH (s)-[:HAS_CHUNK]->(:Chunk)-[m:MENTIONS]->(tail:Concept)
  WHERE tail <> head AND tail.label IN $labels AND NOT m.negated AND NOT m.family AND m.score >= 0.9
    AND NOT toLower(m.surface) IN $vague AND m.states
    AND NOT EXISTS { (head)<-[:MEANS]-(:Entity)-[:IS_A*1..3]->(:Entity)-[:MEANS]->(tail) }
  RETURN head, tail, max(m.score) AS score, collect(DISTINCT m.surface)[..5] AS surfaces
}
WITH head, tail, collect(DISTINCT s.id) AS sections, collect(DISTINCT s.source) AS sources, max(score) AS score,
     reduce(all = [], part IN collect(surfaces) | all + [x IN part WHERE NOT x IN all])[..5] AS surfaces
CREATE (head)-[:$($relation) {method: 'section', evidence: sections[..25], sections: size(sections), sources: sources,
                              surfaces: surfaces, score: round(score * $trust, 3)}]->(tail)
RETURN count(*) AS found
