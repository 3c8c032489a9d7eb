// name: posed_questions
// Questions that a source's pages pose, with what they are about and its names on the page.
// :param source => 'medquad'
// returns: text, type, label, names
MATCH (d:Document {source: $source})-[:ABOUT]->(e:Entity)
WITH d, collect(e)[0] AS e
CALL (d) {
  MATCH (d)-[:HAS_SECTION]->(:Section)<-[:ANSWERED_BY]-(q:Question)
  RETURN q
  UNION
  MATCH (d)<-[:ANSWERED_AT]-(q:Question)
  RETURN q
}
RETURN q.text AS text, q.type AS type, [l IN labels(e) WHERE l <> 'Entity'][0] AS label,
       [e.name, d.title] + coalesce(d.aliases, []) + coalesce(e.synonyms, []) AS names
ORDER BY q.id
