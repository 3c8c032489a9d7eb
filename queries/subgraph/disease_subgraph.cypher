// name: disease_subgraph
// Everything that goes with a condition, with who says so: relations that sources state of any entity of its concept, and
// those that sections about it state, also in words that no vocabulary has; with topics whose titles name it, and what each
// thing is a kind of. All types of relations, or some; the best said of each first, and of how many.
// :param concept => 'C0018099'
// :param types => []
// :param limit => 25
// :param kinds => 1
// returns: relation, direction, concept, name, label, entity, names, said, above, count
CALL () {
  MATCH (c:Concept {cui: $concept}) RETURN c
  UNION
  MATCH (c:Term {id: $concept}) RETURN c
}
CALL (c) {
  MATCH (c)<-[:MEANS]-(e:Entity)-[r]-(o:Entity)-[:MEANS]->(x:Concept)
  WHERE x <> c AND r.source IS NOT NULL AND (size($types) = 0 OR type(r) IN $types)
  RETURN type(r) AS relation, CASE WHEN startNode(r) = e THEN 'out' ELSE 'in' END AS direction, x, [r.source] AS sources,
         'stated' AS method, coalesce(r.score, 1.0) AS score, coalesce(r.evidence, []) AS evidence, [] AS surfaces
  UNION ALL
  MATCH (c)-[r]-(x:Concept)
  WHERE r.method = 'section' AND (size($types) = 0 OR type(r) IN $types)
  RETURN type(r) AS relation, CASE WHEN startNode(r) = c THEN 'out' ELSE 'in' END AS direction, x, r.sources AS sources,
         r.method AS method, r.score * (1 - 0.5 / r.sections) AS score, r.evidence AS evidence, r.surfaces AS surfaces
  UNION ALL
  MATCH (c)-[r {method: 'term'}]-(x:Concept|Term)
  WHERE size($types) = 0 OR type(r) IN $types
  WITH type(r) AS relation, CASE WHEN startNode(r) = c THEN 'out' ELSE 'in' END AS direction, x,
       collect(DISTINCT r.sources[0]) AS sources, max(r.score) AS score, collect(DISTINCT r.evidence[0]) AS evidence
  RETURN relation, direction, x, sources, 'term' AS method, score * (1 - 0.5 / size(evidence)) AS score, evidence, [] AS surfaces
  UNION ALL
  MATCH (c)<-[r:ABOUT_CONCEPT]-(t:Topic)-[:MEANS]->(x:Concept)
  WHERE x <> c AND (size($types) = 0 OR type(r) IN $types)
  RETURN type(r) AS relation, 'in' AS direction, x, t.sources AS sources, r.method AS method, r.score AS score,
         COLLECT { MATCH (t)<-[:ABOUT]-(d:Document) RETURN d.id ORDER BY d.id LIMIT 5 } AS evidence, [] AS surfaces
}
WITH relation, direction, x, method, max(score) AS score, collect(sources) AS sources,
     collect(evidence) AS evidence, collect(surfaces) AS surfaces
WITH relation, direction, x, score, surfaces,
     {relation: relation, method: method, score: score,
      sources: reduce(all = [], part IN sources | all + [v IN part WHERE NOT v IN all]),
      evidence: reduce(all = [], part IN evidence | all + [v IN part WHERE NOT v IN all])[..5]} AS voice
ORDER BY voice.method = 'term', score DESC, voice.method
WITH relation, direction, x, collect(voice) AS said, collect(surfaces) AS surfaces,
     reduce(doubt = 1.0, s IN collect(score) | doubt * (1.001 - s)) AS doubt, coalesce(x.title, x.name, x.cui, x.id) AS name
ORDER BY size(said) DESC, size(said[0].sources) DESC, doubt, toLower(name), coalesce(x.cui, x.id)
WITH relation, direction, count(*) AS count, collect({x: x, name: name, said: said, surfaces: surfaces})[..$limit] AS rows
WITH collect({relation: relation, direction: direction, count: count, rows: rows}) AS several,
     COLLECT { MATCH (s:Source) RETURN [s.id, coalesce(s.licence, '')] } AS licences
UNWIND several AS one
UNWIND range(0, size(one.rows) - 1) AS place
WITH one.relation AS relation, one.direction AS direction, one.count AS count, place, one.rows[place] AS row, licences
WITH *, row.x AS x
RETURN relation, direction, coalesce(x.cui, x.id) AS concept, row.name AS name, coalesce(x.label, labels(x)[0]) AS label,
       coalesce(COLLECT { MATCH (x)<-[:MEANS]-(e:Entity)
                          RETURN e.id ORDER BY toLower(e.name) <> toLower(row.name), e.id LIMIT 1 }[0], '') AS entity,
       COLLECT { MATCH (x)<-[:MEANS]-(e:Entity) UNWIND [e.name] + coalesce(e.synonyms, []) AS n
                 WITH DISTINCT n WHERE toLower(n) = toLower(row.name) RETURN n ORDER BY n }
         + reduce(all = [], several IN row.surfaces | reduce(some = all, part IN several
             | some + [v IN part WHERE toLower(v) = toLower(row.name) AND NOT v IN some])) AS names,
       [v IN row.said | v {.*, licences: [l IN licences WHERE l[0] IN v.sources AND l[1] <> '' | l[1]]}] AS said,
       COLLECT {
         MATCH (x)<-[:MEANS]-(:Entity)-[r:IS_A]->(:Entity)-[:MEANS]->(y:Concept)
         WHERE y <> x AND y.cui <> $concept
         WITH y, licences, collect(DISTINCT r.source) AS sources
         ORDER BY size(sources) DESC, toLower(coalesce(y.title, y.name)), y.cui LIMIT $kinds
         RETURN {id: y.cui, name: coalesce(y.title, y.name, y.cui), label: coalesce(y.label, ''),
                 names: COLLECT { MATCH (y)<-[:MEANS]-(e:Entity) WHERE toLower(e.name) = toLower(coalesce(y.title, y.name))
                                  RETURN DISTINCT e.name ORDER BY e.name },
                 entity: coalesce(COLLECT { MATCH (y)<-[:MEANS]-(e:Entity)
                                            RETURN e.id ORDER BY toLower(e.name) <> toLower(coalesce(y.title, y.name)), e.id LIMIT 1 }[0], ''),
                 sources: sources, licences: [l IN licences WHERE l[0] IN sources AND l[1] <> '' | l[1]]}
       } AS above,
       count
ORDER BY relation, direction DESC, place
