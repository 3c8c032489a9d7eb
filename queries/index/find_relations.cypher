// name: find_relations
// Relations that sections tell: what pages about a condition, or a drug, name in a role, with the sections. Pages speak
// independently, sections of one page do not. What a model told of sections (`TELLS`) counts beside that; `models` names the models
// where these alone tell a relation.
// It looks at what `stale_heads` took up. They stand on the one relation of the two concepts, beside what sources state;
// what no section tells any more goes, and nothing else is written. Roles that are turned start at what is mentioned,
// symmetric relations at the first of the two: of these, shared ones, pages about either end tell.
// :param relations => {symptom: 'HAS_SYMPTOM'}
// :param labels => {symptom: ['Symptom', 'Phenotype']}
// :param drug_roles => ['effect', 'barred', 'interacts']
// :param turned => ['barred']
// :param symmetric => ['INTERACTS_WITH']
// :param shared => ['INTERACTS_WITH', 'CONTRAINDICATED_WITH']
// :param ranks => ['Disease', 'Symptom', 'Drug']
// :param vague => ['rare disease']
// :param least => 0.8
// :param enough => 0.9
// returns: found
CYPHER 25
CALL () {
  CALL () {
    CALL () {
      MATCH (head:Concept)<-[:MEANS]-(about:Entity&(Disease|Drug))<-[:ABOUT]-(d:Document)-[:HAS_SECTION]->(s:Section)
      WHERE NOT head.stale
      MATCH (s)-[:HAS_CHUNK]->(:Chunk)-[m:MENTIONS]->(tail:Concept)
      WHERE m.role_score >= $least
      RETURN head, about, d, s, tail, m
      UNION
      MATCH (tail:Concept)<-[m:MENTIONS]-(:Chunk)<-[:HAS_CHUNK]-(s:Section)
      WHERE NOT tail.stale AND m.role_score >= $least AND $relations[m.role] IN $shared
      MATCH (s)<-[:HAS_SECTION]-(d:Document)-[:ABOUT]->(about:Entity&(Disease|Drug))-[:MEANS]->(head:Concept)
      RETURN head, about, d, s, tail, m
    }
    WITH * WHERE any(l IN labels(tail) WHERE l IN $labels[m.role]) AND NOT toLower(m.surface) IN $vague
    WITH head, about, d, s, tail, m ORDER BY m.start
    WITH head, about, d, s, tail, m.role AS role, max(m.role_score) AS score, collect(DISTINCT m.surface)[..5] AS surfaces
    WHERE head <> tail AND CASE WHEN role IN $drug_roles THEN about:Drug AND head:Drug|Chemical
                                ELSE about:Disease AND head:Disease|Symptom|Phenotype|SideEffect END
    WITH *, [c IN [head, tail] | [head([i IN range(0, size($ranks) - 1) WHERE $ranks[i] IN labels(c)]), c.cui]] AS ranks
    WITH *, role IN $turned OR ($relations[role] IN $symmetric AND ranks[1] < ranks[0]) AS turn
    RETURN DISTINCT CASE WHEN turn THEN tail ELSE head END AS head, $relations[role] AS relation,
                    CASE WHEN turn THEN head ELSE tail END AS tail, s, d, score, surfaces, null AS model
    UNION ALL
    MATCH (c:Concept)<-[:MEANS]-(e:Entity)<-[t:TELLS]-(s:Section)<-[:HAS_SECTION]-(d:Document)
    WHERE NOT c.stale AND t.status IN ['told', 'accepted'] AND (e.id = t.head OR t.relation IN $shared)
    MATCH (:Entity {id: t.head})-[:MEANS]->(h:Concept), (:Entity {id: t.tail})-[:MEANS]->(o:Concept)
    WHERE h <> o
    WITH s, d, t, h, o, [c IN [h, o] | [head([i IN range(0, size($ranks) - 1) WHERE $ranks[i] IN labels(c)]), c.cui]] AS ranks
    WITH s, d, t, h, o, t.relation IN $symmetric AND ranks[1] < ranks[0] AS turn
    RETURN DISTINCT CASE WHEN turn THEN o ELSE h END AS head, t.relation AS relation, CASE WHEN turn THEN h ELSE o END AS tail,
                    s, d, t.score AS score, [t.surface] AS surfaces, t.model AS model
  }
  WITH head, relation, tail, s, d, score, surfaces, model ORDER BY s.source, s.id, score DESC, model, surfaces
  WITH head, relation, tail, d, max(score) AS score, collect(DISTINCT s.id) AS ids, s.source AS source, collect(surfaces) AS surfaces,
       collect(coalesce(model, '')) AS models
  WITH head, relation, tail, source, d, score, ids, surfaces, models ORDER BY source, ids[0]
  WITH head, relation, tail, collect(ids) AS ids, collect(DISTINCT source) AS told, collect(surfaces) AS groups,
       reduce(all = [], part IN collect(models) | all + [m IN part WHERE NOT m IN all]) AS models,
       1 - reduce(doubt = 1.0, one IN collect(score) | doubt * (1 - one)) AS score
  WHERE score >= $enough AND NOT EXISTS { (head)<-[:MEANS]-(:Entity)-[:IS_A*1..3]->(:Entity)-[:MEANS]->(tail) }
  RETURN head, relation, tail, told, score, CASE WHEN '' IN models THEN [] ELSE models END AS models,
         reduce(all = [], part IN ids | all + part) AS sections,
         reduce(all = [], part IN reduce(parts = [], group IN groups | parts + group) | all + [x IN part WHERE NOT x IN all])[..5]
           AS surfaces
  UNION ALL
  MATCH (head:Concept)-[old]->(tail:Concept)
  WHERE (NOT head.stale OR (type(old) IN $shared AND NOT tail.stale)) AND old.told <> []
  RETURN head, type(old) AS relation, tail, [] AS sections, [] AS told, null AS score, [] AS models, [] AS surfaces
}
WITH head, relation, tail, collect({sections: sections, told: told, score: score, models: models, surfaces: surfaces}) AS all
WITH head, relation, tail, all[0] AS new
CALL (head, relation, tail) {
  OPTIONAL MATCH (head)-[old:$(relation)]->(tail)
  RETURN old
}
WITH head, relation, tail, old, new.told AS told,
     {told: new.told, sections: new.sections[..25], section_count: size(new.sections),
      surfaces: CASE new.told WHEN [] THEN null ELSE new.surfaces END, models: nullIf(new.models, []),
      told_score: round(new.score, 4)} AS new
CALL (head, relation, tail, old, new, told) {
  WHEN old IS NOT NULL AND told = [] AND old.stated = [] THEN {
    DELETE old
  }
  WHEN old IS NULL OR [old.told, old.sections, old.section_count, coalesce(old.surfaces, []), coalesce(old.models, []), coalesce(old.told_score, -1)]
                   <> [told, new.sections, new.section_count, coalesce(new.surfaces, []), coalesce(new.models, []), coalesce(new.told_score, -1)] THEN {
    MERGE (head)-[r:$(relation)]->(tail)
      ON CREATE SET r.stated = [], r.polarity = 'affirmed'
    SET r += new, r.sources = r.stated + [s IN told WHERE NOT s IN r.stated],
        r.score = round(1 - (1 - coalesce(CASE WHEN 0 <= r.stated_score <= 1 THEN r.stated_score END, 0.8)) ^ size(r.stated)
                              * (1 - coalesce(new.told_score, 0) * CASE WHEN r.stated = [] AND new.models IS NOT NULL THEN 0.8 ELSE 1 END), 4)
  }
} IN TRANSACTIONS OF 5000 ROWS
WITH told WHERE told <> []
RETURN count(*) AS found
