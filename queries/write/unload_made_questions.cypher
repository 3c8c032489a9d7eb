// name: unload_made_questions
// Removes questions that medgraph made with a name that some sources give, five hundred a transaction; their documents get others when questions are made again.
// :param sources => ['hpo-lay']
// returns: removed
CYPHER 25
MATCH (q:Question {generated: true})-[:ANSWERED_AT]->(d:Document)
WHERE any(source IN q.named_by WHERE source IN $sources)
CALL (q, d) {
  MATCH (d)-[:HAS_SECTION]->(s:Section {position: 1})
  REMOVE s.asked
  DETACH DELETE q
} IN TRANSACTIONS OF 500 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL
RETURN count(*) AS removed
