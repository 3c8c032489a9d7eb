// name: questions_about
// The questions that sources ask about a disease, and where their answers stand.
// :param name => 'Gout'
// returns: question, type, section, answered_at
MATCH (e:Entity:Disease)<-[:ABOUT]-(d:Document)
WHERE e.name IN [$name, toLower($name), toUpper($name), toUpper(left($name, 1)) + toLower(substring($name, 1))]
CALL (d) {
  MATCH (d)-[:HAS_SECTION]->(s:Section)<-[:ANSWERED_BY]-(q:Question)
  RETURN q, s.id AS section, d.url AS url
  UNION
  MATCH (d)<-[:ANSWERED_AT]-(q:Question)
  RETURN q, null AS section, d.url AS url
}
RETURN q.text AS question, q.type AS type, section, url AS answered_at
ORDER BY type, question
