// name: description
// What an entity without a definition is: a definition of another entity of its concept, else the sentences of an overview
// that say it; in the words of the source whose word goes first.
// :param id => 'sample:gout'
// returns: text, source, entity, section
MATCH (e:Entity {id: $id})-[:MEANS]->(c:Concept)
WHERE coalesce(e.definition, '') = ''
CALL (e, c) {
  MATCH (c)<-[:MEANS]-(o:Entity)
  WHERE o <> e AND coalesce(o.definition, '') <> ''
  OPTIONAL MATCH (o)-[f:FROM]->(s:Source)
  WHERE f.label IS NULL OR f.definition = o.definition
  RETURN o.definition AS text, coalesce(s.id, '') AS source, coalesce(s.standing, '~') AS standing, o.id AS entity,
         '' AS section, 0 AS turn
  UNION ALL
  MATCH (c)-[d:DESCRIBED_IN]->(p:Section)
  OPTIONAL MATCH (s:Source {id: p.source})
  RETURN substring(p.text, d.start, d.end - d.start) AS text, p.source AS source, coalesce(s.standing, '~') AS standing,
         '' AS entity, p.id AS section, 1 AS turn
}
RETURN text, source, entity, section
ORDER BY turn, standing, section, entity LIMIT 1
