// name: unload_told
// Removes the documents of what relations tell that rest on what some sources say, five hundred documents a transaction.
// :param sources => ['medquad']
// returns: removed
CYPHER 25
MATCH (:Source {id: 'graph'})<-[:FROM]-(d:Document)
WHERE any(source IN d.told_by WHERE source IN $sources)
CALL (d) {
  OPTIONAL MATCH (d)-[:HAS_SECTION]->(s:Section)
  OPTIONAL MATCH (s)-[:HAS_CHUNK]->(c:Chunk)
  OPTIONAL MATCH (d)<-[:ANSWERED_AT]-(q:Question)
  WITH d, collect(DISTINCT s) + collect(DISTINCT c) + collect(DISTINCT q) AS parts
  UNWIND parts + [d] AS part
  DETACH DELETE part
  RETURN count(*) AS gone
} IN TRANSACTIONS OF 500 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL
RETURN sum(gone) AS removed
