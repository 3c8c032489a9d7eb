// name: semantic
// Sections with a chunk whose vector is near the question's, the nearest chunk shown.
// :param vector => [0.1, 0.2]
// :param filtered => false
// :param by_source => false
// :param sources => []
// :param collections => []
// :param types => []
// :param since => ''
// :param until => '9999'
// :param within => null
// :param scanned => false
// :param wide => 30
// :param fetch => 100
// :param limit => 10
// returns: section, document, title, url, source, collection, type, question, text, start, end, score, scores, licence, notices
CYPHER 25
CALL () {
  WHEN $scanned THEN { // few enough to be compared one by one, exactly
    UNWIND $within AS id
    MATCH (:Section {id: id})-[:HAS_CHUNK]->(c:Chunk)
    WHERE size(c.embedding) = size($vector)
      AND c.source IN $sources AND c.collection IN $collections AND c.type IN $types
      AND c.published >= $since AND c.published <= $until
    WITH id, c, vector.similarity.cosine(c.embedding, $vector) AS score ORDER BY score DESC, c.id
    WITH id, collect(c)[0] AS c, max(score) AS score ORDER BY score DESC, c.id LIMIT $fetch // of each section one
    RETURN c, score
  }
  WHEN $within IS NOT NULL THEN {
    MATCH (c)
    SEARCH c IN (
      VECTOR INDEX chunk_embedding FOR $vector
      WHERE c.source IN $sources AND c.collection IN $collections AND c.type IN $types
        AND c.published >= $since AND c.published <= $until
      LIMIT $wide
    ) SCORE AS score
    MATCH (x:Section)-[:HAS_CHUNK]->(c)
    WHERE x.id IN $within
    WITH DISTINCT c, score ORDER BY score DESC, c.id LIMIT $fetch
    RETURN c, score
  }
  WHEN $by_source THEN {
    MATCH (c)
    SEARCH c IN (
      VECTOR INDEX chunk_embedding FOR $vector
      WHERE c.source IN $sources // which takes half the time
      LIMIT $fetch
    ) SCORE AS score
    RETURN c, score
  }
  WHEN $filtered THEN {
    MATCH (c)
    SEARCH c IN (
      VECTOR INDEX chunk_embedding FOR $vector
      WHERE c.source IN $sources AND c.collection IN $collections AND c.type IN $types
        AND c.published >= $since AND c.published <= $until
      LIMIT $fetch
    ) SCORE AS score
    RETURN c, score
  }
  ELSE {
    MATCH (c)
    SEARCH c IN (VECTOR INDEX chunk_embedding FOR $vector LIMIT $fetch) SCORE AS score
    RETURN c, score
  }
}
MATCH (s:Section)-[:HAS_CHUNK]->(c)
WITH s, c, score ORDER BY score DESC, c.id
WITH s, collect(c)[0] AS c, max(score) AS score
ORDER BY score DESC, s.id LIMIT $limit
MATCH (d:Document)-[:HAS_SECTION]->(s)
RETURN s.id AS section, d.id AS document, d.title AS title, coalesce(d.url, '') AS url, s.source AS source,
       s.collection AS collection, s.type AS type, coalesce(s.question, '') AS question, c.text AS text, c.start AS start,
       c.end AS end, score, {semantic: score} AS scores,
       coalesce(d.licences, [(d)-[:FROM]->(s0:Source) | s0.licence][0], '') AS licence,
       coalesce(d.notices, []) AS notices
ORDER BY score DESC, section
