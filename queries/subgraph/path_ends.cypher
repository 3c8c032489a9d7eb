// name: path_ends
// What stands at the ends of paths: concepts or terms by id, with what each is in a source's words, and how many relations
// it has that paths may take.
// :param ids => ["C0018099", "C0022650"]
// returns: id, name, label, entity, relations, description, source, origin, licence, quoted
UNWIND $ids AS id
CALL (id) {
  MATCH (n:Concept {cui: id}) RETURN n
  UNION
  MATCH (n:Term {id: id}) RETURN n
}
CALL (n) { // a definition, by the source whose word goes first; else what an overview says
  MATCH (n)<-[:MEANS]-(e:Entity)
  WHERE coalesce(e.definition, '') <> ''
  OPTIONAL MATCH (e)-[f:FROM]->(s:Source)
  WHERE f.label IS NULL OR f.definition = e.definition
  RETURN e.definition AS description, coalesce(s.id, '') AS source, coalesce(s.licence, '') AS licence, coalesce(s.standing, '~') AS standing, e.id AS origin, 0 AS turn
  UNION ALL
  MATCH (n)-[d:DESCRIBED_IN]->(p:Section)
  OPTIONAL MATCH (s:Source {id: p.source})
  RETURN substring(p.text, d.start, d.end - d.start) AS description, p.source AS source, coalesce(s.licence, '') AS licence, coalesce(s.standing, '~') AS standing,
         p.id AS origin, 1 AS turn
  UNION ALL
  RETURN '' AS description, '' AS source, '' AS licence, '' AS standing, '' AS origin, 2 AS turn
}
WITH n, id, description, source, origin, licence, turn ORDER BY turn, standing, origin
WITH n, id, collect([description, source, origin, licence, turn = 1])[0] AS told
RETURN id, coalesce(n.name, id) AS name, coalesce([l IN labels(n) WHERE l <> 'Concept'][0], 'Concept') AS label,
       coalesce(COLLECT { MATCH (n)<-[:MEANS]-(e:Entity)
                          RETURN e.id ORDER BY toLower(e.name) <> toLower(n.name), e.id LIMIT 1 }[0], '') AS entity,
       COUNT { (n)-[:IS_A|PART_OF|HAS_PART|LOCATED_IN|DEVELOPS_FROM|HAS_SYMPTOM|CAUSED_BY|HAS_RISK_FACTOR|HAS_COMPLICATION|DIAGNOSED_BY
               |TREATED_BY|PREVENTED_BY|WORSENED_BY|CONTRAINDICATED_WITH|PALLIATES|HAS_SIDE_EFFECT|HAS_MEMBER|AFFECTS|BINDS
               |INTERACTS_WITH|REGULATES|UPREGULATES|DOWNREGULATES|EXPRESSES|COVARIES_WITH|PARTICIPATES_IN|ASSOCIATED_WITH
               |RESEMBLES|EXACT_MATCH|CLOSE_MATCH|BROAD_MATCH|RELATED_MATCH|RELATED_TO]-() } AS relations,
       told[0] AS description, told[1] AS source, told[2] AS origin, told[3] AS licence, told[4] AS quoted
