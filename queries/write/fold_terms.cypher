// name: fold_terms
// Gives conditions their relations to terms, each once with all sections that tell it; what none tells any more goes, with
// the terms that no section tells of, and nothing else is written.
// :param terms => ['term:silvery-scale']
// returns: written
CYPHER 25
UNWIND $terms AS id
MATCH (t:Term {id: id})
REMOVE t.stale
WITH t
CALL (t) {
  WHEN NOT EXISTS { (t)<-[:TELLS_OF]-(:Section) } THEN {
    DETACH DELETE t
    RETURN count(*) AS written
  }
  ELSE {
    CALL (t) {
      MATCH (t)<-[say:TELLS_OF]-(s:Section)<-[:HAS_SECTION]-(:Document)-[:ABOUT]->(:Entity&Disease)-[:MEANS]->(head:Concept)
      WHERE head:Disease|Symptom|Phenotype|SideEffect
      WITH head, say, s ORDER BY s.source, s.id
      RETURN head, say.relation AS type, s, say, null AS old
      UNION ALL
      MATCH (head:Concept)-[old]->(t)
      RETURN head, type(old) AS type, null AS s, null AS say, old
    }
    WITH t, head, type, head(collect(old)) AS old, collect(DISTINCT s.source) AS told, collect(DISTINCT s.id) AS sections,
         collect(DISTINCT say.surface)[..5] AS surfaces, max(say.score) AS score
    WITH *, round(score * (1 - 0.5 / (0.0 + size(sections))), 4) AS score
    WHERE old IS NULL OR [old.told, old.sections, old.section_count, old.surfaces, old.told_score]
                      <> [told, sections[..25], size(sections), surfaces, coalesce(score, -1)]
    CALL (t, head, type, old, told, sections, surfaces, score) {
      WHEN told = [] THEN {
        DELETE old
      }
      ELSE {
        MERGE (head)-[r:$(type)]->(t)
        SET r = {sources: told, stated: [], told: told, sections: sections[..25], section_count: size(sections),
                 surfaces: surfaces, told_score: score, score: score, polarity: 'affirmed'}
      }
    }
    RETURN count(*) AS written
  }
}
RETURN sum(written) AS written
