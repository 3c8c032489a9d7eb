// name: translated
// Documents whose title or abstract in a language has such words, with what stands there.
// :param lucene => 'translations:("remède")'
// :param language => 'fr'
// :param sources => []
// :param collections => []
// :param since => ''
// :param until => '9999'
// :param within => null
// :param depth => 100000
// :param limit => 10
// returns: section, document, title, url, source, collection, type, question, text, start, end, score, scores, licence, notices
CALL db.index.fulltext.queryNodes('document_translation', $lucene, {limit: $depth}) YIELD node AS d, score
WITH d, score, [one IN d.translations WHERE split(one, '@')[-1] = $language OR split(one, '@')[-1] STARTS WITH $language + '-'] AS said
WHERE said <> [] AND d.source IN $sources AND d.collection IN $collections AND $since <= coalesce(d.published, '') <= $until
  AND ($within IS NULL OR EXISTS { (d)-[:HAS_SECTION]->(s:Section) WHERE s.id IN $within })
WITH d, score, reduce(text = '', one IN said | text + CASE text WHEN '' THEN '' ELSE '\n' END + left(one, size(one) - size(split(one, '@')[-1]) - 1)) AS text
ORDER BY score DESC, d.id LIMIT $limit
RETURN null AS section, d.id AS document, d.title AS title, coalesce(d.url, '') AS url, d.source AS source, d.collection AS collection,
       '' AS type, '' AS question, text, 0 AS start, size(text) AS end, score, {lexical: score} AS scores,
       coalesce(d.licences, [(d)-[:FROM]->(s0:Source) | s0.licence][0], '') AS licence, coalesce(d.notices, []) AS notices
ORDER BY score DESC, document
