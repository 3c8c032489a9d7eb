// name: lexical
// Sections whose words match, by BM25 over title, question, heading and text.
// :param lucene => '+(title:(asthma)^2 question:(asthma) text:(asthma))'
// :param filtered => false
// :param sources => []
// :param collections => []
// :param types => []
// :param since => ''
// :param until => '9999'
// :param within => null
// :param depth => 100
// :param fetch => 100
// :param limit => 10
// returns: section, document, title, url, source, collection, type, question, text, start, end, score, scores, licence, notices
CALL db.index.fulltext.queryNodes('section_text', $lucene, {limit: $depth}) YIELD node AS s, score
WHERE NOT $filtered
   OR (($within IS NULL OR s.id IN $within)
       AND s.source IN $sources AND s.collection IN $collections AND s.type IN $types
       AND s.published >= $since AND s.published <= $until)
WITH s, score LIMIT $fetch // they come best first, and the rest is not looked at
WITH s, score ORDER BY score DESC, s.id LIMIT $limit
MATCH (d:Document)-[:HAS_SECTION]->(s)
OPTIONAL MATCH (s)-[:HAS_CHUNK]->(c:Chunk {position: 1})
RETURN s.id AS section, d.id AS document, d.title AS title, coalesce(d.url, '') AS url, s.source AS source,
       s.collection AS collection, s.type AS type, coalesce(s.question, '') AS question,
       coalesce(c.text, left(s.text, 1500)) AS text, coalesce(c.start, 0) AS start,
       coalesce(c.end, size(left(s.text, 1500))) AS end, score, {lexical: score} AS scores,
       coalesce(d.licences, [(d)-[:FROM]->(s0:Source) | s0.licence][0], '') AS licence,
       coalesce(d.notices, []) AS notices
ORDER BY score DESC, section
