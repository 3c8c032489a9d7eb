// name: disease_subgraph
// Everything that goes with a condition, with who says so: relations of its concept that sources state and sections tell, also
// in words that no vocabulary has; with topics whose titles name it, and what each thing is a kind of. All types of
// relations, or some; the best said of each first, and of how many.
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
  MATCH (c)-[r]-(x:Concept|Term)
  WHERE size($types) = 0 OR type(r) IN $types
  UNWIND [{method: 'stated', sources: [s IN r.stated WHERE NOT s IN coalesce(r.predicted, [])],
           score: coalesce(r.stated_score, 1.0), evidence: coalesce(r.evidence, [])},
          {method: 'predicted', sources: coalesce(r.predicted, []), score: coalesce(r.stated_score, 0.5), evidence: []},
          {method: CASE WHEN c:Term OR x:Term THEN 'term' WHEN r.models IS NULL THEN 'section' ELSE 'model' END, sources: r.told, score: r.told_score,
           evidence: r.sections}] AS voice
  WITH c, x, r, voice WHERE voice.sources <> []
  RETURN type(r) AS relation, CASE WHEN startNode(r) = c THEN 'out' ELSE 'in' END AS direction, x, voice, r.surfaces AS surfaces
  UNION ALL
  MATCH (c)<-[r:ABOUT_CONCEPT]-(t:Entity&Topic)-[:MEANS]->(x:Concept)
  WHERE x <> c AND (size($types) = 0 OR type(r) IN $types)
  WITH x, type(r) AS relation, r.method AS method, max(r.score) AS score, collect(t) AS topics
  RETURN relation, 'in' AS direction, x,
         {method: method, score: score,
          sources: COLLECT { UNWIND topics AS t UNWIND t.sources AS source RETURN DISTINCT source ORDER BY source },
          evidence: COLLECT { UNWIND topics AS t MATCH (t)<-[:ABOUT]-(d:Document) RETURN DISTINCT d.id AS id ORDER BY id LIMIT 5 }} AS voice,
         null AS surfaces
}
WITH relation, direction, x, surfaces, {relation: relation, method: voice.method, score: voice.score, sources: voice.sources,
     evidence: voice.evidence[..5]} AS voice
ORDER BY voice.method = 'term', voice.score DESC, voice.method
WITH relation, direction, x, collect(voice) AS said, coalesce(collect(surfaces)[0], []) AS surfaces,
     reduce(doubt = 1.0, s IN collect(voice.score) | doubt * (1.001 - s)) AS doubt, coalesce(x.name, x.cui, x.id) AS name
ORDER BY all(voice IN said WHERE voice.method = 'model'), size(said) DESC, size(said[0].sources) DESC, doubt, toLower(name), coalesce(x.cui, x.id)
WITH relation, direction, count(*) AS count, collect({x: x, name: name, said: said, surfaces: surfaces})[..$limit] AS rows
WITH collect({relation: relation, direction: direction, count: count, rows: rows}) AS several,
     COLLECT { MATCH (s:Source) RETURN [s.id, coalesce(s.licence, '')] } AS licences
UNWIND several AS one
UNWIND range(0, size(one.rows) - 1) AS place
WITH one.relation AS relation, one.direction AS direction, one.count AS count, place, one.rows[place] AS row, licences
WITH *, row.x AS x
RETURN relation, direction, coalesce(x.cui, x.id) AS concept, row.name AS name,
       coalesce([l IN labels(x) WHERE l <> 'Concept'][0], 'Concept') AS label,
       coalesce(COLLECT { MATCH (x)<-[:MEANS]-(e:Entity)
                          RETURN e.id ORDER BY toLower(e.name) <> toLower(row.name), e.id LIMIT 1 }[0], '') AS entity,
       COLLECT { MATCH (x)<-[:MEANS]-(e:Entity) UNWIND [e.name] + coalesce(e.synonyms, []) AS n
                 WITH DISTINCT n WHERE toLower(n) = toLower(row.name) RETURN n ORDER BY n }
         + [v IN row.surfaces WHERE toLower(v) = toLower(row.name)] AS names,
       [v IN row.said | v {.*, licences: [l IN licences WHERE l[0] IN v.sources AND l[1] <> '' | l[1]]}] AS said,
       COLLECT {
         MATCH (x)-[r:IS_A]->(y:Concept)
         WHERE y.cui <> $concept
         WITH y, licences, r.sources AS sources
         ORDER BY size(sources) DESC, toLower(y.name), y.cui LIMIT $kinds
         RETURN {id: y.cui, name: coalesce(y.name, y.cui), label: coalesce([l IN labels(y) WHERE l <> 'Concept'][0], ''),
                 names: COLLECT { MATCH (y)<-[:MEANS]-(e:Entity) WHERE toLower(e.name) = toLower(y.name)
                                  RETURN DISTINCT e.name ORDER BY e.name },
                 entity: coalesce(COLLECT { MATCH (y)<-[:MEANS]-(e:Entity)
                                            RETURN e.id ORDER BY toLower(e.name) <> toLower(y.name), e.id LIMIT 1 }[0], ''),
                 sources: sources, licences: [l IN licences WHERE l[0] IN sources AND l[1] <> '' | l[1]]}
       } AS above,
       count
ORDER BY relation, direction DESC, place
