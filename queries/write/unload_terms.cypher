// name: unload_terms
// Removes what the documents of sources tell of terms, before these documents go, five hundred documents a transaction.
// :param sources => ['medquad']
// returns:
CYPHER 25
MATCH (source:Source)<-[:FROM]-(d:Document)
WHERE source.id IN $sources
CALL (d) {
  MATCH (d)-[:HAS_SECTION]->(s:Section)-[told:TELLS_OF]->(t:Term)
  OPTIONAL MATCH (:Concept)-[r]->(t) WHERE r.evidence = [s.id]
  DELETE told, r
  WITH DISTINCT t
  WHERE NOT EXISTS { (t)<-[:TELLS_OF]-() }
  DETACH DELETE t
} IN TRANSACTIONS OF 500 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL
