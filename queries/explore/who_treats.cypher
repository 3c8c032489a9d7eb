// name: who_treats
// Which sources and texts say that a drug or treatment treats a condition, whatever each calls the two; either may be left empty.
// :param drug => ''
// :param condition => 'Gout'
// :param limit => 25
// returns: condition, treatment, source, method, relation, sections, evidence
MATCH (e:Entity)-[:MEANS]->(c:Concept)
WHERE toLower(e.name) IN [toLower($drug), toLower($condition)] OR any(s IN e.synonyms WHERE toLower(s) IN [toLower($drug), toLower($condition)])
WITH CASE WHEN any(name IN e.name + coalesce(e.synonyms, []) WHERE toLower(name) = toLower($drug)) THEN 'drug' ELSE 'condition' END AS part,
     collect(DISTINCT c) AS found
WITH collect({part: part, found: found}) AS parts
WITH head([p IN parts WHERE p.part = 'drug' | p.found]) AS drugs, head([p IN parts WHERE p.part = 'condition' | p.found]) AS conditions
WHERE ($drug = '' OR drugs IS NOT NULL) AND ($condition = '' OR conditions IS NOT NULL) AND ($drug <> '' OR $condition <> '')
UNWIND CASE WHEN conditions IS NULL THEN drugs ELSE conditions END AS start
CALL (start, drugs, conditions) {
  MATCH (start)-[r:TREATED_BY]-(x:Concept)
  WHERE r.method = 'section'
  WITH startNode(r) AS c, endNode(r) AS t, r
  UNWIND r.sources AS source
  RETURN c, t, source, r.method AS method, type(r) AS relation, r.sections AS sections, r.evidence[..5] AS evidence
  UNION
  MATCH (start)<-[:MEANS]-(:Entity)-[r:TREATED_BY|TREATS|PALLIATES]-(:Entity)
  WITH r, CASE WHEN type(r) = 'TREATED_BY' THEN [startNode(r), endNode(r)] ELSE [endNode(r), startNode(r)] END AS ends
  MATCH (c:Concept)<-[:MEANS]-(a:Entity) WHERE a = ends[0]
  MATCH (t:Concept)<-[:MEANS]-(b:Entity) WHERE b = ends[1]
  RETURN c, t, r.source AS source, coalesce(r.method, 'stated') AS method, type(r) AS relation, 0 AS sections,
         coalesce(r.evidence, [])[..5] AS evidence
}
WITH c, t, source, method, relation, sections, evidence, drugs, conditions
WHERE (drugs IS NULL OR t IN drugs) AND (conditions IS NULL OR c IN conditions)
WITH c, t, collect({source: source, method: method, relation: relation, sections: sections, evidence: evidence}) AS voices
ORDER BY size(voices) DESC, reduce(n = 0, v IN voices | n + v.sections) DESC, t.name LIMIT $limit
UNWIND voices AS v
RETURN c.name AS condition, t.name AS treatment, v.source AS source, v.method AS method,
       v.relation AS relation, v.sections AS sections, v.evidence AS evidence
