// name: suspicious_texts
// Sections, definitions and questions whose text matches a pattern of what goes wrong with texts.
// :param patterns => [{fault: 'html', pattern: '(?s).*<br>.*', hints: ['<'], end: false}]
// :param source => ''
// :param examples => 5
// mends: correct the texts in the source, or how it is read
// returns: fault, source, field, count, examples
CALL () {
  MATCH (n:Section)
  WHERE $source = '' OR n.source = $source
  RETURN n.id AS id, n.source AS source, 'sections' AS field, n.text AS text
  UNION ALL
  MATCH (n:Question)
  WHERE ($source = '' OR n.source = $source) AND NOT EXISTS { (n)-[:ANSWERED_BY]->() }
  RETURN n.id AS id, n.source AS source, 'questions' AS field, n.text AS text
  UNION ALL
  MATCH (s:Source)<-[f:FROM]-(n:Entity)
  WHERE $source = '' OR s.id = $source
  WITH s, n, CASE WHEN f.label IS NULL THEN n.definition ELSE f.definition END AS text
  WHERE text <> ''
  RETURN n.id AS id, s.id AS source, 'definitions' AS field, text
}
UNWIND [p IN $patterns WHERE (p.hints = [] OR any(hint IN p.hints WHERE text CONTAINS hint))
                         AND CASE WHEN p.end THEN right(text, 80) ELSE text END =~ p.pattern | p.fault] AS fault
WITH fault, coalesce(source, '') AS source, field, id, text ORDER BY id
RETURN fault, source, field, count(*) AS count, collect([id, text])[..$examples] AS examples
ORDER BY fault, source, field
