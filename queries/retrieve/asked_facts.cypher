// name: asked_facts
// Facts of one kind about what some entities mean, where that is one concept, whatever relations say it: what is related to it,
// or whether one other thing is, if some are given, with who says so and under which licence. Those that most voices say come first.
// :param entities => ['sample:gout']
// :param others => []
// :param out => ['TREATED_BY']
// :param back => ['TREATS']
// :param labels => ['Drug', 'Chemical', 'DrugClass', 'Treatment']
// :param terms => true
// :param named => ''
// :param limit => 40
// returns: concept, name, object, object_name, label, names, forward, said, frequency
MATCH (named:Entity)-[:MEANS]->(meant:Concept) WHERE named.id IN $entities
WITH collect(DISTINCT meant) AS several WHERE size(several) = 1
WITH several[0] AS c, COLLECT { MATCH (o:Entity)-[:MEANS]->(x:Concept) WHERE o.id IN $others RETURN DISTINCT x } AS only
WHERE $others = [] OR size(only) = 1
CALL (c) {
  MATCH (c)<-[:MEANS]-(e:Entity)-[r]-(o:Entity)-[:MEANS]->(x:Concept)
  WHERE x <> c AND r.source IS NOT NULL AND coalesce(r.knowledge_level, '') <> 'prediction'
    AND (type(r) IN $out AND startNode(r) = e OR type(r) IN $back AND endNode(r) = e)
  RETURN x, type(r) AS relation, 'stated' AS method, [r.source] AS sources, r.score AS score,
         coalesce(r.evidence, []) AS evidence, [] AS surfaces, startNode(r) = e AS forward, null AS frequency
  UNION ALL
  MATCH (c)-[r]->(x:Concept|Term)
  WHERE type(r) IN $out AND r.told <> [] AND ($terms OR x:Concept)
  RETURN x, type(r) AS relation, CASE WHEN x:Term THEN 'term' WHEN r.models IS NULL THEN 'section' ELSE 'model' END AS method, r.told AS sources,
         r.told_score AS score, r.sections AS evidence, coalesce(r.surfaces, []) AS surfaces, true AS forward,
         r.frequency AS frequency
}
WITH c, only, x, relation, method, max(forward) AS forward, max(score) AS score, collect(sources) AS sources, collect(evidence) AS evidence,
     collect(surfaces) AS surfaces, max(frequency) AS frequency
WHERE (x:Term OR any(l IN labels(x) WHERE l IN $labels)) AND ($others = [] OR x IN only)
  AND toLower(coalesce(x.name, x.cui, x.id)) ENDS WITH $named
WITH c, x, relation, method, forward, score, surfaces, frequency,
     reduce(all = [], part IN sources | all + [v IN part WHERE NOT v IN all]) AS sources,
     reduce(all = [], part IN evidence | all + [v IN part WHERE NOT v IN all])[..5] AS evidence
ORDER BY method = 'term', method = 'model', method = 'section', score DESC, relation
WITH c, x, collect(surfaces) AS surfaces, collect(forward)[0] AS forward, max(frequency) AS frequency,
     collect({relation: relation, method: method, score: round(score, 3), sources: sources, evidence: evidence,
              licences: COLLECT { UNWIND sources AS id MATCH (s:Source {id: id}) RETURN DISTINCT coalesce(s.licence, '') }}) AS said,
     coalesce(x.name, x.cui, x.id) AS name
WITH c, x, surfaces, forward, said, name, frequency,
     reduce(all = [], voice IN said | all + [v IN voice.sources WHERE NOT v IN all]) AS voices,
     reduce(doubt = 1.0, voice IN said | doubt * (1.001 - coalesce(voice.score, 0.5))) AS doubt
RETURN coalesce(c.cui, c.id) AS concept, coalesce(c.name, c.cui) AS name, coalesce(x.cui, x.id) AS object,
       name AS object_name, coalesce([l IN labels(x) WHERE l <> 'Concept'][0], 'Concept') AS label,
       COLLECT { MATCH (x)<-[:MEANS]-(e:Entity) UNWIND [e.name] + coalesce(e.synonyms, []) AS n
                 WITH DISTINCT n WHERE toLower(n) = toLower(name) RETURN n ORDER BY n }
         + reduce(all = [], several IN surfaces | reduce(some = all, part IN several
             | some + [v IN part WHERE toLower(v) = toLower(name) AND NOT v IN some])) AS names,
       forward, said, frequency
ORDER BY all(voice IN said WHERE voice.method = 'model'), size(voices) DESC, doubt, toLower(name), object
LIMIT $limit
