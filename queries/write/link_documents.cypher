// name: link_documents
// Links documents to entities that they are about and that came after them.
// returns: linked
CYPHER 25
MATCH (d:Document)
WHERE d.about IS NOT NULL AND COUNT { (d)-[:ABOUT]->() } < size(d.about)
CALL (d) {
  UNWIND range(0, size(d.about) - 1) AS i
  MATCH (e:Entity {id: d.about[i]})
  USING INDEX SEEK e:Entity(id)
  WHERE NOT EXISTS { (d)-[:ABOUT]->(e) }
  CREATE (d)-[:ABOUT {source: d.source, position: i + 1}]->(e)
  RETURN count(*) AS made
} IN TRANSACTIONS OF 1000 ROWS ON ERROR RETRY FOR 30 SECONDS THEN FAIL
RETURN sum(made) AS linked
