// name: hybrid
// Sections by words and by meaning in one go: each branch scaled from 0 to 1 and weighted.
// :param lucene => '+(title:(asthma)^2 question:(asthma) text:(asthma))'
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
// :param lexical => 0.5
// :param semantic => 0.5
// :param depth => 100
// :param fetch => 100
// :param limit => 10
// returns: section, document, title, url, source, collection, type, question, text, start, end, score, scores, licence, notices, publisher, published, version, kinds
CYPHER 25
CALL () {
  CALL db.index.fulltext.queryNodes('section_text', $lucene, {limit: $depth}) YIELD node AS s, score
  WHERE NOT $filtered
     OR (($within IS NULL OR s.id IN $within)
         AND s.source IN $sources AND s.collection IN $collections AND s.type IN $types
         AND s.published >= $since AND s.published <= $until)
  WITH s, score LIMIT $fetch // they come best first, and the rest is not looked at
  WITH s, score ORDER BY score DESC, s.id
  WITH collect(s) AS found, collect(score) AS raw
  UNWIND range(0, size(found) - 1) AS i
  RETURN found[i] AS s, null AS c, raw[i] AS lexical, null AS semantic,
         CASE WHEN raw[0] = raw[-1] THEN $lexical
              ELSE $lexical * (raw[i] - raw[-1]) / (raw[0] - raw[-1]) END AS part
  UNION ALL
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
  WITH s, collect(c)[0] AS c, max(score) AS score ORDER BY score DESC, s.id
  WITH collect(s) AS found, collect(c) AS chunks, collect(score) AS raw
  UNWIND range(0, size(found) - 1) AS i
  RETURN found[i] AS s, chunks[i] AS c, null AS lexical, raw[i] AS semantic,
         CASE WHEN raw[0] = raw[-1] THEN $semantic
              ELSE $semantic * (raw[i] - raw[-1]) / (raw[0] - raw[-1]) END AS part
}
WITH s, collect(c)[0] AS c, max(lexical) AS lexical, max(semantic) AS semantic, sum(part) AS score
ORDER BY score DESC, s.id LIMIT $limit
MATCH (d:Document)-[:HAS_SECTION]->(s)
OPTIONAL MATCH (s)-[:HAS_CHUNK]->(first:Chunk {position: 1})
WITH d, s, coalesce(c, first) AS c, lexical, semantic, score
RETURN s.id AS section, d.id AS document, d.title AS title, coalesce(d.url, '') AS url, s.source AS source,
       s.collection AS collection, s.type AS type, coalesce(s.question, '') AS question,
       coalesce(c.text, left(s.text, 1500)) AS text, coalesce(c.start, 0) AS start,
       coalesce(c.end, size(left(s.text, 1500))) AS end, score, {lexical: lexical, semantic: semantic} AS scores,
       coalesce(d.licences, [(d)-[:FROM]->(s0:Source) | s0.licence][0], '') AS licence,
       coalesce(d.notices, []) AS notices,
       coalesce(nullIf(d.journal, ''), nullIf(d.labeler, ''), nullIf(d.collection, ''),
                [(d)-[:FROM]->(s0:Source) | s0.title][0], '') AS publisher,
       coalesce(d.published, '') AS published, coalesce([(d)-[:FROM]->(s0:Source) | s0.version][0], '') AS version,
       [kind IN coalesce(d.publication_types, []) + [d.article_type] WHERE kind IS :: STRING NOT NULL] AS kinds
ORDER BY score DESC, section
