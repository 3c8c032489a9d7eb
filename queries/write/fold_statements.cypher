// name: fold_statements
// Gives concepts the relations that sources state of their entities, each once with all who state it, beside what sections
// tell, and which of them only predict it; what nobody says any more goes, and nothing else is written. A relation starts at
// one of these concepts.
// :param concepts => ['C0018099']
// :param inverses => {TREATS: 'TREATED_BY'}
// :param symmetric => ['RESEMBLES']
// :param labels => ['Disease', 'Symptom', 'Drug']
// returns: concepts, written
CYPHER 25
UNWIND $concepts AS cui
MATCH (c:Concept {cui: cui})
WITH c, head([i IN range(0, size($labels) - 1) WHERE $labels[i] IN labels(c)]) AS rank
CALL (c, rank) {
  CALL (c, rank) {
    MATCH (c)<-[:MEANS]-(e:Entity)-[r]-(o:Entity)-[:MEANS]->(x:Concept)
    WHERE x <> c AND r.source IS NOT NULL AND NOT coalesce(e.obsolete, false) AND NOT coalesce(o.obsolete, false)
      AND CASE
        WHEN type(r) IN $symmetric THEN
          [rank, c.cui] < [head([i IN range(0, size($labels) - 1) WHERE $labels[i] IN labels(x)]), x.cui]
        ELSE (startNode(r) = e) = ($inverses[type(r)] IS NULL)
      END
    WITH x, r ORDER BY r.source, r.score DESC, o.id, e.id
    RETURN x, coalesce($inverses[type(r)], type(r)) AS type, r, null AS old
    UNION ALL
    MATCH (c)-[old]->(x:Concept)
    RETURN x, type(old) AS type, null AS r, old
  }
  WITH x, type, head(collect(old)) AS old, collect(DISTINCT r.source) AS stated, max(r.score) AS score,
       collect(DISTINCT CASE WHEN coalesce(r.knowledge_level, '') <> 'prediction' THEN r.source END) AS known,
       collect(DISTINCT nullif(r.predicate, ''))[..25] AS predicates, collect(r.evidence) AS evidence
  WITH *, CASE predicates WHEN [] THEN null ELSE predicates END AS predicates,
       reduce(ids = [], part IN evidence | CASE WHEN size(ids) >= 25 THEN ids ELSE ids + [id IN part WHERE NOT id IN ids] END)[..25] AS evidence
  WITH *, [source IN stated WHERE NOT source IN known] AS predicted, coalesce(CASE WHEN 0 <= score <= 1 THEN score END, 0.8) AS sure
  WHERE old IS NULL
     OR [old.stated, coalesce(old.predicted, []), coalesce(old.stated_score, -1), coalesce(old.evidence, []), coalesce(old.predicates, [])]
        <> [stated, predicted, coalesce(score, -1), evidence, coalesce(predicates, [])]
  WITH *, CASE predicted WHEN [] THEN null ELSE predicted END AS predicted
  // What sections tell of a kind of something leaves out what it is a kind of.
  CALL (c, type) {
    WITH c WHERE type = 'IS_A'
    MATCH (c)<-[:MEANS]-(:Entity)<-[:IS_A*0..2]-(kind:Entity)
    MATCH (kind)-[:MEANS]->(below:Concept)
    SET below.stale = true
  }
  CALL (c, x, type, old, stated, predicted, score, sure, predicates, evidence) {
    WHEN old IS NULL THEN {
      CREATE (c)-[r:$(type)]->(x)
      SET r = {sources: stated, stated: stated, told: [], sections: [], section_count: 0, polarity: 'affirmed',
               predicted: predicted, stated_score: score, predicates: predicates, evidence: evidence,
               score: round(1 - (1 - sure) ^ size(stated), 4)}
    }
    WHEN stated = [] AND old.told = [] THEN {
      DELETE old
    }
    ELSE {
      SET old += {sources: stated + [s IN old.told WHERE NOT s IN stated], stated: stated, predicted: predicted, stated_score: score,
                  predicates: predicates, evidence: evidence,
                  score: round(1 - (1 - sure) ^ size(stated) * (1 - coalesce(old.told_score, 0)), 4)}
    }
  }
  RETURN count(*) AS written
}
RETURN count(c) AS concepts, sum(written) AS written
