// name: find_relations
// Relations of one type that sections tell: what a page about a condition says that goes with it, with the sections. They
// stand on the one relation of the two concepts, beside what sources state; what no section tells any more goes, and
// nothing else is written.
// :param relation => 'HAS_SYMPTOM'
// :param kinds => [{section_type: 'symptoms', labels: ['Symptom', 'Phenotype']}]
// :param vague => ['rare disease']
// :param trust => 0.94
// returns: found
CYPHER 25
CALL () {
  UNWIND $kinds AS kind
  MATCH (s:Section {type: kind.section_type})<-[:HAS_SECTION]-(d:Document)
  CALL (s, d, kind) {
    MATCH (d)-[:ABOUT]->(f:Entity)-[:MEANS]->(head:Concept)
    WHERE f:Disease AND head:Disease|Symptom|Phenotype|SideEffect
    MATCH (s)-[:HAS_CHUNK]->(:Chunk)-[m:MENTIONS]->(tail:Concept)
    WHERE tail <> head AND any(l IN labels(tail) WHERE l IN kind.labels) AND NOT m.negated AND NOT m.family AND m.score >= 0.9
      AND NOT toLower(m.surface) IN $vague AND m.states
      AND NOT EXISTS { (head)<-[:MEANS]-(:Entity)-[:IS_A*1..3]->(:Entity)-[:MEANS]->(tail) }
    RETURN head, tail, max(m.score) AS score, collect(DISTINCT m.surface)[..5] AS surfaces
  }
  WITH head, tail, s, score, surfaces ORDER BY s.source, s.id
  WITH head, tail, collect(DISTINCT s.id) AS sections, collect(DISTINCT s.source) AS told, max(score) AS score,
       reduce(all = [], part IN collect(surfaces) | all + [x IN part WHERE NOT x IN all])[..5] AS surfaces
  RETURN head, tail, sections, told, score, surfaces
  UNION ALL
  MATCH (head:Concept)-[old:$($relation)]->(tail:Concept)
  WHERE old.told <> []
  RETURN head, tail, [] AS sections, [] AS told, null AS score, [] AS surfaces
}
WITH head, tail, collect({sections: sections, told: told, score: score, surfaces: surfaces}) AS all
WITH head, tail, all[0] AS new
OPTIONAL MATCH (head)-[old:$($relation)]->(tail)
WITH head, tail, old, new.told AS told,
     {told: new.told, sections: new.sections[..25], section_count: size(new.sections), surfaces: new.surfaces,
      told_score: round(new.score * $trust * (1 - 0.5 / (0.0 + size(new.sections))), 4)} AS new
CALL (head, tail, old, new, told) {
  WHEN old IS NOT NULL AND told = [] AND old.stated = [] THEN {
    DELETE old
  }
  WHEN old IS NULL OR [old.told, old.sections, old.section_count, coalesce(old.surfaces, []), coalesce(old.told_score, -1)]
                   <> [told, new.sections, new.section_count, new.surfaces, coalesce(new.told_score, -1)] THEN {
    MERGE (head)-[r:$($relation)]->(tail)
      ON CREATE SET r.stated = [], r.polarity = 'affirmed'
    SET r += new, r.sources = r.stated + [s IN told WHERE NOT s IN r.stated],
        r.score = round(1 - (1 - coalesce(CASE WHEN 0 <= r.stated_score <= 1 THEN r.stated_score END, 0.8)) ^ size(r.stated)
                              * (1 - coalesce(new.told_score, 0)), 4)
  }
} IN TRANSACTIONS OF 5000 ROWS
WITH told WHERE told <> []
RETURN count(*) AS found
