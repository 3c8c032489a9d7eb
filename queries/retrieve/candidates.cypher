// name: candidates
// Sections that may answer a question, by words, by meaning and by what their document is about; with what each of
// these says of all of them, and how near the question is that a section answers.
// :param lucene => '+(title:(asthma)^2 question:(asthma) text:(asthma))'
// :param vector => [0.1, 0.2]
// :param entities => ['medquad:asthma']
// :param intents => ['symptoms']
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
// :param depth => 100
// :param fetch => 30
// returns: section, document, title, aliases, url, source, collection, type, heading, question, text, start, end, linked, lexical, semantic, asked, far, licence, notices, published, forms, label, voice, also
CYPHER 25
CALL () {
  CALL db.index.fulltext.queryNodes('section_text', $lucene, {limit: $depth}) YIELD node AS s, score
  WHERE NOT $filtered
     OR (($within IS NULL OR s.id IN $within)
         AND s.source IN $sources AND s.collection IN $collections AND s.type IN $types
         AND s.published >= $since AND s.published <= $until)
  WITH s, score LIMIT $fetch // they come best first, and the rest is not looked at
  RETURN s, score AS lexical, null AS far
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
      RETURN c
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
      RETURN c
    }
    WHEN $by_source THEN {
      MATCH (c)
      SEARCH c IN (
        VECTOR INDEX chunk_embedding FOR $vector
        WHERE c.source IN $sources // which takes half the time
        LIMIT $fetch
      )
      RETURN c
    }
    WHEN $filtered THEN {
      MATCH (c)
      SEARCH c IN (
        VECTOR INDEX chunk_embedding FOR $vector
        WHERE c.source IN $sources AND c.collection IN $collections AND c.type IN $types
          AND c.published >= $since AND c.published <= $until
        LIMIT $fetch
      )
      RETURN c
    }
    ELSE {
      MATCH (c)
      SEARCH c IN (VECTOR INDEX chunk_embedding FOR $vector LIMIT $fetch)
      RETURN c
    }
  }
  MATCH (s:Section)-[:HAS_CHUNK]->(c)
  RETURN DISTINCT s, null AS lexical, null AS far
  UNION ALL
  UNWIND $entities AS id
  MATCH (e:Entity {id: id})
  CALL (e) {
    RETURN e AS about, 0 AS far
    UNION
    MATCH (e)-[:HAS_CUI|MEANS]->(:Concept)<-[:HAS_CUI|MEANS]-(about:Entity)
    RETURN about, 1 AS far
    UNION
    MATCH (e)-[:MEANS]->(:Concept)<-[:ABOUT_CONCEPT]-(about:Entity&Topic)
    RETURN about, 2 AS far
  }
  WITH about, min(far) AS far
  MATCH (about)<-[:ABOUT]-(:Document)-[:HAS_SECTION]->(s:Section)
  WHERE NOT $filtered
     OR (($within IS NULL OR s.id IN $within)
         AND s.source IN $sources AND s.collection IN $collections AND s.type IN $types
         AND s.published >= $since AND s.published <= $until)
  // A label of a drug has a hundred sections: of those that say the same the newest is taken, and those of the kind
  // that is asked for come first, and then the nearest.
  WITH s, min(far) AS far ORDER BY far, s.published DESC, s.id
  WITH coalesce(s.voice, s.id) AS voice, collect({s: s, far: far})[0] AS newest
  WITH newest.s AS s, newest.far AS far
  CALL (s) {
    MATCH (s)-[:HAS_CHUNK]->(c:Chunk)
    WITH c.embedding AS vector WHERE size(vector) = size($vector)
    RETURN max(vector.similarity.cosine(vector, $vector)) AS near
  }
  WITH s, far, near ORDER BY s.type IN $intents DESC, far, coalesce(near, 0) DESC, s.id LIMIT $fetch
  RETURN s, null AS lexical, far
}
WITH s, max(lexical) AS lexical, min(far) AS far
CALL (s) {
  MATCH (s)-[:HAS_CHUNK]->(c:Chunk)
  WITH c, c.embedding AS vector // read once: that is most of the work
  WHERE size(vector) = size($vector)
  WITH c, vector.similarity.cosine(vector, $vector) AS near
  ORDER BY near DESC, c.id LIMIT 1
  RETURN collect(c)[0] AS c, collect(2 * near - 1)[0] AS semantic
}
CALL (s) {
  MATCH (s)<-[:ANSWERED_BY]-(q:Question)
  WITH q.embedding AS vector WHERE size(vector) = size($vector)
  RETURN 2 * max(vector.similarity.cosine(vector, $vector)) - 1 AS asked
}
MATCH (d:Document)-[:HAS_SECTION]->(s)
OPTIONAL MATCH (s)-[:HAS_CHUNK]->(first:Chunk {position: 1})
WITH d, s, coalesce(c, first) AS c, lexical, semantic, asked, far
RETURN s.id AS section, d.id AS document, d.title AS title, coalesce(s.aliases, []) AS aliases, coalesce(d.url, '') AS url,
       s.source AS source, s.collection AS collection, s.type AS type, coalesce(s.heading, '') AS heading, coalesce(s.question, '') AS question,
       coalesce(c.text, left(s.text, 1500)) AS text, coalesce(c.start, 0) AS start,
       coalesce(c.end, size(left(s.text, 1500))) AS end, EXISTS { (d)-[:ABOUT]->() } AS linked,
       lexical, semantic, asked, far,
       coalesce(d.licences, [(d)-[:FROM]->(s0:Source) | s0.licence][0], '') AS licence,
       coalesce(d.notices, []) AS notices, coalesce(d.published, '') AS published, coalesce(d.dosage_forms, []) AS forms,
       d.set_id IS NOT NULL AS label, s.voice AS voice,
       CASE WHEN s.voice IS NULL THEN 0
            ELSE COUNT { MATCH (same:Section {voice: s.voice}) WHERE NOT $filtered OR same.source IN $sources } - 1 END AS also
ORDER BY section
