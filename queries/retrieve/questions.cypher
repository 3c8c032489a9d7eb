// name: questions
// Questions that sources ask, by words and by meaning, with the section or page that answers each; and those that medgraph
// made for what relations tell, where that is searched.
// :param lucene => '+(text:(asthma))'
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
// :param lexical => 0.3
// :param semantic => 0.7
// :param depth => 100
// :param fetch => 100
// :param limit => 10
// returns: section, document, title, url, source, collection, type, question, text, start, end, score, scores, licence, notices
CYPHER 25
CALL () {
  CALL db.index.fulltext.queryNodes('question_text', $lucene, {limit: $depth}) YIELD node AS q, score
  WHERE NOT $filtered
     OR (q.source IN $sources AND q.collection IN $collections AND q.type IN $types
         AND q.published >= $since AND q.published <= $until
         AND ($within IS NULL OR EXISTS { (q)-[:ANSWERED_BY|ANSWERED_AT]->(a) WHERE a.id IN $within }))
  WITH q, score LIMIT $fetch // they come best first, and the rest is not looked at
  WITH q, score ORDER BY score DESC, q.id
  WITH collect(q) AS found, collect(score) AS raw
  UNWIND range(0, size(found) - 1) AS i
  RETURN found[i] AS q, raw[i] AS lexical, null AS semantic,
         CASE WHEN raw[0] = raw[-1] THEN $lexical
              ELSE $lexical * (raw[i] - raw[-1]) / (raw[0] - raw[-1]) END AS part
  UNION ALL
  CALL () {
    WHEN $scanned THEN { // few enough to be compared one by one, exactly
      UNWIND $within AS id
      CALL (id) {
        MATCH (:Section {id: id})<-[:ANSWERED_BY]-(q:Question)
        RETURN q
        UNION
        MATCH (:Document {id: id})<-[:ANSWERED_AT]-(q:Question)
        RETURN q
      }
      WITH DISTINCT q
      WHERE size(q.embedding) = size($vector)
        AND q.source IN $sources AND q.collection IN $collections AND q.type IN $types
        AND q.published >= $since AND q.published <= $until
      WITH q, vector.similarity.cosine(q.embedding, $vector) AS score ORDER BY score DESC, q.id LIMIT $fetch
      RETURN q, score
    }
    WHEN $within IS NOT NULL THEN {
      MATCH (q)
      SEARCH q IN (
        VECTOR INDEX question_embedding FOR $vector
        WHERE q.source IN $sources AND q.collection IN $collections AND q.type IN $types
          AND q.published >= $since AND q.published <= $until
        LIMIT $wide
      ) SCORE AS score
      MATCH (q)-[:ANSWERED_BY|ANSWERED_AT]->(x)
      WHERE x.id IN $within
      WITH DISTINCT q, score ORDER BY score DESC, q.id LIMIT $fetch
      RETURN q, score
    }
    WHEN $by_source THEN {
      MATCH (q)
      SEARCH q IN (
        VECTOR INDEX question_embedding FOR $vector
        WHERE q.source IN $sources // which takes half the time
        LIMIT $fetch
      ) SCORE AS score
      RETURN q, score
    }
    WHEN $filtered THEN {
      MATCH (q)
      SEARCH q IN (
        VECTOR INDEX question_embedding FOR $vector
        WHERE q.source IN $sources AND q.collection IN $collections AND q.type IN $types
          AND q.published >= $since AND q.published <= $until
        LIMIT $fetch
      ) SCORE AS score
      RETURN q, score
    }
    ELSE {
      MATCH (q)
      SEARCH q IN (VECTOR INDEX question_embedding FOR $vector LIMIT $fetch) SCORE AS score
      RETURN q, score
    }
  }
  WITH q, score ORDER BY score DESC, q.id
  WITH collect(q) AS found, collect(score) AS raw
  UNWIND range(0, size(found) - 1) AS i
  RETURN found[i] AS q, null AS lexical, raw[i] AS semantic,
         CASE WHEN raw[0] = raw[-1] THEN $semantic
              ELSE $semantic * (raw[i] - raw[-1]) / (raw[0] - raw[-1]) END AS part
}
WITH q, max(lexical) AS lexical, max(semantic) AS semantic, sum(part) AS score
OPTIONAL MATCH (q)-[:ANSWERED_BY]->(s:Section)<-[:HAS_SECTION]-(holder:Document)
OPTIONAL MATCH (q)-[:ANSWERED_AT]->(page:Document)
OPTIONAL MATCH (page)-[:HAS_SECTION]->(told:Section {position: 1}) WHERE q.generated // the page is in the graph
WITH q, coalesce(s, told) AS s, coalesce(holder, page) AS d, lexical, semantic, score
ORDER BY score DESC, q.id
WITH s, d, collect({q: q, lexical: lexical, semantic: semantic, score: score})[0] AS best
ORDER BY best.score DESC, d.id LIMIT $limit
OPTIONAL MATCH (s)-[:HAS_CHUNK]->(c:Chunk {position: 1})
RETURN s.id AS section, d.id AS document, d.title AS title, coalesce(d.url, '') AS url, d.source AS source,
       d.collection AS collection, best.q.type AS type, best.q.text AS question,
       coalesce(c.text, left(s.text, 1500), 'Answered at ' + d.url) AS text, coalesce(c.start, 0) AS start,
       coalesce(c.end, size(left(s.text, 1500)), 0) AS end, best.score AS score,
       {lexical: best.lexical, semantic: best.semantic} AS scores,
       coalesce(d.licences, [(d)-[:FROM]->(s0:Source) | s0.licence][0], '') AS licence,
       coalesce(d.notices, []) AS notices
ORDER BY score DESC, document, section
