// name: suspicious_names
// Names and synonyms of entities, and titles of documents, that match a pattern of what goes wrong with names.
// :param patterns => [{fault: 'no letter', pattern: '[^a-zA-Z]*', hints: [], end: false}]
// :param source => ''
// :param examples => 5
// mends: correct the names in the source
// returns: fault, source, field, count, examples
CALL () {
  MATCH (s:Source)<-[f:FROM]-(n:Entity)
  WHERE ($source = '' OR s.id = $source) AND NOT n:Stub
  RETURN n.id AS id, s.id AS source, CASE WHEN n:Gene|Protein|Variant THEN 'symbols' ELSE 'names' END AS field, coalesce(f.name, n.name, '') AS text
  UNION ALL
  MATCH (s:Source)<-[f:FROM]-(n:Entity)
  WHERE $source = '' OR s.id = $source
  UNWIND coalesce(CASE WHEN f.label IS NULL THEN n.synonyms ELSE f.synonyms END, []) AS text
  RETURN n.id AS id, s.id AS source, 'synonyms' AS field, text
  UNION ALL
  MATCH (n:Document)
  WHERE $source = '' OR n.source = $source
  RETURN n.id AS id, n.source AS source, 'titles' AS field, coalesce(n.title, '') AS text
}
UNWIND [p IN $patterns WHERE (p.hints = [] OR any(hint IN p.hints WHERE text CONTAINS hint))
                         AND CASE WHEN p.end THEN right(text, 80) ELSE text END =~ p.pattern | p.fault] AS fault
WITH fault, coalesce(source, '') AS source, field, id, text ORDER BY id
RETURN fault, source, field, count(*) AS count, collect([id, text])[..$examples] AS examples
ORDER BY fault, source, field
