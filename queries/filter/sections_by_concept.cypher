// name: sections_by_concept
// Sections that mention a concept, or whose document is about it, and pages about it that answer questions.
// :param id => 'C0018099'
// returns: id
CALL () {
  MATCH (:Concept {cui: $id})<-[:MENTIONS]-(:Chunk)<-[:HAS_CHUNK]-(s:Section)
  RETURN s.id AS id
  UNION
  MATCH (:Term {id: $id})<-[:TELLS_OF]-(s:Section)
  RETURN s.id AS id
  UNION
  CALL () {
    MATCH (e:Entity {id: $id}) // before concepts are indexed, an entity stands for itself
    RETURN e
    UNION
    MATCH (:Concept {cui: $id})<-[:MEANS|HAS_CUI|ABOUT_CONCEPT]-(e:Entity)
    RETURN e
  }
  MATCH (e)<-[:ABOUT]-(d:Document)
  CALL (d) {
    MATCH (d)-[:HAS_SECTION]->(s:Section)
    RETURN s.id AS id
    UNION
    MATCH (d)<-[:ANSWERED_AT]-(:Question)
    RETURN d.id AS id
  }
  RETURN id
}
RETURN DISTINCT id
