// name: forget_told
// Forgets what a model told of sections, and that it read them, but for what a curator decided.
// :param model => 'openai:big'
// returns: sections
CYPHER 25
MATCH (s:Section)
WHERE any(by IN s.read_by WHERE by STARTS WITH $model + '@')
CALL (s) {
  SET s.read_by = nullIf([by IN s.read_by WHERE NOT by STARTS WITH $model + '@'], [])
  WITH s
  MATCH (s)-[t:TELLS {model: $model}]->(e:Entity)
  WHERE t.decided IS NULL
  OPTIONAL MATCH (e)-[:MEANS]->(c:Concept)
  SET c.stale = true
  DELETE t
} IN TRANSACTIONS OF 500 ROWS
RETURN count(DISTINCT s) AS sections
