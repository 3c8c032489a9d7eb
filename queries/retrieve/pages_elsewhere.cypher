// name: pages_elsewhere
// Pages that answer questions without a section: those given, and those about some entities or about others that mean the
// same; with the questions that each answers, and how near these are to one asked.
// :param documents => []
// :param entities => ['sample:gout']
// :param vector => [0.1, 0.2]
// :param search_vector => [0.1, 0.2]
// :param filtered => false
// :param sources => []
// :param collections => []
// :param types => []
// :param since => ''
// :param until => '9999'
// :param within => null
// :param limit => 60
// returns: document, title, url, source, licence, about, questions
CYPHER 25
CALL () {
  UNWIND $documents AS id
  MATCH (d:Document {id: id})
  RETURN d, 0 AS about
  UNION ALL
  CALL () {
    UNWIND $entities AS id
    MATCH (e:Entity {id: id})
    CALL (e) {
      RETURN e AS meant
      UNION
      MATCH (e)-[:MEANS]->(:Concept)<-[:MEANS]-(meant:Entity)
      RETURN meant
    }
    MATCH (meant)<-[:ABOUT]-(d:Document)
    WHERE EXISTS { (d)<-[:ANSWERED_AT]-(:Question) }
    RETURN DISTINCT d
    ORDER BY d.id LIMIT $limit
  }
  RETURN d, 1 AS about
}
WITH d, max(about) > 0 AS about
MATCH (d)<-[:ANSWERED_AT]-(q:Question)
WITH d, about, q, q.embedding AS vector // read once: that is most of the work
WHERE size(vector) = size($vector)
  AND (NOT $filtered
       OR (($within IS NULL OR d.id IN $within)
           AND q.source IN $sources AND q.collection IN $collections AND q.type IN $types
           AND q.published >= $since AND q.published <= $until))
WITH d, about, q, vector ORDER BY q.id
RETURN d.id AS document, d.title AS title, coalesce(d.url, '') AS url, d.source AS source,
       coalesce(d.licences, [(d)-[:FROM]->(s:Source) | s.licence][0], '') AS licence, about,
       collect({type: coalesce(q.type, ''), text: q.text,
                near: 2 * vector.similarity.cosine(vector, $vector) - 1,
                found: 2 * vector.similarity.cosine(vector, $search_vector) - 1}) AS questions
ORDER BY document
